"""NGAR over classified steps."""

import pytest

from diag.grading.ngar import is_native, native_share


@pytest.mark.parametrize(
    ("does", "native"),
    [(["screenshot"], True), (["gui_batch"], True), (["gui_input", "screenshot"], True), (["wait"], False),
     (["gui_input", "wait"], True), (["screenshot", "wait"], True),
     (["terminal_answer"], False), (["gui_input", "computation"], False), (["dom_access"], False)],
)  # fmt: skip
def test_classification_of_a_step(does, native):
    assert is_native(does) is native


def test_pooled_share_counts_a_call_once():
    usages = [
        {"steps": [{"does": ["gui_input"]}, {"does": ["gui_input", "computation"]}]},
        {},
        {"steps": [{"does": ["screenshot"]}]},
    ]
    share = native_share(usages)
    assert (share.n_native, share.n_other) == (2, 1)
    assert share.ngar == pytest.approx(200 / 3)


def test_without_steps_there_is_no_ngar():
    assert native_share([{}, {"tokens": 5}]) is None


@pytest.mark.parametrize("does", [[], ["thinking"]])
def test_an_unknown_step_is_refused(does):
    with pytest.raises(ValueError, match="a step does one of"):
        is_native(does)


def test_steps_that_are_classified_already_are_taken_as_they_are():
    share = native_share([{"steps": ["native", "non_native", "native"]}, {"steps": [{"does": ["wait"]}]}])
    assert (share.n_native, share.n_other, share.ngar) == (2, 2, 50.0)
    with pytest.raises(ValueError, match="a classified step is one of"):
        native_share([{"steps": ["half"]}])


def takeover(*usages: dict) -> dict:
    """Endpoints of a takeover whose decisions list these usages."""
    from logs import LogWriter, certify

    from diag.studies.takeover.grade import grade_takeover

    log = LogWriter().start()
    for place, usage in enumerate(usages, start=1):
        log.add(
            "decision", float(place), actions=[], reason="", latency_s=1.0, stop=False, usage=usage, late=False
        ).act(float(place))  # fmt: skip
    return grade_takeover(log.end(10.0), certify=certify).endpoints


def test_a_takeover_of_a_code_execution_agent_has_its_ngar():
    found = takeover({"steps": ["non_native", "native"]}, {"steps": ["native", {"does": ["gui_input", "computation"]}]})
    assert {name: found[name] for name in ("ngar", "native_steps", "other_steps")} == {
        "ngar": 50.0, "native_steps": 2, "other_steps": 2,
    }  # fmt: skip


def test_other_agents_have_no_such_column():
    assert not {"ngar", "native_steps", "other_steps"} & set(takeover({}, {"input_tokens": 7}))


def test_a_step_of_no_class_is_a_malformed_log():
    from diag.grading.walk import MalformedLog

    for wrong in ("magic", 7, {"does": ["magic"]}):
        with pytest.raises(MalformedLog, match=r"usage\.steps"):
            takeover({"steps": [wrong]})
