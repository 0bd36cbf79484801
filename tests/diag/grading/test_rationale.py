from __future__ import annotations

import pytest
from logs import LIVE, LogWriter, certify, change

from diag.agents.simulated.phrases import PHRASES
from diag.grading.rationale import blames_click, names_cause
from diag.studies.takeover.grade import grade_takeover

BLAMES = [
    "The move did not take effect, I will try another hole.",
    "My last click did not register, so I click again on the screw.",
    "The click didn't work. Let me retry with a more precise position.",
    "The previous tap seems to have missed the screw.",
    "Nothing happened after my click.",
    "Nothing changed, so I will pick a different screw.",
    "The selection had no visible effect.",
    "The placement was rejected; I should choose another target.",
    "There was no response to the last click on the bolt.",
    "I'll try a different hole for the top screw.",
    "My swipe has not moved anything.",
    "The screw doesn\N{RIGHT SINGLE QUOTATION MARK}t seem to move when clicked.",
    "I will click more precisely on its centre.",
    "Retry the same move, aiming at the center of the hole.",
]
BLAMES_NOT = [
    "I move the left screw to the free hole.",
    "All holes are full, so I restart the level.",
    "The board fell after my move, good.",
    "This releases the wooden plank.",
    "I restart to try a different order of moves.",
    "No legal relocation remains on this board.",
    "The level is complete.",
    "I will not move this screw yet.",
    "",
]
NAMES = [
    "All holes are full; no destination remains. I restart the level.",
    "There is no free hole left for any screw.",
    "Every hole is occupied.",
    "Both spare slots are now filled, so nothing can be relocated.",
    "There isn't any empty hole to put it in.",
    "No legal moves are possible.",
    "There is nowhere to put the screw.",
    "No available destination for the selected bolt.",
    "No moves remain.",
    "The spare holes are occupied, the board is stuck.",
]
NAMES_NOT = [
    "The board is stuck, I restart.",
    "This is a dead end.",
    "I move the screw into the free hole at the bottom.",
    "The hole is free, so I use it.",
    "I was told that the board is lost.",
    "One hole is still empty.",
    "The click did not register.",
    "",
]


@pytest.mark.parametrize(("reason", "coded"), [(r, True) for r in BLAMES] + [(r, False) for r in BLAMES_NOT])
def test_blames_click(reason, coded):
    assert blames_click(reason) is coded


@pytest.mark.parametrize(("reason", "coded"), [(r, True) for r in NAMES] + [(r, False) for r in NAMES_NOT])
def test_names_cause(reason, coded):
    assert names_cause(reason) is coded


@pytest.mark.parametrize(("intention", "phrase"), [(key, phrase) for key, group in PHRASES.items() for phrase in group])
def test_the_simulated_players_sentences_are_coded_as_they_are_meant(intention, phrase):
    assert blames_click(phrase) is (intention == "blame")
    assert names_cause(phrase) is (intention == "cause")


def codes(*events_before_end, **more):
    log = LogWriter().start()
    for event in events_before_end:
        event(log)
    return grade_takeover(log.end(), certify=certify, **more).codes


def test_the_cause_counts_only_before_the_recovery():
    def restart(log):
        log.act(9, change("restart", LIVE))

    before = codes(lambda log: log.say(5, "All holes are full."), restart)
    after = codes(lambda log: log.say(5, "Start over."), restart, lambda log: log.say(20, "All holes are full."))
    assert (before["names_cause"], after["names_cause"]) == (True, False)


def test_the_cause_is_looked_for_in_unaided_recoveries_alone():
    def restart(log):
        log.act(9, change("restart", LIVE))

    reason = lambda log: log.say(5, "All holes are full.")  # noqa: E731 - an event of the log
    assert "names_cause" not in codes(reason)  # no recovery
    assert "names_cause" not in codes(reason, restart, unaided=False)  # arm B has told it
    assert codes(reason, restart)["names_cause"] is True


def test_blaming_counts_at_any_time_but_not_after_the_deadline():
    late = codes(lambda log: log.say(5), lambda log: log.say(299, "The click did not register.", late=True))
    early = codes(lambda log: log.say(5), lambda log: log.say(299, "The click did not register."))
    assert (late["blames_click"], early["blames_click"]) == (False, True)
