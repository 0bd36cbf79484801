"""The printed plan says what each arm changes, block by block as `blocks/*.json` holds it."""

from dataclasses import asdict, dataclass, replace

from diag.app.differences import NOTE, arm_line, difference_lines
from diag.arms import Text, arm_difference
from diag.session.contract import PublicContext, Turn

BASE = PublicContext("Play.", tuple(Turn(({"kind": "tap", "x": n},), "ok", "", None) for n in range(5)))


@dataclass(frozen=True)
class Shorter:
    """Keeps the last `kept` turns, each with other feedback if `feedback` is given."""

    kept: int
    feedback: str = "ok"
    name: str = "shorter"
    privilege: str = "public_history"

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        turns = tuple(replace(turn, feedback=self.feedback) for turn in context.prefix[-self.kept :])
        return replace(context, prefix=turns)


def line(arm) -> str:
    return arm_line(arm_difference(arm, BASE, "D")["difference"], asdict(BASE))


def test_an_arm_is_one_line_of_what_it_changes():
    assert line(Text("a", {"any": ""})) == "nothing"
    assert line(Text("b", {"D": "You are\n\nstuck."})) == "instruction + You are + stuck."
    assert line(Shorter(2)) == "prefix 5 turns, now 2"
    assert line(Shorter(5, "no")) == "prefix changed within its 5 turns"
    long = line(Text("c", {"D": "word " * 100}))
    assert "\n" not in long
    assert long.endswith(f"... ({len('+ ' + ('word ' * 100).strip())} characters)")


def test_the_first_block_of_each_cohort_is_shown():
    arms = {"A": Text("a", {"any": ""}), "B": Text("b", {"D": "Stuck.", "N": "Not stuck."})}

    def record(cohort):
        by_arm = {arm: arm_difference(one, BASE, cohort) for arm, one in arms.items()}
        return {"cohort": cohort, "base_context": asdict(BASE), "by_arm": by_arm}

    lines = difference_lines(("N", "D", "F"), {"d1": record("D"), "d2": record("D"), "n1": record("N")})
    assert lines == (
        "What the arms change in the context of N block n1 (1 of 1):",
        "  A: nothing",
        "  B: instruction + Not stuck.",
        "What the arms change in the context of D block d1 (1 of 2):",
        "  A: nothing",
        "  B: instruction + Stuck.",
        NOTE,
    )
