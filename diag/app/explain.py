"""From what Hydra and OmegaConf raise to one line that names what was found and what was wanted."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from shlex import quote
from typing import Any

from hydra.errors import (
    ConfigCompositionException,
    HydraException,
    MissingConfigException,
    OverrideParseException,
)
from omegaconf import OmegaConf
from omegaconf.errors import (
    ConfigAttributeError,
    ConfigKeyError,
    ConfigTypeError,
    MissingMandatoryValue,
    OmegaConfBaseException,
    ValidationError,
)
from yaml import MarkedYAMLError, YAMLError  # type: ignore[import-untyped]  # what OmegaConf lets through of its parser

from diag.config import Config, TextConfig, arms, schema, study
from diag.errors import ConfigError, DiagError, one_line
from diag.studies.registry import kinds


def explain(error: BaseException, conf: Path, typed: Sequence[str] = ()) -> DiagError | None:
    """Return a one-line error for anything a configuration can get wrong; None for a fault of the program.

    `typed` are the words of the command line, so that the advice can be pasted.
    """
    chain = _chain(error)
    for one in chain:
        if isinstance(one, DiagError):
            return one
    for one in chain:
        said = _reading(one, conf, typed)
        if said is not None:
            return ConfigError(said)
        if isinstance(one, MissingMandatoryValue):
            return ConfigError(f"{_key(one)} has no value; give it as {_key(one)}=VALUE")
        wanted = _wanted_shape(one) if isinstance(one, ValidationError | ConfigTypeError) else None
        if wanted is not None:
            return ConfigError(f"{_key(one)}: found {_found(chain)}, wanted {wanted}")
        if isinstance(one, ValidationError):
            return ConfigError(_wrong_type(one))
        if isinstance(one, ConfigKeyError | ConfigAttributeError):
            return ConfigError(_unknown_key(one))
    if any(isinstance(one, HydraException | OmegaConfBaseException) for one in chain):
        return ConfigError(_cause_line(chain))
    return None


def _reading(error: BaseException, conf: Path, typed: Sequence[str]) -> str | None:
    """Return what is wrong with a file or a word of the command line, before any value is looked at."""
    if isinstance(error, YAMLError):
        return _invalid_yaml(error)
    if isinstance(error, MissingConfigException):
        return _missing_option(error, conf)
    if isinstance(error, ConfigCompositionException):
        return _override(str(error), typed)
    if isinstance(error, OverrideParseException):
        return f"found {error.override!r}, wanted key=value with every bracket and quote closed"
    return None


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in chain:
        chain.append(one)
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return chain


def _invalid_yaml(error: Exception) -> str:
    """Return file, line, what was found there and what the parser wanted."""
    mark = (error.problem_mark or error.context_mark) if isinstance(error, MarkedYAMLError) else None
    if mark is None or not isinstance(error, MarkedYAMLError):
        return f"{getattr(error, 'name', 'a YAML file')}: found {one_line(error)}, wanted valid YAML"
    begun = f", begun in line {error.context_mark.line + 1}" if error.context_mark else ""
    context = f" ({error.context}{begun})" if error.context else ""
    problem = str(error.problem or "a fault").removeprefix("found ")
    return f"{mark.name}, line {mark.line + 1}: found {problem}, wanted valid YAML{context}; quote texts with : # or {{"


def _override(message: str, typed: Sequence[str]) -> str | None:
    """Return our advice where Hydra's would mislead: it says `override`, which belongs into a YAML."""
    patterns = (
        r"Multiple values for (\S+?)\. ",
        r"An item is already at '([^']+)'",
        r"Could not append to config\..*?'([^']+)'",
    )
    twice = next((found for one in patterns if (found := re.search(one, message))), None)
    if twice and sum(word.startswith(f"+{twice[1]}=") for word in typed) > 1:
        return f"{twice[1]} is given twice, wanted once: {' '.join(_all_typed(f'+{twice[1]}=', typed))}"
    if twice:
        plain = _typed(f"+{twice[1]}=", typed) or f"+{twice[1]}=VALUE"
        return f"found {plain}, but {twice[1]} has a value already; drop the +: {plain.lstrip('+')}"
    absent = re.search(r"Could not override '([^']+)'\.", message)
    if absent and ("@" in absent[1] or absent[1] == "experiment"):
        plain = _typed(f"{absent[1]}=", typed) or f"{absent[1]}=NAME"
        return f"found {plain}, but {absent[1]} has no value to replace; add one: +{plain}"
    group = re.search(r"Override (\S+?)=\S* looks like a config group override, but config group '([^']*)'", message)
    if group:
        return (
            f"no config group {group[2]!r}: found {_typed(group[1], typed) or group[1]}; python -m diag --help has them"
        )
    return None


def _typed(beginning: str, typed: Sequence[str]) -> str | None:
    """Return the word of the command line that begins so, quoted for a shell."""
    return next(iter(_all_typed(beginning, typed)), None)


def _all_typed(beginning: str, typed: Sequence[str]) -> list[str]:
    return [quote(word) for word in typed if word.startswith(beginning)]


def _missing_option(error: MissingConfigException, conf: Path) -> str:
    found = re.search(r"Could not find '([^']+)'", str(error))
    name = found[1] if found else str(error.missing_cfg_file)
    group, _, option = name.partition("/")
    options = sorted({*group_options(conf, group), *map(str, error.options or ())})
    return f"no {group} {option!r}; wanted one of {', '.join(options) or '(there are none)'}{_near(option, options)}"


def group_options(conf: Path, group: str) -> list[str]:
    """Return the options of a config group, those in sub-folders included."""
    root = conf / group
    return sorted(str(path.relative_to(root).with_suffix("")) for path in root.rglob("*.yaml"))


def _wrong_type(error: ValidationError) -> str:
    message = str(error).splitlines()[0]
    boolean = re.search(r"Value '(.*)' is not a valid bool", message)
    if boolean:
        return f"{_key(error)}: found {boolean[1]!r}, wanted true or false"
    if "is not Optional" in message:
        return f"{_key(error)}: found null, wanted a value"
    found = re.search(r"Value '(.*)' of type '(\w+)' could not be converted to (\w+)", message)
    if found:
        return f"{_key(error)}: found {found[1]!r} ({found[2]}), wanted {_plain_type(found[3])}"
    choice = re.search(r"Invalid value '(.*)', expected one of \[(.*)\]", message)
    if choice:
        return f"{_key(error)}: found {choice[1]!r}, wanted one of {choice[2]}"
    return f"{_key(error)}: {message}"


def _wanted_shape(error: ValidationError | ConfigTypeError) -> str | None:
    """Return what a key takes that was given a value of another shape: a list, a mapping, a group of keys."""
    message = str(error)
    schema = re.search(r"is not a subclass of (\w+)", message)
    if schema:
        keys = [one.name for one in fields(_schema_named(schema[1])) if one.name != "_target_"]
        return f"the keys {', '.join(keys)}"
    if "is not a ListConfig" in message or "reference_type=List" in message:
        return "a list, as in [first, second]"
    if "to Dict[" in message or "reference_type=Dict" in message:
        return "a mapping, as in {name: value}"
    return None


def _schema_named(name: str) -> type[Any]:
    known = [*vars(schema).values(), *vars(study).values(), *vars(arms).values(), *(node for _, node in _schemas())]
    found: type[Any] = next(node for node in known if getattr(node, "__name__", "") == name)
    return found


def _found(chain: Sequence[BaseException]) -> str:
    """Return what was given: as the error quotes it, as it stands on the command line, or its type alone."""
    messages = [str(one) for one in chain]
    patterns = (r"(?m) value: (.*)$", r"(?m)override [^=]+=(.*)$", r"(?:assign|assigned:) (\w+)", r"Cannot merge (\w+)")
    found = (re.search(pattern, message) for pattern in patterns for message in messages)
    return next((one[1] for one in found if one), "another")


def _plain_type(name: str) -> str:
    names = {"Integer": "an integer", "Float": "a number", "Boolean": "true or false", "String": "text"}
    return names.get(name, name)


def _unknown_key(error: Any) -> str:
    key = _key(error)
    known = known_keys()
    return f"unknown key {key!r}{_near(key, known) or '; python -m diag --help lists the keys'}"


def known_keys() -> list[str]:
    """Return every key of the schemas, dotted."""
    keys: list[str] = []
    for prefix, node in _schemas():
        keys += _dotted(OmegaConf.to_container(OmegaConf.structured(node)), prefix)
    return list(dict.fromkeys(keys))


def _schemas() -> list[tuple[str, type[Any]]]:
    """Return every schema and the prefix of its keys."""
    found = kinds().values()
    arms_of_kinds: list[type[Any]] = [keys for kind in found for keys in kind.arm_configs.values()]
    studies = [("study", kind.config) for kind in found]
    nodes: list[type[Any]] = [TextConfig, *arms_of_kinds]
    arms_of_all = [("intervention", node) for node in nodes]
    return [("", Config), *studies, *arms_of_all]


def _dotted(value: Any, prefix: str) -> list[str]:
    if not isinstance(value, dict):
        return [prefix]
    nested = [_dotted(inner, f"{prefix}.{name}".lstrip(".")) for name, inner in value.items()]
    return ([prefix] if prefix else []) + [key for keys in nested for key in keys]


def _near(name: str, options: list[str]) -> str:
    near = difflib.get_close_matches(name, options, n=1, cutoff=0.75)
    return f"; did you mean {near[0]!r}?" if near else ""


def _key(error: Any) -> str:
    return str(error.full_key or error.key or "a value")


def _cause_line(chain: list[BaseException]) -> str:
    """The deepest message says what is wrong, the outermost where."""
    outer, inner = one_line(chain[0]), one_line(chain[-1])
    return outer if inner in outer else f"{outer} ({inner})"
