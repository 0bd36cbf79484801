"""Non-interference: a model agent is shown pixels, public text and time, and nothing that depends on hidden state."""

from __future__ import annotations

import dataclasses
import io
import pickle

import pytest
from PIL import Image

from diag.session import RulesEnvironment
from diag.session.contract import Observation, PublicContext
from diag.session.observation import PrivilegeError, guard, observe


class Painted(RulesEnvironment):
    """The tiny suite with a picture that shows the token and not the secret."""

    def screenshot(self) -> bytes:
        buffer = io.BytesIO()
        Image.new("RGB", (8, 3), (self.picture()["board"]["token"], 0, 0)).save(buffer, "PNG")
        return buffer.getvalue()


def shown_to(bench, secret: str, **traits) -> list[Observation]:
    agent = bench.agent(
        [[bench.click(1)], [{"name": "click", "x": -1, "y": 0}], [bench.answer]], continuation_prompts=1, **traits
    )
    bench.run(agent, environment=Painted(bench.session(secret), bench.catalogue()))
    return agent.seen


def test_two_hidden_states_under_one_picture_give_byte_identical_observations(bench):
    first = shown_to(bench, "solvable", simulated=False, reads_scene=True, privilege="solver_oracle")
    second = shown_to(bench, "dead end", simulated=False, reads_scene=True, privilege="solver_oracle")
    assert len(first) == 4
    assert pickle.dumps(first) == pickle.dumps(second)
    assert all(seen.scene is None and seen.oracle is None and seen.screenshot_png for seen in first)


def test_an_oracle_would_tell_them_apart(bench):
    first = shown_to(bench, "solvable", privilege="solver_oracle")
    second = shown_to(bench, "dead end", privilege="solver_oracle")
    assert first[0].oracle["state"] != second[0].oracle["state"]
    assert set(first[0].oracle) == {"level", "layout", "state", "held"}


def test_an_observation_has_no_other_way_in():
    assert [item.name for item in dataclasses.fields(Observation)] == [
        *("context", "screenshot_png", "scene", "elapsed_s", "oracle"),
    ]


@pytest.mark.parametrize("leak", [{"scene": {"board": 1}}, {"oracle": {"state": 1}}, {"screenshot_png": b""}])
def test_the_guard_refuses_what_a_model_may_not_see(bench, leak):
    fair = Observation(PublicContext("play"), b"png", None, 0.0)
    model = bench.agent([], simulated=False, reads_scene=True, privilege="solver_oracle")
    guard(model, fair)
    with pytest.raises(PrivilegeError, match="scripted"):
        guard(model, dataclasses.replace(fair, **leak))


def test_the_scene_goes_only_to_agents_that_read_it(bench):
    environment = RulesEnvironment(bench.session(), bench.catalogue())
    blind = bench.agent([], reads_scene=False)
    assert observe(environment, blind, PublicContext("play"), b"", 0.0).scene is None
    assert observe(environment, bench.agent([]), PublicContext("play"), b"", 0.0).scene == environment.picture()
