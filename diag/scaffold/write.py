"""Writes an example from the files of `templates/common` and `templates/<kind>`, `NAME` in paths filled in."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from typing import Literal, get_args

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from diag.config import CHECKOUT
from diag.errors import ConfigError
from diag.records.sealed import write_whole

Kind = Literal["intervention", "agent", "game", "study"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TEMPLATES = Path(__file__).parent / "templates"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST_NAME = 40


def write_example(kind: Kind, name: str, folder: Path) -> tuple[Path, ...]:
    """Write the example and return its files.

    Args:
        kind: what it is an example of.
        name: a Python package name; also the name of the config option or game.
        folder: where it goes; it must be new or empty, and outside the repository.

    Raises:
        ConfigError: the name or the folder cannot be used.
        StorageError: the disk does not take it.
    """
    _check_name(name)
    _check_folder(folder)
    jinja = _environment()
    values = {"name": name, "words": name.replace("_", " "), "cls": _class_name(name), "kind": kind}
    written = []
    for source in sorted([*(TEMPLATES / "common").rglob("*.j2"), *(TEMPLATES / kind).rglob("*.j2")]):
        place = source.relative_to(TEMPLATES).with_suffix("")
        target = folder / Path(*place.parts[1:]).as_posix().replace("NAME", name)
        text = jinja.get_template(source.relative_to(TEMPLATES).as_posix()).render(values)
        write_whole(target, text.encode(), durable=False)
        written.append(target)
    return tuple(written)


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name) or keyword.iskeyword(name) or len(name) > _LONGEST_NAME:
        raise ConfigError(
            f"name: found {name!r}, wanted small letters, digits and _, a letter first, as in kind_words "
            f"(at most {_LONGEST_NAME})"
        )
    taken = {*sys.stdlib_module_names, "diag", "games", "solvers", "checkpoints", "tests", "conf"}
    if name in taken:
        raise ConfigError(f"name: {name!r} is the name of a module that exists already; choose another one")


def _check_folder(folder: Path) -> None:
    if CHECKOUT is not None and folder.resolve().is_relative_to(CHECKOUT.resolve()):
        raise ConfigError(f"--folder: {folder} is inside the repository; your own code lives outside of it")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"--folder: {folder} exists already and is not empty; nothing was written")


def _class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _environment() -> Environment:
    """Markers that neither Python, JSON, YAML nor JavaScript use."""
    return Environment(  # noqa: S701 - source code and plain text, never a web page
        loader=FileSystemLoader(TEMPLATES),
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
