"""Files of the working folder that hide a module which the program needs: `python -m` looks there first."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

OWN = ("games", "solvers", "checkpoints")
_HOME = Path(__file__).resolve().parent.parent


def hiding_own() -> str:
    """Return a line that names what hides a package of this program; empty if nothing does."""
    for name in OWN:
        spec = PathFinder.find_spec(name)
        found = _file(spec)
        if found is not None and found.parent != _HOME / name:
            return _line(found, f"the package {name} of this program")
    return ""


def hiding_others() -> str:
    """Return a line that names a loaded module of the working folder that hides an installed one; empty if none does.

    For a program that has failed: a file that hides what nothing needs does no harm.
    """
    for name, found in _loaded_from(Path.cwd().resolve()):
        elsewhere = [entry for entry in sys.path if Path(entry or ".").resolve() != Path.cwd().resolve()]
        if name in sys.stdlib_module_names or _file(PathFinder.find_spec(name, elsewhere)) is not None:
            return _line(found, f"the installed module {name}")
    return ""


def _loaded_from(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the loaded modules of a folder, which is none of this program's own."""
    if folder == _HOME:
        return
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if "." in name or not isinstance(file, str):
            continue
        path = Path(file).resolve()
        if path.parent == folder or (path.name == "__init__.py" and path.parent.parent == folder):
            yield name, path


def _file(spec: ModuleSpec | None) -> Path | None:
    return None if spec is None or spec.origin is None else Path(spec.origin).resolve()


def _line(found: Path, what: str) -> str:
    return f"error: found {found}, which hides {what}; wanted another name for it, or another working folder"
