"""What stays from one run of an attempt to the next: variables, functions, classes and imports. Runs inside the jail.

No process lives between runs, so the state is written to the attempt's own folder and read again: the source of every
top-level definition and import, executed anew, and all other variables pickled together, so that what they share stays
shared. What cannot be pickled (open files, generators, lambdas, threads) is named and not kept. The host never reads
the file.
"""

from __future__ import annotations

import ast
import pickle
import sys
import types
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

GIVEN = ("gui", "np", "screenshot")
"""Names that every run is given anew."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


@dataclass
class Session:
    """The state of an attempt's code, in `names`, the namespace that code runs in."""

    path: Path
    names: dict[str, Any]
    definitions: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    """Names that each definition binds, and its source, in order."""

    def restore(self) -> None:
        """Bring back what the last run left; say so where it cannot be read."""
        try:
            if not self.path.is_file():
                return
            self.definitions, values = pickle.loads(self.path.read_bytes())  # noqa: S301 - in the jail, its own
            later = [source for _, source in self.definitions if not self._defined(source)]
            self.names.update(pickle.loads(values))  # noqa: S301 - as above
            for source in later:  # a default value may need a variable
                self._defined(source)
        except Exception as error:
            sys.stdout.write(f"[the state of earlier runs cannot be read: {error!r:.200}]\n")

    def save(self, code: str, *, until: int | None = None) -> None:
        """Write the state; `until` is the line at which the code ended early, None if it came to its end."""
        self._take(code, until)
        values, lost = self._picklable()
        kept = [(bound, source) for bound, source in self.definitions if not bound or set(bound) & set(self.names)]
        part = self.path.with_suffix(".part")
        try:
            part.write_bytes(pickle.dumps((kept, values)))
            part.replace(self.path)
        except (OSError, MemoryError) as error:
            with suppress(OSError):
                part.unlink()
            sys.stdout.write(f"[the variables of this run are not kept: {error}]\n")
            return
        if lost:
            sys.stdout.write(f"[not kept for the next run: {', '.join(sorted(lost))}]\n")

    def _defined(self, source: str) -> bool:
        with suppress(Exception):
            exec(compile(source, "earlier", "exec"), self.names)  # noqa: S102 - the agent's own definitions
            return True
        return False

    def _take(self, code: str, until: int | None) -> None:
        """Add the definitions that the code came to; a newer one replaces an older one of the same names."""
        with suppress(SyntaxError, ValueError):
            for statement in ast.parse(code).body:
                if isinstance(statement, _DEFINITIONS) and (until is None or statement.lineno < until):
                    bound = _bound(statement)
                    self.definitions = [one for one in self.definitions if not one[0] or not set(one[0]) <= set(bound)]
                    self.definitions.append((bound, ast.unparse(statement)))

    def _picklable(self) -> tuple[bytes, list[str]]:
        """Return the variables pickled together, and the names of those that cannot be."""
        defined = {name for bound, _ in self.definitions for name in bound}
        values = {name: value for name, value in self.names.items() if _is_variable(name, value, defined)}
        try:
            return pickle.dumps(values), []
        except Exception:
            lost = [name for name, value in values.items() if not _pickles(value)]
        return pickle.dumps({name: value for name, value in values.items() if name not in lost}), lost


def _bound(statement: Any) -> tuple[str, ...]:
    """Return the names that a definition or an import binds; none for `import *`."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        names: Iterable[str] = (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
        return tuple(name for name in names if name != "*")
    return (statement.name,)


def _is_variable(name: str, value: Any, defined: set[str]) -> bool:
    """Tell whether a name is kept as a value: no module, and nothing whose definition is kept."""
    if name in GIVEN or (name.startswith("__") and name.endswith("__")) or isinstance(value, types.ModuleType):
        return False
    own = getattr(value, "__module__", None) == "__main__" and getattr(value, "__qualname__", None) == name
    return not (own and name in defined)


def _pickles(value: Any) -> bool:
    try:
        pickle.dumps(value)
    except Exception:
        return False
    return True
