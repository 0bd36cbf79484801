"""agent-check measures a contract before money is spent, and fails loudly when the space is wrong."""

import pytest
from fake_server import Behaviour, marked, serving, words_of

from diag.agents.models.calibration import COLOURS, TARGETS, Answer, LenientContract, Task, measure, tasks
from diag.agents.models.coordinates import CoordinateContract, FitWithin


def looker(scale=(1.0, 1.0), offset=0.0):
    """A model with eyes: finds the coloured disk that the question names, in the picture it was sent."""

    def brain(request):
        words = words_of(request)
        named = [name for name in TARGETS if f"disk {name}" in words or f"letter {name}" in words]
        if "Press the key k" in words:
            return {"text": "k", "actions": [{"name": "key", "key": "k"}]}
        points = [marked(request, COLOURS[name]) for name in sorted(named, key=lambda one: words.index(f" {one}"))]
        points = [(round(x * scale[0] + offset), round(y * scale[1] + offset)) for x, y in points]
        (x, y), (x2, y2) = points[0], points[-1]
        if len(points) == 1:
            return {"text": "there", "actions": [{"name": "click", "x": x, "y": y}]}
        name = "swipe" if "Swipe" in words else "drag"
        return {"text": "there", "actions": [{"name": name, "x": x, "y": y, "x2": x2, "y2": y2}]}

    return brain


@pytest.fixture
def check(diag, tmp_path, monkeypatch, capsys):
    def run(brain, *words, behaviour=None):
        with serving(brain, *([behaviour] if behaviour else [])) as server:
            monkeypatch.setenv("OPENAI_BASE_URL", server.url)
            code = diag("agent-check", "agent=local", "agent.model=fake-1", f"outputs={tmp_path}", *words)
            assert len(server.requests) <= len(tasks())
        return code, capsys.readouterr().out

    return run


def test_a_good_model_passes(check):
    code, out = check(looker(), "agent.price={_target_: diag.agents.models.Price, input: 2, output: 10}")
    assert code == 0, out
    assert "hits         11 of 11" in out
    assert "scale 1.0" in out
    assert "cost         0." in out


def test_arguments_encoded_twice_are_found_beforehand(check):
    code, out = check(looker(), behaviour=Behaviour("twice"))
    assert code == 0, out
    assert "readable     11 of 11" in out
    assert "WARNING: 11 of 11 answers came with arguments encoded twice" in out


def test_a_grid_model_under_a_pixel_contract_fails_loudly_and_is_recognised(check):
    code, out = check(looker((1000 / 1280, 1000 / 900)))
    assert code == 1
    assert "WRONG: the coordinate space of x looks wrong: scale 0.78" in out
    assert "HINT: the numbers look like a 0-1000 grid" in out
    assert "cost         unknown" in out


def test_the_same_model_under_its_own_contract_passes(check):
    code, out = check(looker((1000 / 1280, 1000 / 900)), "+agent.contract.space=grid")
    assert code == 0, out


FIT = "{_target_: diag.agents.models.FitWithin, long_side_px: %d}"


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ((1, 1), [f"+agent.contract.send={FIT % 1024}"]),  # this program shrinks: the model sees what it is sent
        ((0.8, 0.8), [f"+agent.contract.seen={FIT % 1024}"]),  # the provider shrinks what it was sent
        pytest.param((1, 1), ["+agent.contract.device_scale=2"], marks=pytest.mark.slow),
        pytest.param(
            (1568 / 2560, 1102 / 1800),
            ["+agent.contract.device_scale=2", f"+agent.contract.seen={FIT % 1568}"],
            marks=pytest.mark.slow,
        ),
        pytest.param(
            (1000 / 2560, 1000 / 1800),
            ["+agent.contract.device_scale=2", "+agent.contract.space=grid"],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_model_with_eyes_hits_under_every_contract_that_is_its_own(check, scale, words):
    """The looker finds the disks in the very picture that was sent, and counts as its contract says it does."""
    code, out = check(looker(scale), *words)
    assert code == 0, out
    assert "hits         11 of 11" in out


def test_an_image_shrunk_on_the_way_is_recognised(check):
    code, out = check(looker((0.8, 0.8)))
    assert code == 1
    assert "shrunk to 1024 px" in out


def test_an_offset_is_wrong_even_when_the_scale_is_right(check):
    code, out = check(looker(offset=22))
    assert code == 1
    assert "offset +2" in out


def test_answers_that_cannot_be_read_are_wrong(check):
    code, out = check(lambda request: {"text": "I would click the disk."})
    assert code == 1
    assert "11 of 11 answers could not be read whole" in out
    assert "too few points" in out


def test_only_model_agents_are_checked(diag, capsys):
    assert diag("agent-check", "agent=greedy") == 2
    assert "agent-check is for model agents" in capsys.readouterr().err


def test_a_missing_model_name_is_one_line(diag, capsys):
    assert diag("agent-check", "agent=local") == 2
    assert "agent.model" in capsys.readouterr().err


def answered(points, contract, shift=lambda x, y: (x, y)):
    lenient = LenientContract(contract.space, contract.grid_max, contract.send, contract.seen)
    clicks = [lenient.to_screen(*shift(*contract.to_model(*point))) for point in points]
    return [
        Answer(Task("click", "", (point,)), ({"name": "click", "x": x, "y": y},), {"malformed": []}, 1.0)
        for point, (x, y) in zip(points, clicks, strict=True)
    ]


@pytest.mark.parametrize(
    "contract", [CoordinateContract(), CoordinateContract("grid"), CoordinateContract(seen=FitWithin(1024))]
)
def test_a_model_true_to_any_contract_measures_one_and_zero(contract):
    measured = measure(answered(list(TARGETS.values()), contract), contract)
    assert measured.faults == ()
    assert measured.x.scale == pytest.approx(1, abs=0.002)
    assert measured.y.offset_px == pytest.approx(0, abs=1.0)


def test_swapped_axes_are_wrong():
    contract = CoordinateContract()
    measured = measure(answered(list(TARGETS.values()), contract, lambda x, y: (y, x)), contract)
    assert any("looks wrong" in fault for fault in measured.faults)
