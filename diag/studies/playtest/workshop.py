"""The files of a build as a model that codes has them: tools to list, read, write, replace, check, finish.

Files are named below the bundle's `games` folder; only those that are there can be read or changed. Every answer of a
tool is a text for the model; what it got wrong is answered, never raised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from diag.agents.models.conversation import Call
from diag.agents.models.reply import Tool
from diag.studies.playtest.builds.build import Build
from diag.studies.playtest.builds.bundle import source_files
from diag.studies.playtest.crew import Verify
from games.contract import JsonObject

LONGEST = 200_000
"""Characters of a file that is written."""
SHOWN_LINES = 400
"""Lines of a file that one reading shows."""


class Refused(ValueError):
    """A tool was used wrongly; the message is for the model."""


@dataclass
class Workshop:
    """One round's work on a build."""

    build: Build
    folder: Path
    """The build as it was written at the start of the round."""
    verify: Verify | None
    finished: JsonObject | None = None
    """The arguments of `finish`."""
    _files: dict[str, str] = field(default_factory=dict)
    """What was changed in this round."""

    @property
    def names(self) -> tuple[str, ...]:
        """The files that may be read and changed."""
        root = self.folder / "games"
        return tuple(str(path.relative_to(root)) for path in source_files(self.folder))

    @property
    def made(self) -> Build:
        """The build with this round's changes."""
        return self.build.edited(self._files) if self._files else self.build

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools of this round; `check` where the code may be run."""
        return tuple(tool for tool in TOOLS if tool.name != "check" or self.verify is not None)

    def use(self, call: Call) -> str:
        """Do what a call asks and return the answer for the model."""
        known: Mapping[str, Callable[[JsonObject], str]] = {
            "list_files": self._list, "read_file": self._read, "write_file": self._write,
            "replace_text": self._replace, "check": self._check, "finish": self._finish,
        }  # fmt: skip
        offered = [tool.name for tool in self.tools]
        try:
            if "unreadable" in call.arguments:
                raise Refused("the arguments are no JSON object")
            if call.name not in offered:
                raise Refused(f"no tool {call.name!r:.80}; wanted one of {', '.join(offered)}")
            return known[call.name](call.arguments)
        except Refused as fault:
            return f"Refused: {fault}"

    def _list(self, given: JsonObject) -> str:
        del given
        return "\n".join(f"{name}{' (changed)' if name in self._files else ''}" for name in self.names)

    def _read(self, given: JsonObject) -> str:
        lines = self._text(given).split("\n")
        first = _number(given, "first_line", 1)
        last = min(_number(given, "last_line", len(lines)), first + SHOWN_LINES - 1, len(lines))
        shown = [f"{number}: {line}" for number, line in enumerate(lines[first - 1 : last], first)]
        return "\n".join(shown) + (f"\n({len(lines)} lines in all)" if last < len(lines) else "")

    def _write(self, given: JsonObject) -> str:
        return self._put(_path(given, self.names), _words(given, "content"))

    def _replace(self, given: JsonObject) -> str:
        text, find = self._text(given), _words(given, "find")
        if not find or (found := text.count(find)) != 1:
            raise Refused(f"{find!r:.80} stands there {found if find else 'any number of'} times, wanted once")
        return self._put(str(given["path"]), text.replace(find, _words(given, "replace")))

    def _put(self, name: str, text: str) -> str:
        if len(text) > LONGEST:
            raise Refused(f"{len(text)} characters, wanted at most {LONGEST}")
        self._files[name] = text
        return f"{name}: written"

    def _check(self, given: JsonObject) -> str:
        del given
        assert self.verify is not None
        return self.verify(self.made) or "The build starts."

    def _finish(self, given: JsonObject) -> str:
        self.finished = dict(given)
        return "The round is over."

    def _text(self, given: JsonObject) -> str:
        name = _path(given, self.names)
        return self._files[name] if name in self._files else (self.folder / "games" / name).read_text(encoding="utf-8")


def _path(given: JsonObject, names: tuple[str, ...]) -> str:
    name = _words(given, "path")
    if name not in names:
        raise Refused(f"no file {name!r:.120}; `list_files` names those there are")
    return name


def _words(given: JsonObject, name: str) -> str:
    if not isinstance(given.get(name), str):
        raise Refused(f"{name}: wanted a text, got {given.get(name)!r:.80}")
    return str(given[name])


def _number(given: JsonObject, name: str, default: int) -> int:
    value = given.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise Refused(f"{name}: wanted a line number from 1, got {value!r:.80}")
    return value


def _tool(name: str, description: str, required: tuple[str, ...] = (), **properties: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name, description, schema)


_TEXT, _LINE = {"type": "string"}, {"type": "integer", "minimum": 1}
_MEMORY = {
    "type": "object",
    "properties": dict.fromkeys(("kind", "layer", "about", "text"), _TEXT),
    "required": ["kind", "layer", "about", "text"],
}
TOOLS = (
    _tool("list_files", "List the files of the game."),
    _tool("read_file", f"Read a file, at most {SHOWN_LINES} lines at a time; lines are numbered.", ("path",),
          path=_TEXT, first_line=_LINE, last_line=_LINE),
    _tool("write_file", "Write a file anew, whole.", ("path", "content"), path=_TEXT, content=_TEXT),
    _tool("replace_text", "Replace a text that stands in a file exactly once.", ("path", "find", "replace"), path=_TEXT,
          find=_TEXT, replace=_TEXT),
    _tool("check", "Start the build and say why it does not start, if it does not."),
    _tool("finish", "End the round.", ("summary",), summary=_TEXT, deferred={"type": "array", "items": _TEXT},
          memories={"type": "array", "items": _MEMORY}),
)  # fmt: skip
