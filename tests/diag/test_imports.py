"""An import inside a function has a reason: it loads a heavy library on purpose, and never hides a circle."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import diag

ROOT = Path(diag.__file__).parents[1]
OURS = ("games", "solvers", "checkpoints", "diag")
HEAVY = {"pandas", "scipy", "matplotlib", "mlflow", "playwright", "openai", "anthropic"}
EXCUSED = {
    "diag/__init__.py": "every part of the package passes here, and few of them read whole studies",
    "diag/app/command_line.py": "runs before all else, names what stands in the way of an import",
    "diag/app/dispatch.py": "finds the command that a word means, without the kinds of study where the core knows it",
    "diag/studies/playtest/builds/serve_build.py": "a build's own process, where `games` is the build's",
}
INDENTED = re.compile(r"^ +(from|import) ", re.MULTILINE)


@cache
def _imports(path: Path) -> tuple[tuple[str, bool], ...]:
    """Return each absolute module that a file imports and whether it does so inside a function."""
    return tuple(_walk(ast.parse(path.read_text("utf-8")), inside=False))


def _walk(node: ast.AST, *, inside: bool) -> Iterator[tuple[str, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((name.name, inside) for name in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module and not child.level:
            yield child.module, inside
            yield from ((f"{child.module}.{name.name}", inside) for name in child.names)
        elif not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield from _walk(child, inside=inside or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _file(module: str) -> Path | None:
    place = ROOT.joinpath(*module.split("."))
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def _loaded(module: str) -> set[str]:
    """Return every module that importing this one imports as well."""
    seen: set[str] = set()
    todo = [module]
    while todo:
        found = todo.pop()
        if found in seen:
            continue
        seen.add(found)
        if found.split(".")[0] in OURS and (path := _file(found)):
            todo += [name for name, inside in _imports(path) if not inside]
            todo += [found.rpartition(".")[0]] if "." in found else []
    return seen


def test_an_import_inside_a_function_loads_a_heavy_library():
    paths = [path for part in OURS for path in (ROOT / part).rglob("*.py") if INDENTED.search(path.read_text("utf-8"))]
    light = [
        f"{where}: {module}"
        for path in paths
        if (where := path.relative_to(ROOT).as_posix()) not in EXCUSED
        for module, inside in _imports(path)
        if inside and module.split(".")[0] in OURS and _file(module)
        if not HEAVY & {name.split(".")[0] for name in _loaded(module)}
    ]
    assert not light
    assert sum(inside for path in paths for _, inside in _imports(path)) > 20  # the walk sees them
