"""Nothing that comes from a level pack, a checkpoint or a recording can be executed: no code reads it that could."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("games", "solvers", "checkpoints", "diag")
MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "jsonpickle"}
CALLS = {
    "eval", "exec", "compile", "__import__", "os.system", "os.popen", "yaml.load", "yaml.unsafe_load", "yaml.full_load",
    "joblib.load", "pd.read_pickle", "pandas.read_pickle", "torch.load", "runpy.run_path",
}  # fmt: skip
ALLOWED_CALLS = {
    ("diag/agents/code_execution/worker.py", "compile"): "the agent's code, inside its jail",
    ("diag/agents/code_execution/worker.py", "exec"): "the agent's code, inside its jail, which is its purpose",
    ("diag/agents/code_execution/kept.py", "compile"): "the agent's own definitions, inside its jail",
    ("diag/agents/code_execution/kept.py", "exec"): "the agent's own definitions, inside its jail",
    ("diag/studies/world_model/inside/run.py", "compile"): "the agent's model, inside its jail",
    ("diag/studies/world_model/inside/run.py", "exec"): "the agent's model, inside its jail",
    ("games/grid/local.py", "compile"): "games of a folder that the user names, with the user's rights",
    ("games/grid/local.py", "exec"): "games of a folder that the user names, with the user's rights",
}
DYNAMIC = {
    # where a name becomes code, and where the name comes from
    "games/registry.py": "folders of the program",
    "games/levels_real.py": "folders of the program",
    "solvers/registry.py": "folders of the program",
    "checkpoints/__main__.py": "a constant",
    "diag/agents/models/clients/anthropic_messages.py": "a constant",
    "diag/studies/retry/harvest.py": "the user's own configuration",
    "diag/app/types.py": "the user's own configuration",
    "diag/app/setup.py": "the user's own configuration",
    "diag/studies/model_agent.py": "the user's own configuration",
    "diag/studies/build.py": "the user's own configuration",
    "diag/studies/registry.py": "the program's own rooms, installed entry points, the user's own configuration",
    "games/web/adapter.py": "the user's own configuration",
    "games/grid/ports.py": "the program's own games",
    "diag/app/dispatch.py": "the program's own table",
    "diag/commands/reference.py": "the same table, whose sentences it prints",
    "diag/running/cluster.py": "a constant",
    "diag/studies/world_model/simulators/model.py": "the program's own games, inside the jail",
}
"""Files that import or instantiate by name. A new one needs a reason here, and its name must not come from data."""


BETWEEN_OWN_PROCESSES = {
    ("diag/running/seats.py", "pickle"),
    ("diag/agents/code_execution/kept.py", "pickle"),
    ("diag/studies/world_model/inside/search.py", "pickle"),
}
"""What a parent sends to the processes that it started, over their pipe; and what the agent's code leaves to its next
run, read inside the jail alone. The program itself reads no such file and no such network."""


def sources() -> dict[str, ast.Module]:
    found = {
        str(path.relative_to(ROOT)): ast.parse(path.read_text())
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
    }
    assert len(found) > 200
    return found


def calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def test_no_module_reads_a_format_that_can_carry_code():
    found = {
        (path, name)
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
        if name.split(".")[0] in MODULES
    }
    assert found == BETWEEN_OWN_PROCESSES


def test_no_text_becomes_code_outside_the_jail():
    found = {(path, name) for path, tree in sources().items() for name, _ in calls(tree) if name in CALLS}
    assert found == set(ALLOWED_CALLS)


def test_no_shell_is_started_and_no_array_may_hold_objects():
    found = [
        path
        for path, tree in sources().items()
        for _, call in calls(tree)
        for word in call.keywords
        if word.arg in ("shell", "allow_pickle")
        and not (isinstance(word.value, ast.Constant) and word.value.value is False)
    ]
    assert found == []


def test_names_become_code_only_where_they_come_from_the_program_or_the_user_s_configuration():
    by_name = re.compile(r"(?:importlib\.)?import_module|instantiate|hydra\.utils\.(?:get_class|get_method|get_object)")
    found = {path for path, tree in sources().items() for name, _ in calls(tree) if by_name.fullmatch(name)}
    assert found == set(DYNAMIC)


def test_no_script_of_the_page_makes_code_or_markup_from_what_it_is_sent():
    scripts = {path: path.read_text() for path in (ROOT / "games").rglob("*.js")}
    assert len(scripts) > 6
    forbidden = re.compile(
        r"\beval\s*\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\bimport\s*\(\s*[^\"'`]"
    )
    assert {str(path): found.group() for path, text in scripts.items() if (found := forbidden.search(text))} == {}


def test_no_template_switches_escaping_off():
    templates = {path: path.read_text() for path in (ROOT / "diag").rglob("*.j2")}
    assert templates
    found = {str(path) for path, text in templates.items() if re.search(r"\|\s*safe\b|autoescape\s+false", text)}
    assert found == set()
