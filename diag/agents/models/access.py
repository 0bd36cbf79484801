"""The access guard: nothing but screenshots and public feedback reaches a model, checked on every request.

Three layers. `diag.session.observation.guard` checks what the agent is handed. `check_request` checks what goes out:
each picture is the current screenshot or one that the public context names, and no forbidden word is in the body.
`scan` looks for such words in recorded requests afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from diag.agents.models.conversation import Conversation, picture_name
from diag.session.contract import Observation
from diag.session.history import pictures_in
from diag.session.observation import PrivilegeError

FORBIDDEN = (
    "no_available_hole",
    "state_digest",
    "checkpoint_id",
    "certificate",
    "restart_solution",
    "dead_end",
    "solver_oracle",
    "evaluator",
)
"""Words of records that an agent never sees. An instruction that holds one by itself is allowed to."""


def check_observation(observation: Observation, agent: str) -> None:
    """Raise PrivilegeError if an observation for a model holds a scene or the rules state."""
    if observation.scene is not None or observation.oracle is not None:
        raise PrivilegeError(f"agent {agent} is a model and was handed more than a screenshot and public context")


def check_request(sent: Conversation, observation: Observation, agent: str) -> None:
    """Raise PrivilegeError if a request holds a picture that the observation does not give, or a forbidden word."""
    allowed = set(pictures_in(observation.context))
    if observation.screenshot_png:
        allowed.add(picture_name(observation.screenshot_png))
    for picture in sent.pictures:
        if picture.sha256 not in allowed:
            raise PrivilegeError(f"agent {agent} was about to be shown picture {picture.sha256[:12]}, not in context")
    said = _said(observation)
    for word in FORBIDDEN:
        if word not in said and any(word in text for text in sent.texts):
            raise PrivilegeError(f"agent {agent} was about to be told {word!r}, which no public text holds")


def _said(observation: Observation) -> str:
    """Return what the arm and the agent itself put into words."""
    context = observation.context
    turns = (*context.prefix, *context.recent)
    asked = "" if context.asked is None else context.asked.request
    words = [asked, context.instruction, context.memory or "", context.summary or "", *(turn.reason for turn in turns)]
    return "\n".join([*words, *(str(turn.actions) for turn in turns)])


def scan(recording: Path, canaries: Sequence[str]) -> tuple[str, ...]:
    """Return `file: canary` for each canary found in a recording; the files are read as bytes, whatever they hold."""
    found = []
    for path in sorted(path for path in recording.rglob("*") if path.is_file()):
        content = path.read_bytes()
        found += [f"{path.relative_to(recording)}: {canary}" for canary in canaries if canary.encode() in content]
    return tuple(found)
