"""Which steps an answer consists of, and which of them are native (first source document, "Native GUI action ratio").

A step is one tool call or an explicit terminal answer: the action `answer`, wherever it stands, or the word STOP in an
answer without calls. A call counts once, performed or not. Code that only lists inputs at fixed coordinates is an
input batch like any other; code that does anything else is computation, with or without inputs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from diag.agents.models.conversation import Call
from diag.agents.models.reply import Reply
from games.contract import JsonObject

PYTHON = "python"
NATIVE, NOT_NATIVE = "native", "non_native"
METHODS = ("act", "click", "drag", "swipe", "key", "wait")
"""Of the object `gui` in the jail."""


def steps_of(reply: Reply) -> list[str]:
    """Return the class of every step that the calls of one answer are; STOP in words is not among them."""
    return [kind for call in reply.calls for kind in _kinds(_names(call))]


def computed_answers(runs: Iterable[tuple[str, Sequence[JsonObject]]]) -> list[str]:
    """Return a step for every terminal answer that code came to by computation: its text does not show it.

    Args:
        runs: code and the GUI actions that it asked for.
    """
    return [
        NOT_NATIVE
        for code, actions in runs
        if listed_inputs(code) is None and any(one.get("name") == "answer" for one in actions)
    ]


def listed_inputs(code: str) -> tuple[str, ...] | None:
    """Return the names of the GUI actions that code lists in order; None if it does anything else.

    It only lists them if every statement is a call of a method of `gui` whose arguments are all written out. Comments,
    bare texts, prints of constants and screenshots that nothing looks at are commentary.
    """
    try:
        statements = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = [_listed(one) for one in statements]
    return None if None in found else tuple(name for names in found if names is not None for name in names)


def _names(call: Call) -> tuple[str, ...] | None:
    """Return the names of a call's actions; None if it computes."""
    if call.name == PYTHON:
        return listed_inputs(str(call.arguments.get("code", "")))
    items = call.arguments.get("actions")
    names = [str(one.get("name")) for one in items if isinstance(one, dict)] if isinstance(items, list) else []
    return tuple(names) or ("unreadable",)  # an input that failed


def _kinds(names: Sequence[str] | None) -> list[str]:
    """Return the steps of a call: itself, if it holds anything but a terminal answer, and the answer."""
    if names is None:
        return [NOT_NATIVE]
    others = [name for name in names if name != "answer"]
    answers = [NOT_NATIVE] * (len(others) < len(names))
    return ([NATIVE if set(others) - {"wait"} else NOT_NATIVE] if others or not answers else []) + answers


def _listed(statement: ast.stmt) -> tuple[str, ...] | None:
    """Return the input that a statement asks for (none for commentary); None if it does anything else."""
    if isinstance(statement, ast.Pass):
        return ()
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Constant):
        return ()
    if not isinstance(call, ast.Call) or not all(map(_is_written_out, _arguments(call))):
        return None
    if isinstance(call.func, ast.Name):
        return () if call.func.id == "print" else None
    target = call.func
    if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name) or target.value.id != "gui":
        return None
    return _method(target.attr, call)


def _method(name: str, call: ast.Call) -> tuple[str, ...] | None:
    if name == "screenshot" and not _arguments(call):
        return ()
    if name not in METHODS:
        return None
    if name != "act":
        return (name,)
    named = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "name")]
    value = named[0].value if named and isinstance(named[0], ast.Constant) else None
    return (str(value),)


def _arguments(call: ast.Call) -> list[Any]:
    return [*call.args, *(one.value if one.arg is not None else None for one in call.keywords)]


def _is_written_out(value: ast.expr | None) -> bool:
    """Tell whether an argument is a number or a text as it stands, a sign allowed."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub | ast.UAdd):
        value = value.operand
    return isinstance(value, ast.Constant)
