"""Prices, the ledger, hard limits and the shared gate."""

import json
import multiprocessing
from pathlib import Path

import pytest
from fake_server import Behaviour, serving, swiper
from hypothesis import given
from hypothesis import strategies as st
from shown import UNHURRIED, seen

from diag.agents.models import Price, SpendingLimits
from diag.agents.models.calling import Patience
from diag.agents.models.clients import CallFailed
from diag.agents.models.gate import SharedGate
from diag.agents.models.ledger import Ledger, LimitReached, Spent
from diag.agents.models.pricing import load_price
from diag.agents.models.reply import Tokens
from diag.errors import ConfigError, DiagError

counts = st.none() | st.integers(0, 10**7)


@pytest.mark.parametrize(
    ("tokens", "cost"),
    [
        (Tokens(1_000_000, 1_000_000), 12.0),
        (Tokens(1_000_000, 0, 400_000), 0.6 * 2.0 + 0.4 * 0.5),
        (Tokens(10, 0, 400), 10 * 0.5 / 1e6),  # an endpoint that counts cached tokens beside its input
        (Tokens(None, 5), None),
        (Tokens(5, None), None),
        (Tokens(0, 0), 0.0),
    ],
)
def test_cost_of_a_call(tokens, cost):
    found = Price(2.0, 10.0, 0.5).cost(tokens)
    assert found == (None if cost is None else pytest.approx(cost))


def test_an_unknown_price_is_null_and_never_zero(tmp_path):
    table = tmp_path / "prices.yaml"
    table.write_text("currency: EUR\nmodels:\n  known: {input: 1, output: 4}\n  free: {input: 0, output: 0}\n")
    assert load_price(table, "known") == Price(1, 4, currency="EUR")
    assert load_price(table, "free").cost(Tokens(5, 5)) == 0.0
    assert load_price(table, "other") is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "wanted `models:"),
        ("models: 7", "wanted `models:"),
        ("[1]", "wanted `models:"),
        ("{", "price table"),
        ("model: {m: {input: 1, output: 2}}", "wanted `models:"),
        ("models: {m: {input: 1, output: 2}}\nper: token", "beside models it holds currency"),
        ("models: {m: {input: 1, output: 2}}\ncurrency: 7", "beside models it holds currency"),
        ("models: {m: {input: 1}}", r"models\.m: wanted input and output"),
        ("models: {m: 3}", r"models\.m: wanted input and output"),
        ("models: {m: {input: 1, output: 2, image: 3}}", r"models\.m: wanted input and output"),
        ("models: {m: {input: -1, output: 1}}", r"models\.m: prices are finite numbers from 0"),
        ("models: {m: {input: .nan, output: 1}}", r"models\.m: prices are finite numbers from 0"),
        ("models: {m: {input: '2', output: 1}}", r"models\.m\.input: wanted a number per million tokens, got '2'"),
        ("models: {m: {input: null, output: 1}}", r"models\.m\.input: wanted a number"),
        ("models: {other: {input: true, output: 1}}", r"models\.other\.input: wanted a number"),
    ],
)
def test_a_damaged_price_table_is_refused(tmp_path, text, words):
    (tmp_path / "prices.yaml").write_text(text)
    with pytest.raises(ConfigError, match=words):
        load_price(tmp_path / "prices.yaml", "m")
    with pytest.raises(ConfigError, match="price table"):
        load_price(tmp_path / "missing.yaml", "m")


@UNHURRIED
@given(st.lists(st.tuples(counts, counts, st.none() | st.floats(0, 10)), max_size=6))
def test_sums_are_null_from_the_first_unknown_cost_on(calls):
    spent = Spent()
    for given_in, given_out, cost in calls:
        spent = spent.plus(Tokens(given_in, given_out), 2, cost)
    costs = [cost for *_, cost in calls]
    assert spent.cost == (None if None in costs else pytest.approx(sum(costs)))
    assert (spent.calls, spent.images) == (len(calls), 2 * len(calls))
    assert spent.input_tokens == sum(one or 0 for one, _, _ in calls)


def _spend(folder: str, n: int) -> None:
    for _ in range(n):
        Ledger(Path(folder)).add(Tokens(10, 1), 1, 0.5)


def test_many_processes_lose_no_call(tmp_path):
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_spend, args=(str(tmp_path), 20)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert Ledger(tmp_path).spent() == Spent(60, 600, 60, 60, 0, 30.0)


def test_a_damaged_ledger_is_refused_not_restarted(tmp_path):
    Ledger(tmp_path).add(Tokens(1, 1), 0, None)
    (tmp_path / "spent.json").write_text("{")
    with pytest.raises(DiagError, match="damaged"):
        Ledger(tmp_path).spent()


@pytest.mark.parametrize(
    ("limits", "spent", "message"),
    [
        (SpendingLimits(cost=1.0), Spent(cost=1.0), "cost=1 is used up"),
        (SpendingLimits(tokens=20), Spent(input_tokens=15, output_tokens=5), "tokens=20 is used up"),
        (SpendingLimits(calls=3), Spent(calls=3), "calls=3 is used up"),
        (SpendingLimits(cost=1.0), Spent(cost=None), "cannot be watched"),
        (SpendingLimits(tokens=20), Spent(calls_without_tokens=1), "cannot be watched"),
    ],
)
def test_a_limit_stops(limits, spent, message):
    with pytest.raises(LimitReached, match=message):
        limits.require(spent)


@pytest.mark.parametrize("limits", [SpendingLimits(), SpendingLimits(cost=1.01, tokens=21, calls=4)])
def test_below_its_limits_a_study_goes_on(limits):
    limits.require(Spent(3, 15, 5, 0, 0, 1.0))


def test_a_limit_of_cost_needs_a_price(factory, tmp_path):
    with pytest.raises(ConfigError, match="needs a price"):
        factory("http://127.0.0.1:9/v1", limits=SpendingLimits(cost=1.0), state=str(tmp_path))


def test_a_study_stops_at_its_limit_and_a_higher_one_goes_on(library_folder, tmp_path, diag, monkeypatch, capsys):
    words = [
        "+experiment=rq2", "agent=local", "agent.model=fake-1", "agent.simulated=true", "clock=virtual",
        f"catalog.library={library_folder}", "suite=rules", f"outputs={tmp_path}", "execution.n_jobs=1",
        "execution.progress=false", "tracking=none", "study.max_units=3", "study.limits.takeover_s=8", "mode=run",
    ]  # fmt: skip
    with serving(swiper) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert diag(*words, "agent.limits.calls=6") == 6
        assert len(server.requests) == 6, "not one call beyond the limit"
        error = capsys.readouterr().err.splitlines()[-1]
        assert "agent.limits.calls=6 is used up" in error
        finished = sorted(tmp_path.glob("rq2/*/units/*/attempt-1"))
        assert 1 <= len(finished) < 3
        before = [(path / "events.jsonl").read_bytes() for path in finished]
        assert diag(*words, "agent.limits.calls=6") == 6, "the limit is the study's, not the run's"
        assert diag(*words, "agent.limits.calls=100") == 0
    assert [(path / "events.jsonl").read_bytes() for path in finished] == before
    (root,) = tmp_path.glob("rq2/*/")
    capsys.readouterr()
    assert diag("agent-check", f"usage={root}") == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    heading, total = rows[0], dict(zip(rows[0], rows[-1], strict=True))
    assert [row[0] for row in rows[1:]][-1] == "all"
    assert len(rows) == 1 + 3 + 1
    assert int(total["calls"]) == sum(int(row[heading.index("calls")]) for row in rows[1:-1]) > 6
    assert int(total["input_tokens"]) > 1000
    assert total["cost"] == "", "an unknown price is empty, not 0"
    statuses = [json.loads(path.read_text()) for path in tmp_path.glob("rq2/*/units/*/attempt-?/status.json")]
    assert [one["validity"] for one in statuses] == ["valid"] * 3
    assert {one["attempt"] for one in statuses} == {1}, "a stopped unit is not charged with an attempt"


class Clock:
    """A time of day that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.at = 1_000.0

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += seconds


def gate(folder: Path, clock: Clock, places: int = 8) -> SharedGate:
    return SharedGate(folder, places, clock.now, clock.sleep)


def test_a_rate_limit_halves_the_places_once_and_pauses_everyone(tmp_path):
    clock = Clock()
    one, other = gate(tmp_path, clock), gate(tmp_path, clock)
    for each in (one, other):
        assert each.enter(1)
    for each in (one, other):
        each.leave(CallFailed("rate_limit", "429", retry_after_s=5.0))
    assert other.state() == (4.0, 1_005.0)
    assert not other.enter(2.0)
    assert other.enter(10.0)
    assert clock.at >= 1_005.0


def test_answers_widen_the_gate_again_up_to_its_width(tmp_path):
    clock = Clock()
    one = gate(tmp_path, clock, places=4)
    assert one.enter(1)
    one.leave(CallFailed("rate_limit", "429", retry_after_s=0.0))
    assert one.state()[0] == 2.0
    widths = []
    for _ in range(12):
        assert one.enter(1)
        one.leave(None)
        widths.append(one.state()[0])
    assert widths == sorted(widths)
    assert widths[-1] == 4.0


def test_there_are_never_more_inside_than_places(tmp_path):
    clock = Clock()
    gates = [gate(tmp_path, clock, places=2) for _ in range(3)]
    assert gates[0].enter(1)
    assert gates[1].enter(1)
    assert not gates[2].enter(1)
    gates[0].leave(None)
    assert gates[2].enter(1)


def _dies_inside(folder: str) -> None:
    assert SharedGate(Path(folder), 1).enter(1)
    import os

    os._exit(9)


def test_a_worker_that_dies_gives_its_place_back(tmp_path):
    worker = multiprocessing.get_context("fork").Process(target=_dies_inside, args=(str(tmp_path),))
    worker.start()
    worker.join(30)
    assert worker.exitcode == 9
    assert SharedGate(tmp_path, 1).enter(5)


def test_a_storm_narrows_the_gate_that_all_agents_of_an_endpoint_share(factory, tmp_path):
    storm = [Behaviour("status", status=429, retry_after="0.05")] * 2
    with serving(swiper, *storm, Behaviour()) as server:
        made = factory(server.url, state=str(tmp_path), places=8, patience=Patience(first_wait_s=0.02))
        decision = made.build(1).decide(seen())
        (folder,) = tmp_path.glob("endpoint-*")
        places, _ = SharedGate(folder, 8).state()
    assert [one["trouble"] for one in decision.usage["tries"]] == ["rate_limit", "rate_limit", None]
    assert places < 8
    assert Ledger(tmp_path).spent().calls == 1
