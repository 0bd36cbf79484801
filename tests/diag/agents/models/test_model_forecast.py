"""mode=plan says what a model study will take: ceilings, then what agent-check or finished units measured."""

import math

import pytest
from fake_server import serving, swiper
from shown import QUICK

from diag.agents.models import Area, CoordinateContract, FitWithin, ModelFactory, OpenAIChat, Patches, Tiles, ToolCall
from diag.agents.models.accounting import usage_of_attempt
from diag.agents.models.forecasting import CallRate, Window, check_path, keep_check, read_check
from diag.session.history import HistoryPolicy


@pytest.mark.parametrize(
    ("formula", "size", "tokens"),
    [
        (Tiles(), (1280, 900), 85 + 6 * 170),  # 1092 x 768
        (Tiles(), (1024, 1024), 765),  # the provider's own example
        (Tiles(), (2048, 4096), 1105),  # the provider's own example
        (Tiles(), (512, 512), 255),
        (Patches(32, limit=1536), (1024, 1024), 1024),  # the provider's own example
        (Patches(32, limit=1536), (1800, 2400), 1536),
        (Patches(32, 1.62, 1536), (1280, 900), math.ceil(40 * 29 * 1.62)),
        (Patches(28), (1288, 896), 46 * 32),
        (Area(), (1000, 1000), 1334),
        (Area(), CoordinateContract(seen=FitWithin(1568, 1_192_464)).size_seen, 1536),
    ],
)
def test_formulas_of_providers(formula, size, tokens):
    assert formula.of(size) == tokens
    assert formula.words


def test_images_and_text_of_a_unit_are_counted_call_by_call():
    """Against the agent itself: see `test_pictures_are_those_of_the_policy_and_are_counted`."""
    window = Window(300.0, 2.0, 151, HistoryPolicy(), prefix_pictures=0)
    unit = window.unit(10, text=100.0, image=1000.0, said=50.0)
    assert (unit.decisions, unit.summaries) == (10, 1)
    assert unit.images == sum([1, 2, 3, 4, 5, 5, 5, 5, 5, 5]) + 4
    assert unit.output_tokens == 11 * 50
    turns = sum(range(10)) + 8
    assert unit.input_tokens == 11 * 100 + unit.images * 1000 + turns * (50 + 40)
    assert window.unit(10, text=100.0, image=None, said=50.0).input_tokens is None


def test_decisions_that_fit_into_the_time():
    window = Window(300.0, 2.0, 151, HistoryPolicy(), prefix_pictures=4)
    assert window.decisions_at(0.0) == 150  # nothing begins at the deadline
    assert window.decisions_at(299.0) == 1
    assert window.decisions_at(297.0) == 2
    assert window.decisions_at(400.0) == 1
    assert window.decisions_at(13.0) == 19  # 15 s a turn, two summaries


@pytest.fixture
def plan(diag, library_folder, tmp_path, monkeypatch, capsys):
    """Print a plan; return its lines."""

    def run(url, *words, mode="plan"):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        code = diag(
            "+experiment=rq2", "agent=local", "agent.model=fake-1", "agent.simulated=true", "clock=virtual",
            f"catalog.library={library_folder}", "suite=rules", f"outputs={tmp_path}", "execution.n_jobs=1",
            "execution.progress=false", "tracking=none", "study.max_units=4", "study.limits.takeover_s=20",
            "agent.patience.request_timeout_s=20", f"mode={mode}", *words,
        )  # fmt: skip
        assert code == 0
        return capsys.readouterr().out

    return run


NOWHERE = "http://127.0.0.1:9/v1"
PRICE = "agent.price={_target_: diag.agents.models.Price, input: 2, output: 10}"
TILES = "agent.image_tokens={_target_: diag.agents.models.Tiles}"


def test_without_a_measure_only_ceilings_are_told_and_money_is_unknown(plan):
    out = plan(NOWHERE)
    assert "model calls: at most 11 decisions and 1 summaries a unit, 48 in all" in out
    assert "images: at most 5 a call, 1280 x 900 px, tokens unknown" in out
    assert "history: the last 12 turns as text, at most 4 earlier images, a summary every 8 turns" in out
    assert "unverified completion claims answered by a prompt to continue: 0 a unit" in out
    assert "likely: unknown until something is measured" in out
    assert "unknown tokens in" in out
    assert "money: unknown: no price is given" in out


def test_a_price_without_tokens_is_unknown_money(plan):
    assert "money: unknown: the tokens are" in plan(NOWHERE, PRICE)
    assert "USD, cached input not counted on" in plan(NOWHERE, PRICE, TILES)


def test_a_model_that_a_price_table_does_not_name_is_unknown_money(plan, tmp_path):
    (tmp_path / "prices.yaml").write_text("models: {other: {input: 1, output: 2}}")
    assert "money: unknown: prices.yaml has no price of fake-1" in plan(NOWHERE, f"agent.prices={tmp_path}/prices.yaml")


def test_what_agent_check_measured_is_used(plan, tmp_path):
    factory = ModelFactory("local-fake-1", "fake-1", OpenAIChat(NOWHERE), ToolCall(), outputs=str(tmp_path))
    spent = {"latency_median_s": 5.0, "input_tokens": 11 * 1_505, "output_tokens": 11 * 100}
    keep_check(factory, spent, 11)
    assert read_check(factory) == CallRate(5.0, 1_505.0, 100.0)
    out = plan(NOWHERE, PRICE, TILES)
    assert "forecast (a call takes 5.0 s in agent-check: 3 decisions fill a unit" in out
    unit = Window(20.0, 2.0, 11, HistoryPolicy(), 4).unit(3, text=400.0, image=1_105.0, said=100.0)
    assert f"12 calls, {4 * unit.images:,.0f} images, {4 * unit.input_tokens:,.0f} tokens in, 1,200 out" in out
    cost = 4 * (unit.input_tokens * 2 + unit.output_tokens * 10) / 1e6
    assert f"money: {cost:,.2f} USD" in out


@pytest.mark.parametrize("content", [b"{}", b"", b"[1]", b"\xff", b"5"])
def test_a_damaged_measure_is_none(tmp_path, content):
    factory = ModelFactory("org/m", "m", OpenAIChat(NOWHERE), ToolCall(), outputs=str(tmp_path), patience=QUICK)
    path = check_path(factory)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert read_check(factory) is None


def test_finished_units_are_the_best_measure(plan, tmp_path):
    with serving(swiper) as server:
        plan(server.url, "study.max_units=2", mode="run")
    used = [usage_of_attempt(path) for path in sorted(tmp_path.rglob("events.jsonl"))]
    assert len(used) == 2
    for experiment, words in (("rq2", ("study.max_units=2",)), ("elsewhere", ("study.name=elsewhere",))):
        out = plan(NOWHERE, *words)
        where = "this study" if experiment == "rq2" else "rq2/local-fake-1-rules"
        assert f"forecast (mean of 2 finished units of {where})" in out
        n = 2 if experiment == "rq2" else 4
        mean = sum(one.input_tokens for one in used) / 2
        assert f"{n * mean:,.0f} tokens in" in out
