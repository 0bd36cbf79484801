"""The takeover study: which arms a cohort has, which contrasts they allow, what its constructor refuses."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

from diag.arms import Text
from diag.config.study import ContrastConfig, DeclaredConfig
from diag.errors import ConfigError
from diag.studies.estimands import estimands_of, observed
from diag.studies.settings import Contrast
from diag.studies.study import Study
from diag.studies.takeover.kind import KIND

KEYS = KIND.config(
    name="s",
    objective="Play {game}, {difficulty}, level {number}.",
    contrasts=[ContrastConfig("B", "A"), ContrastConfig("C", "B")],
    endpoints=["timely_restart", "same_level_win", "progress", "recovery_s"],
)
ARMS = {"C": Text("c", {"D": "y"}), "A": Text("a", {"any": ""}), "B": Text("b", {"D": "x", "N": "z"})}
STUDY = Study.of(KIND, KEYS, ARMS)


def checkpoint(name: str, cohort: str) -> SimpleNamespace:
    return SimpleNamespace(
        checkpoint_id=name, cohort=cohort, digest="0" * 64, source_level=f"level-{name[-1]}",
        level=SimpleNamespace(game="bolt_unscrew"),
    )  # fmt: skip


LIBRARY = SimpleNamespace(
    name="l", checkpoints=tuple(checkpoint(*one) for one in (("n1", "N"), ("d1", "D"), ("d2", "D")))
)


def test_blocks_come_cohort_by_cohort_with_the_arms_that_exist():
    found = [(block.block_id, block.arms, block.cluster) for block in KIND.starts.blocks(STUDY, LIBRARY)]
    assert found == [
        ("d1", ("A", "B", "C"), "level-1"), ("d2", ("A", "B", "C"), "level-2"), ("n1", ("A", "B"), "level-1"),
    ]  # fmt: skip


def test_contrasts_need_both_arms():
    assert [str(one) for one in STUDY.contrasts_for("D")] == ["B-A", "C-B"]
    assert [str(one) for one in STUDY.contrasts_for("N")] == ["B-A"]


def test_an_arm_that_no_contrast_names_is_compared_with_the_control():
    more = replace(STUDY, arms={**STUDY.arms, "D": Text("d", {"N": "q"})})
    assert [str(one) for one in more.contrasts_for("N")] == ["B-A", "D-A"]
    assert [str(one) for one in more.contrasts_for("D")] == ["B-A", "C-B"]


def test_a_library_without_the_cohorts_is_refused():
    with pytest.raises(ConfigError, match="has no checkpoint of F"):
        KIND.starts.blocks(replace(STUDY, cohorts=("F",), arms={arm: Text(arm, {"any": ""}) for arm in ARMS}), LIBRARY)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"arms": {}}, "study.arms is empty"),
        ({"control": "Z"}, "arm 'Z'"),
        ({"cluster": "moon"}, "found 'moon'"),
        ({"repeats": 0}, "from 1"),
    ],
)
def test_what_types_cannot_catch_is_refused(changes, message):
    with pytest.raises(ConfigError, match=message):
        replace(STUDY, **changes)


def test_a_misspelt_endpoint_names_those_there_are():
    with pytest.raises(ConfigError, match=r"study.endpoints: found 'promt_start', wanted one of timely_restart"):
        replace(STUDY, endpoints=("promt_start",))


@pytest.mark.parametrize("name", ["recurrence_after_s", "recovery_left_s", "recurrence_left_s"])
def test_seconds_that_only_some_units_have_are_no_contrast(name):
    with pytest.raises(
        ConfigError, match=rf"study.endpoints: found '{name}', seconds that only .* wanted .*recovery_s"
    ):
        replace(STUDY, endpoints=(name,))


def primary(**changes):
    return [one.name for one in replace(STUDY, **changes).records if one.primary]


def test_one_endpoint_is_primary():
    assert primary() == ["timely_restart"]
    assert primary(endpoints=("progress", "verified_recovery")) == ["verified_recovery"]  # what its kind declares
    assert primary(endpoints=("recurrence", "recovery_s")) == ["recovery_s"]  # the first that every unit has
    assert primary(declared=(DeclaredConfig("progress", primary=True),)) == ["progress"]
    both, said = ("progress", "verified_recovery"), (DeclaredConfig("verified_recovery", family="f"),)
    assert primary(endpoints=both, declared=said) == ["verified_recovery"]


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ([DeclaredConfig("progress", primary=True), DeclaredConfig("recovery_s", primary=True)], "found 2 primary"),
        ([DeclaredConfig("verified_recovery")], "found 'verified_recovery', wanted one of study.endpoints"),
        ([DeclaredConfig("progress"), DeclaredConfig("progress")], "found 'progress' twice"),
        ([DeclaredConfig("progress", equivalence=0.1)], "which no contrast asks for"),
        ([DeclaredConfig("progress", smallest_effect=0.0)], "smallest_effect 0.0, wanted above 0"),
        ([DeclaredConfig("progress", smallest_effect=7.0)], "smallest_effect 7.0, wanted above 0 and below 1"),
    ],
)
def test_a_declaration_that_cannot_hold_is_refused(declared, message):
    with pytest.raises(ConfigError, match=message):
        replace(STUDY, declared=declared)


def test_a_conditional_endpoint_is_no_primary_one():
    with pytest.raises(ConfigError, match="primary endpoint 'recurrence', which only continuations with a verified"):
        replace(STUDY, endpoints=("recurrence", "progress"), declared=(DeclaredConfig("recurrence", primary=True),))


def test_families_hold_endpoints_and_records_are_in_the_plan():
    both = (DeclaredConfig("progress", family="f", equivalence=0.1), DeclaredConfig("timely_restart", family="f"))
    asking = replace(STUDY, declared=both, contrasts=(Contrast("B", "A"), Contrast("C", "B", equivalence=True)))
    found = {one.name: one for one in estimands_of(asking)}
    assert {one.family for one in found.values() if one.outcome in ("progress", "timely_restart")} == {"D f", "N f"}
    assert [name for name, one in found.items() if one.equivalence] == [
        "D timely_restart C-B", "D same_level_win C-B", "D progress C-B",
    ]  # fmt: skip
    held = asking.identity()
    assert held["endpoint_records"]["progress"]["equivalence"] == 0.1
    assert held["estimands"]["D progress C-B"]["family"] == "D f"
    assert held != STUDY.identity()


def test_an_arm_without_a_member_is_told_which():
    arm = SimpleNamespace(name="kind", privilege="none", apply=lambda context, cohort: context)
    with pytest.raises(
        ConfigError, match=r"study.arms.P: SimpleNamespace has no covers\(cohort\); an intervention has"
    ):
        replace(STUDY, arms={**STUDY.arms, "P": arm})
    with pytest.raises(ConfigError, match=r"study.arms.P: found 'kind_words', wanted an intervention, as in"):
        replace(STUDY, arms={**STUDY.arms, "P": "kind_words"})


def frame(**columns) -> pd.DataFrame:
    base = {"cohort": ["D", "D", "N"], "validity": ["valid"] * 3, "n_invalid_actions": [0] * 3}
    table = pd.DataFrame({**base, **columns})
    for name in ("timely_restart", "same_level_win"):
        if name in table:
            table[name] = table[name].astype("boolean")
    return table


def test_an_endpoint_gives_effects_where_it_exists():
    table = frame(
        timely_restart=[True, False, pd.NA], same_level_win=[True] * 3, progress=[0.5] * 3, recovery_s=[1.0] * 3
    )
    found = [(one.cohort, one.outcome, one.kind, one.treatment) for one in observed(estimands_of(STUDY), table)]
    assert ("N", "timely_restart", "binary", "B") not in found
    assert ("D", "timely_restart", "binary", "C") in found
    assert ("N", "progress", "proportion", "B") in found


def test_kinds_of_endpoints_are_declared_and_never_guessed():
    kinds = {one.outcome: one.kind for one in estimands_of(STUDY)}
    assert kinds == {
        "timely_restart": "binary", "same_level_win": "binary", "progress": "proportion", "recovery_s": "time",
    }  # fmt: skip
    assert {one.limit for one in estimands_of(STUDY) if one.outcome == "recovery_s"} == {STUDY.limits.takeover_s}
