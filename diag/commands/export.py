"""`python -m diag export inspect STUDY [output=FILE.json]`: a study in the log format of Inspect, for its viewer.

A sample is a unit: its input is the objective, its messages are screens, decisions and feedback, its scores are the
study's endpoints. Means by arm are in it once every unit is valid. The library itself writes it:
the extra `inspect` (`pip install inspect-ai`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from diag.errors import ConfigError
from diag.reading.frames import FRAMES_VERSION, StudyFrames, load
from diag.records import Event
from diag.terminal import Words, say

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog


def main(arguments: Sequence[str]) -> int:
    """Write the log and say where it is; return 0."""
    words = Words("export", __doc__)
    words.add_argument("format", choices=("inspect",))
    words.add_argument("study", type=Path, help="a study's folder, such as outputs/rq2/simulated-sol")
    words.add_argument("--output", type=Path, help="where to (inspect.json in the study's folder)")
    chosen = words.parse_args(arguments)
    try:
        from inspect_ai.log import write_eval_log
    except ModuleNotFoundError as error:
        raise ConfigError(f"found no package {error.name}, wanted the extra: pip install inspect-ai") from error
    frames, output = load(chosen.study), chosen.output or chosen.study / "inspect.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    write_eval_log(inspect_log(frames), str(output), format="json")
    for sentence in dict(frames.standing.sentences).values():
        say(sentence)
    say(output)
    return 0


def inspect_log(frames: StudyFrames) -> EvalLog:
    """Return a study as a log of Inspect.

    Raises:
        CorruptRecord: a log or a record is not what was sealed.
    """
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalResults, EvalSpec

    identity, outcomes = frames.plan.identity, frames.outcomes
    agent = identity.get("agent", {})
    events = {unit: list(found) for unit, found in _by_unit(frames)}
    done = outcomes[outcomes["validity"].notna()]
    samples = [_sample(row, events[row["unit_id"]], _endpoints(frames)) for row in done.to_dict("records")]
    spec = EvalSpec(
        eval_id=frames.plan.plan_hash[:22],
        run_id=frames.plan.plan_hash[:22],
        created=next((one[0].utc for one in events.values() if one), "1970-01-01T00:00:00+00:00"),
        task=str(identity.get("study", {}).get("name", frames.folder.parent.name)),
        model=str(agent.get("name", frames.folder.name)),
        dataset=EvalDataset(name="units", samples=len(frames.plan.units)),
        config=EvalConfig(epochs=1),
        metadata={
            "plan_hash": frames.plan.plan_hash,
            "schema_version": FRAMES_VERSION,
            "simulated": bool(agent.get("simulated", False)),
            "standing": list(frames.standing.labels),
        },
    )
    n_units, n_valid = len(frames.plan.units), int((outcomes["validity"] == "valid").sum())
    whole = n_valid == n_units
    results = EvalResults(total_samples=n_units, completed_samples=n_valid, scores=_means(frames) if whole else [])
    return EvalLog(status="success" if whole else "started", eval=spec, results=results, samples=samples)


def _endpoints(frames: StudyFrames) -> tuple[str, ...]:
    named = frames.plan.identity.get("study", {}).get("endpoints") or ()
    return tuple(name for name in named if name in frames.outcomes)


def _by_unit(frames: StudyFrames) -> Iterator[tuple[str, Iterator[Event]]]:
    """Yield each unit with the events of its primary attempt."""
    attempts = frames.outcomes.set_index("unit_id")["attempt"].to_dict()
    for unit in frames.plan.units:
        found = frames.events(unit.unit_id)
        yield unit.unit_id, (event for _, attempt, event in found if attempt == attempts.get(unit.unit_id))


def _means(frames: StudyFrames) -> list[Any]:
    """Return each endpoint's mean over the valid units of each arm."""
    from inspect_ai.log import EvalMetric, EvalScore

    rows = frames.outcomes[frames.outcomes["validity"] == "valid"]
    return [
        EvalScore(
            name=f"{cohort} {arm}: {endpoint}",
            scorer=endpoint,
            params={"cohort": cohort, "arm": arm},
            metrics={"mean": EvalMetric(name="mean", value=float(values.astype(float).mean()))},
        )
        for endpoint in _endpoints(frames)
        for (cohort, arm), values in rows.groupby(["cohort", "arm"])[endpoint]
        if values.notna().any()
    ]


def _sample(row: dict[Any, Any], events: Sequence[Event], endpoints: Sequence[str]) -> Any:
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.scorer import Score

    start = next((dict(event.data) for event in events if event.kind == "episode_start"), {})
    objective = str(dict(start.get("context") or {}).get("instruction", ""))
    given = {name: row[name] for name in endpoints if row[name] is not None and row[name] == row[name]}
    failure = None
    if row["validity"] != "valid":
        failure = EvalError(message=str(row.get("failure_kind")), traceback="", traceback_ansi="")
    return EvalSample(
        id=row["unit_id"],
        epoch=1,
        input=objective,
        target="",
        messages=list(_messages(objective, events)),
        scores={} if failure else {name: Score(value=_plain(value)) for name, value in given.items()},
        metadata={name: str(row[name]) for name in ("block_id", "cohort", "arm", "cluster", "ending", "attempt")},
        error=failure,
        total_time=float(row["elapsed_s"]) if row["elapsed_s"] == row["elapsed_s"] else None,
    )


def _plain(value: Any) -> bool | float:
    return bool(value) if str(value) in ("True", "False") else float(value)


def _messages(objective: str, events: Sequence[Event]) -> Iterator[Any]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser
    from inspect_ai.tool import ToolCall

    yield ChatMessageUser(id="objective", content=objective)
    calls: list[Any] = []
    for event in events:
        data = event.data
        if event.kind == "observation" and data.get("picture"):
            yield ChatMessageUser(id=f"screen-{event.seq}", content=f"screen: {data['picture']}")
        elif event.kind == "decision":
            wanted = [dict(action) for action in data.get("actions") or ()]
            calls = [
                ToolCall(id=f"{event.seq}-{n}", function=str(one.pop("name", "action")), arguments=one)
                for n, one in enumerate(wanted)
            ]
            said = str(data.get("reason") or "")
            yield ChatMessageAssistant(id=f"decision-{event.seq}", content=said, tool_calls=list(calls) or None)
        elif event.kind == "action" and calls:
            call = calls.pop(0)
            told = str(data.get("feedback") or "")
            yield ChatMessageTool(id=f"told-{event.seq}", content=told, tool_call_id=call.id, function=call.function)
