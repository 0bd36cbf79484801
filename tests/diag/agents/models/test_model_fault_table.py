"""docs/reference/model-faults.md against reality: a whole RQ2 unit under every fault, its ending, its repair."""

import json
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fake_server import Behaviour, serving, swiper

TABLE = Path(__file__).parents[4] / "docs" / "reference" / "model-faults.md"
NOWHERE = "http://127.0.0.1:9/v1"
BOUND_S = 90.0
"""Of a run of one unit, on a machine that does much else."""
QUOTA = '{"error": {"code": "insufficient_quota", "message": "insufficient_quota"}}'
BLIND = '{"error": {"message": "image input is not supported - hint: you may need to provide the mmproj"}}'
ERROR_ENDING = json.dumps({"choices": [{"message": {"role": "assistant", "content": ""}, "finish_reason": "error"}]})
LIMIT_INSIDE = json.dumps({"choices": None, "error": {"code": 429, "message": "slow down"}})
_ACT = {"name": "act", "arguments": json.dumps(json.dumps({"actions": [{"name": "wait", "seconds": 60}]}))}
_CALLING = {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "type": "function", "function": _ACT}]}
TWICE = json.dumps({"choices": [{"message": _CALLING, "finish_reason": "tool_calls"}]})


def status(code: int, **fields) -> Behaviour:
    return Behaviour("status", status=code, **fields)


def saying(**said):
    """A model that always answers the same."""
    return lambda request: {"text": "Hm.", **said}


def acting(**action):
    return saying(actions=[action])


OUTSIDE = acting(name="click", x=1280, y=1)


@dataclass(frozen=True)
class Case:
    """One way to meet a row's fault, and what becomes of the unit."""

    script: tuple[Behaviour, ...] = (Behaviour(),)
    code: int = 0
    """Exit code of the study."""
    failure: str | None = None
    ending: str | None = None
    """Of the valid attempt, if the row names one."""
    words: tuple[str, ...] = ()
    brain: object = swiper
    url: str | None = None
    says: str = ""
    """In the last line of the error output."""
    repair: tuple[str, ...] = ()
    """Further words of the resume that repairs it."""


def lasting(*behaviours: Behaviour, failure: str) -> tuple[Case, ...]:
    """Each fault for a moment, which passes, and for ever, which does not."""
    moments = tuple(Case((one, Behaviour())) for one in behaviours)
    return (*moments, *(Case((one,), 5, failure) for one in behaviours))


def refused(*behaviours: Behaviour, says: str) -> tuple[Case, ...]:
    return tuple(Case((one,), 2, says=says) for one in behaviours)


QUICK_CLOCK = ("clock.kind=wall", "suite.settle_wait_s=0.05", "study.limits.actions=2")
LIMITED = ("agent.limits.calls=1",)
INVALID = ("study.limits.invalid_decisions_in_a_row=3",)
CASES: dict[str, tuple[Case, ...]] = {
    "429 with or without Retry-After": (
        Case((status(429, retry_after="0.05"), status(429), Behaviour())),
        Case((status(429, retry_after="0.1"),), 5, "api", words=("agent.patience.wait_limit_s=0.5",)),
    ),
    "429 `insufficient_quota`": (Case((status(429, body=QUOTA),), 5, "api"),),
    "500, 502, 503, 529, 408, 409": lasting(*map(status, (500, 502, 503, 529, 408, 409)), failure="api"),
    "connection refused, reset, body shorter than promised": (
        Case(url=NOWHERE, code=5, failure="api"),
        *lasting(Behaviour("reset"), Behaviour("short_body"), failure="api"),
    ),
    "hanging socket, one byte at a time": tuple(
        Case((one,), 5, "api", words=("agent.patience.request_timeout_s=0.5",))
        for one in (Behaviour("hang"), Behaviour("drip", seconds=0.05))
    ),
    "slow but complete answer": (
        Case((Behaviour("slow", seconds=0.3),), words=QUICK_CLOCK),
        Case((Behaviour("slow", seconds=2.5),), ending="time_limit", words=(*QUICK_CLOCK, "study.limits.takeover_s=2")),
    ),
    "slow only because of failed tries (clock that counts them)": (
        Case(
            (status(500, seconds=1.5), Behaviour("slow", seconds=1.5)), 5, "api",
            words=(*QUICK_CLOCK, "study.limits.takeover_s=2.5"), repair=("study.limits.takeover_s=2.5",),
        ),
    ),
    "JSON cut off, no JSON, not the documented shape": lasting(
        Behaviour("cut_json"), Behaviour("body", body="oops"), Behaviour("empty"), failure="response"
    ),
    "an ending that does not mean a whole answer: `length`, `content_filter`, `error`, `incomplete`, any other": (
        *lasting(Behaviour("length"), failure="response"),
        Case((Behaviour("body", body=ERROR_ENDING),), 5, "response"),
    ),
    "an error inside an answer of status 200 (routers)": (
        Case((Behaviour("body", body=LIMIT_INSIDE), Behaviour())),
        Case((Behaviour("body", body=LIMIT_INSIDE),), 5, "api", words=("agent.patience.wait_limit_s=0.5",)),
    ),
    "call of a tool that was not offered": (Case((Behaviour("other_tool"),), 5, "response"),),
    "400, 413, 422": tuple(Case((status(code),), 5, "api") for code in (400, 413, 422)),
    "401, 403, 404": refused(*map(status, (401, 403, 404)), says="error: the endpoint refuses: status 40"),
    "the model takes no pictures (llama.cpp 500, vLLM and OpenAI 400)": refused(
        status(500, body=BLIND), says="error: the endpoint takes no pictures"
    ),
    "no key, no package": (Case(code=2, words=("agent=openai",), says="OPENAI_API_KEY"),),
    "cost, token or call limit": (
        Case(code=6, words=LIMITED, says="error: agent.limits.calls=1 is used up", repair=("agent.limits.calls=999",)),
    ),
    "answer without an action, arguments that are no JSON, unknown action, wrong arguments, number outside the space": (
        *(
            Case(brain=brain, ending="invalid_action_limit", words=INVALID)
            for brain in (saying(), acting(name="teleport"), acting(name="click", x="12", y=1), OUTSIDE)
        ),
        Case((Behaviour("bad_arguments"),), ending="invalid_action_limit", words=INVALID),
    ),
    "arguments encoded twice (a fault of some servers)": (Case((Behaviour("body", body=TWICE),)),),
    "recording missing, damaged or of other requests": (
        Case(code=3, words=("agent.replay=RECORDING",), says="recording", repair=("agent.replay=null",)),
    ),
    "screenshot of another size than the contract says": (),  # on rules there is none: test_model_conversation.py
}  # fmt: skip


def test_every_row_of_the_table_is_met():
    rows = re.findall(r"^\| (.+?) \|", TABLE.read_text(encoding="utf-8"), flags=re.M)
    assert rows[0] == "fault"
    assert rows[1:] == list(CASES)


@dataclass
class Study:
    """One RQ2 unit below a folder."""

    diag: object
    base: tuple[str, ...]
    monkeypatch: object
    capsys: object
    root: Path
    took_s: float = field(default=0.0)

    def run(self, url: str, *words: str) -> tuple[int, str]:
        """Return the exit code and the last line of the errors."""
        self.monkeypatch.setenv("OPENAI_BASE_URL", url)
        self.capsys.readouterr()
        began = time.monotonic()
        code = self.diag(*self.base, *words, "mode=run")
        self.took_s = time.monotonic() - began
        return code, (self.capsys.readouterr().err.splitlines() or [""])[-1]

    def outcomes(self) -> list[dict]:
        """Of the attempts that came to one; what a stop set aside is none."""
        return [json.loads(path.read_text()) for path in sorted(self.root.rglob("attempt-?/outcome.json"))]


@pytest.fixture
def study(library_folder, tmp_path, diag, monkeypatch, capsys):
    def of(case: Case) -> Study:
        agent = [word for word in case.words if word.startswith("agent=")] or ["agent=local"]
        base = (
            "+experiment=rq2", *agent, "agent.model=fake-1", "agent.simulated=true", "clock.kind=virtual",
            f"catalog.library={library_folder}", "suite=rules", f"outputs={tmp_path}", "execution.n_jobs=1",
            "execution.progress=false", "tracking=none", "study.max_units=1", "study.limits.takeover_s=9",
            "agent.patience.tries=2", "agent.patience.request_timeout_s=20", "+agent.patience.first_wait_s=0.02",
            "+agent.patience.longest_wait_s=0.05",
        )  # fmt: skip
        return Study(diag, base, monkeypatch, capsys, tmp_path)

    return of


NAMED = [pytest.param(case, id=f"{row[:32]}-{n}") for row, cases in CASES.items() for n, case in enumerate(cases)]


@pytest.mark.slow
@pytest.mark.parametrize("case", NAMED)
def test_rq2_under_a_fault_ends_as_the_table_says_and_resume_repairs_it(study, tmp_path, monkeypatch, case):
    one = study(case)
    words = [word.replace("RECORDING", str(tmp_path / "nothing")) for word in case.words if "agent=" not in word[:6]]
    if "agent=openai" in case.words:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        words.append("agent.client.base_url=null")
    with serving(case.brain, *case.script) as server:
        code, last = one.run(case.url or server.url, *words)
    assert code == case.code, last
    assert one.took_s < BOUND_S
    assert case.says in last
    failed = [outcome["failure_kind"] for outcome in one.outcomes() if outcome["validity"] != "valid"]
    assert set(failed) == ({case.failure} if case.failure else set())
    if case.ending is not None:
        assert [outcome["ending"] for outcome in one.outcomes()] == [case.ending]
    if "agent=openai" in case.words:
        return  # there is no endpoint that could repair it
    with serving(swiper) as server:
        code, last = one.run(server.url, *words, *case.repair)
    assert code == 0, last
    assert [outcome["validity"] for outcome in one.outcomes()][-1] == "valid"
