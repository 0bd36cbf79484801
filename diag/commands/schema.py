"""`python -m diag schema [FOLDER]`: JSON Schemas of the YAML files, for editors that complete and check keys.

Made from the records that composition itself checks against, so they cannot differ from what is accepted.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import Any

from diag.config import Config, TextConfig
from diag.records.sealed import write_whole
from diag.studies.registry import kinds
from diag.terminal import Words, say

DRAFT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def main(arguments: Sequence[str]) -> int:
    """Write the schemas and say how an editor finds them; return 0."""
    parser = Words("schema", __doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("schemas"), help="where to; default: schemas/")
    folder = parser.parse_args(list(arguments)).folder
    for name, content in schemas().items():
        path = folder / f"{name}.schema.json"
        write_whole(path, (json.dumps(content, indent=1) + "\n").encode(), durable=False)
        say(f"{path}   # yaml-language-server: $schema={path.resolve().as_uri()}")
    say("Paste the comment as the first line of a YAML file; editors with YAML support then complete and check it.")
    return 0


def schemas() -> Mapping[str, Schema]:
    """Return the schema of an experiment's file, of the study group of each kind, and of an intervention made of text.

    Keys may use interpolations (`${...}`) wherever a value stands, and no key is required: an experiment overrides.
    """
    studies = {name: of_record(kind.config) for name, kind in sorted(kinds().items())}
    whole = of_record(Config)
    whole["properties"]["study"] = {
        "anyOf": list(studies.values()),
        "description": "The kind of study is set by `- /study: KIND` among the defaults.",
    }
    whole["properties"]["defaults"] = {"type": "array", "description": "What Hydra composes, in order."}
    named = {f"study_{name}": {"$schema": DRAFT, "title": name, **one} for name, one in studies.items()}
    return {
        "experiment": {"$schema": DRAFT, "title": "an experiment of python -m diag", **whole},
        "intervention": {"$schema": DRAFT, "title": "an intervention made of text", **of_record(TextConfig)},
        **named,
    }


def of_record(record: type[Any]) -> Schema:
    """Return the schema of a record of keys: types, defaults, each key's own sentence; no other key is allowed."""
    hints, said = typing.get_type_hints(record), sentences(record)
    found = {one.name: of_type(hints[one.name]) for one in fields(record)}
    for name, text in said.items():
        found[name] = {**found[name], "description": text}
    about = inspect.cleandoc(record.__doc__ or "")
    return {"type": "object", "description": about, "properties": found, "additionalProperties": False}


def of_type(hint: Any) -> Schema:
    """Return the schema of a key's type; an interpolation is allowed in place of every value but text."""
    if hint in _PLAIN:
        return {"type": "string"} if hint is str else {"anyOf": [{"type": _PLAIN[hint]}, _INTERPOLATION]}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [one.name for one in hint]}
    if is_dataclass(hint):
        return of_record(typing.cast("type[Any]", hint))
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [{"type": "null"} if one is type(None) else of_type(one) for one in inner]}
    if origin is list:
        return {"anyOf": [{"type": "array", "items": of_type(inner[0])}, _INTERPOLATION]}
    if origin is dict:
        return {"type": "object", "additionalProperties": of_type(inner[1])}
    return {}


_INTERPOLATION: Schema = {"type": "string", "pattern": r"^\$\{.*\}$"}


def sentences(record: type[Any]) -> dict[str, str]:
    """Return the sentence that stands below each key, those of the record's bases included."""
    found: dict[str, str] = {}
    for one in reversed([base for base in record.__mro__ if is_dataclass(base)]):
        body = typing.cast("ast.ClassDef", ast.parse(textwrap.dedent(inspect.getsource(one))).body[0]).body
        for key, text in pairwise(body):
            is_text = isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
            if isinstance(key, ast.AnnAssign) and isinstance(key.target, ast.Name) and is_text:
                words = typing.cast("ast.Constant", typing.cast("ast.Expr", text).value).value
                found[key.target.id] = " ".join(str(words).split())
    return found
