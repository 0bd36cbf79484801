"""Numbers outside their range, and parts of a study that do not fit, are refused before anything is planned."""

from dataclasses import fields, is_dataclass

import pytest

from diag.config import Config, StudyConfig
from diag.config.bounds import BOUNDS, check_bounds
from diag.errors import ConfigError

WRONG = [
    ("study.limits.takeover_s=-5", "study.limits.takeover_s: found -5"),
    ("study.limits.takeover_s=nan", "study.limits.takeover_s: found nan, wanted a finite number"),
    ("study.limits.takeover_s=inf", "found inf"),
    ("study.limits.actions=-1", "study.limits.actions: found -1, wanted at least 1"),
    ("study.limits.actions=100000000000000000000000", "at most 1000000"),
    ("study.limits.invalid_decisions_in_a_row=0", "found 0, wanted at least 1"),
    ("study.limits.timely_s=nan", "a finite number"),
    ("study.analysis.draws=0", "study.analysis.draws: found 0, wanted at least 100"),
    ("study.analysis.level=1.5", "study.analysis.level: found 1.5"),
    ("study.analysis.seed=-1", "study.analysis.seed: found -1"),
    ("study.analysis.planned_control_rate=2", "at most 1"),
    ("study.repeats=999999999", "study.repeats: found 999999999"),
    ("execution.n_jobs=100000", "execution.n_jobs: found 100000"),
    ("suite.settle_wait_s=-3", "suite.settle_wait_s: found -3"),
    ("suite.port=99999", "suite.port: found 99999"),
    ("calibrate_repeats=0", "calibrate_repeats: found 0"),
    ("agent.latency_s=nan", "agent.latency_s: found nan, wanted a finite number"),
    ("study.cohorts=[]", "study.cohorts is empty"),
    ("study.cohorts=[D,D]", "study.cohorts: found 'D' twice"),
    ("study.cohorts=[D,X]", "has no checkpoint of X"),
    ("study.cohorts=[N]", "study.arms.C: dead_end_fact_and_restart covers none of N"),
    ("study.checkpoints=[D-hard2-02]", "study.cohorts: found 'N', which no block is of; wanted some of D"),
    ("study.checkpoints=[D-hard2-02,D-hard2-02]", "study.checkpoints: found 'D-hard2-02' twice"),
    ("+study.apart.tetris=T", "study.apart: found 'tetris', wanted one of maze_paint"),
    ("study.endpoints=[timely_restrat]", "study.endpoints: found 'timely_restrat', wanted one of timely_restart"),
    ("study.endpoints=[progress,progress]", "study.endpoints: found 'progress' twice"),
    ("study.contrasts=[{treatment: A, control: A}]", "found A-A, wanted two different arms"),
    ("study.contrasts=[{treatment: B, control: A},{treatment: B, control: A}]", "found 'B-A' twice"),
    ("study.arms.A=null", "study.arms.A: found None, wanted an intervention"),
    ("study.arms.A=text", "study.arms.A: found 'text', wanted an intervention"),
    ("study.name=..", "study.name: found '..'"),
    (f"study.name={'x' * 300}", "study.name: found '300 characters'"),
    ("study.objective=''", "study.objective is empty"),
    ("outputs=", "found an empty text, wanted a folder"),
    ("catalog.levels=", "found an empty text, wanted a folder"),
    ("clock=null", "no clock 'null'; wanted one of auto"),
    ("study.arms=3", "study.arms: found 3, wanted a mapping, as in {name: value}"),
    ("study.arms=[1]", "study.arms: found [1], wanted a mapping"),
    ("study.cohorts=D", "study.cohorts: found D, wanted a list, as in [first, second]"),
    ("study.cohorts={a: 1}", "study.cohorts: found {a: '1'}, wanted a list"),
    ("study.limits=3", "study.limits: found 3, wanted the keys takeover_s, actions, "),
    ("study.contrasts=[3]", "study.contrasts[0]: found 3, wanted the keys treatment, control"),
    ("suite=5", "no suite '5'; wanted one of browser"),
]


@pytest.mark.parametrize(("word", "says"), WRONG, ids=[word for word, _ in WRONG])
def test_a_value_that_means_nothing_is_one_line(diag, arguments, capsys, word, says):
    assert diag(*arguments, "mode=plan", word) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    assert says in lines[0]


def test_every_bound_is_a_key():
    keys = {*_keys(Config, ""), *_keys(StudyConfig, "study.")}
    assert set(BOUNDS) <= keys


def test_every_number_of_the_schemas_has_a_range():
    numbers = {**_keys(Config, ""), **_keys(StudyConfig, "study.")}
    assert {key for key, declared in numbers.items() if declared.split(" ")[0] in ("int", "float")} <= set(BOUNDS)


def test_the_ends_of_a_range_are_inside():
    low, high = BOUNDS["study.limits.actions"]
    check_bounds({"study": {"limits": {"actions": low}}})
    check_bounds({"study": {"limits": {"actions": high}}})
    check_bounds({"study": {"limits": {"actions": None}}, "suite": {"browser": True}})
    with pytest.raises(ConfigError, match=r"study\.limits\.actions"):
        check_bounds({"study": {"limits": {"actions": high + 1}}})


def test_the_null_agent_is_typed_bare(diag, arguments, capsys):
    assert diag(*[word for word in arguments if word != "agent=standin"], "agent=null", "mode=plan") == 0
    assert "null" in capsys.readouterr().out


def test_a_folder_that_is_called_as_a_shipped_library_does_not_hide_it(diag, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rq2").mkdir()
    assert diag("+experiment=rq2", "suite=rules", "agent=greedy", "mode=plan", "outputs=.") == 0
    assert (tmp_path / "rq2" / "greedy-rules" / "plan.json").is_file()


def _keys(node, prefix):
    found = {}
    for item in fields(node):
        inner = item.default_factory
        if isinstance(inner, type) and is_dataclass(inner):
            found |= _keys(inner, f"{prefix}{item.name}.")
        else:
            found[f"{prefix}{item.name}"] = str(item.type)
    return found


@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("+nonsense=1", "unknown key 'nonsense'; wanted one of mode, study, agent"),
        ("+estimands=[{name: x}]", "unknown key 'estimands'"),
        ("+catalog.nonsense=1", "unknown key 'catalog.nonsense'; wanted one of library, levels"),
        ("+study.limits.takeover=9", "unknown key 'study.limits.takeover'"),
        ("+study.analysis.seeed=1", "did you mean seed?"),
        ("+suite.execution.n_jobs=1", "unknown key 'suite.execution'"),
    ],
)
def test_a_key_that_nobody_reads_is_refused_in_one_line(diag, tmp_path, capsys, word, named):
    assert diag("+experiment=rq2", "mode=plan", "suite=rules", f"outputs={tmp_path}", word) != 0
    said = capsys.readouterr().err
    assert named in said
    assert len(said.strip().splitlines()) == 1
    assert not list(tmp_path.rglob("plan.json"))


@pytest.mark.parametrize(
    ("sentences", "code", "says"),
    [
        ("{Q: hi}", 2, "study.arms.X: mine covers none of D, N (it has sentences for Q); wanted at least one of them"),
        ("{D: hi, n: ho}", 2, "mine has a sentence for 'n', which is no cohort of the study, and none for N"),
        ("{d: hi, N: ho}", 2, "mine has a sentence for 'd', which is no cohort of the study, and none for D"),
        ("{D: hi, N: ho, Q: he}", 0, "arm X: its sentence for Q is told to nobody"),
        ("{D: hi, Q: he}", 0, "arm X: its sentence for Q is told to nobody"),
        ("{D: hi}", 0, "X"),
        ("{any: hi}", 0, "X"),
    ],
)
def test_an_arm_whose_sentences_nobody_would_read_is_refused(diag, arguments, tmp_path, capsys, sentences, code, says):
    (tmp_path / "own" / "intervention").mkdir(parents=True)
    text = f"_target_: diag.arms.Text\nname: mine\nsentences: {sentences}\n"
    (tmp_path / "own" / "intervention" / "mine.yaml").write_text(text)
    search = f"hydra.searchpath=[file://{tmp_path / 'own'}]"
    assert diag(*arguments, "mode=plan", search, "+intervention@study.arms.X=mine") == code
    told = capsys.readouterr()
    assert says in (told.err if code else told.out)


def test_a_contrast_whose_arms_share_no_cohort_is_refused(diag, arguments, tmp_path, capsys):
    (tmp_path / "own" / "intervention").mkdir(parents=True)
    text = "_target_: diag.arms.Text\nname: mine\nsentences: {N: hi}\n"
    (tmp_path / "own" / "intervention" / "mine.yaml").write_text(text)
    search = f"hydra.searchpath=[file://{tmp_path / 'own'}]"
    contrast = "study.contrasts=[{treatment: X, control: C}]"
    assert diag(*arguments, "mode=plan", search, "+intervention@study.arms.X=mine", contrast) == 2
    assert "study.contrasts: found X-C, whose arms share no cohort of D, N" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("+experiment=rq3", "study.limits.timely_s=9"), "study.limits.timely_s: found 9.0, and a study of kind retry"),
        (("+experiment=rq1", "study.limits.timely_actions=3"), "study.limits.timely_actions: found 3, and a study of"),
        (
            ("+experiment=rq4", "study.contrasts=[{treatment: K1P0, control: K0P0}]"),
            "study.contrasts: found [{'treatment': 'K1P0', 'control': 'K0P0', 'equivalence': False}], "
            "and a study of kind knowledge_workflow",
        ),
        (
            ("+experiment=rq1", "catalog.library=rq3"),
            "catalog.library: found 'rq3', and this study is made from no lib",
        ),
        (("+experiment=rq2", "execution.address=tcp://x:1"), "execution.address: found 'tcp://x:1', which loky does"),
    ],
)
def test_a_key_that_this_study_does_not_read_is_refused(diag, tmp_path, capsys, words, says):
    assert diag(*words, "mode=plan", "suite=rules", f"outputs={tmp_path}") == 2
    assert says in capsys.readouterr().err
