"""Fault x phase: every cell of the campaign, with what it may end in and what it may cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from chaos.phases import (
    AT_THE_CLIENT,
    BEGUN,
    FINISHED,
    FIRST_TURN,
    GRADED,
    IN_ATTEMPT,
    IN_THE_GAME,
    LAUNCHED,
    MID_SESSION,
    PHASES,
    PLANNED,
    REPORT,
    RESETTING,
    RESTORED,
    SEALED,
    SEALING,
    SEATED,
    STARTING,
    TABLE,
    TRACKING,
    UNFILED,
    Phase,
)

KILLED = -9
STRUCK_LIMIT_S = 60.0
"""The longest that a struck run may take, on a machine with nothing else to do; most take a tenth of it."""
HUNG_LIMIT_S = 120.0
"""The same where something hangs, and its deadline has to pass first."""
RESUME_LIMIT_S = 45.0
"""The longest that the command after a fault may take."""
STOP_S = 5.0
"""The longest that a run may go on after Ctrl-C or SIGTERM."""
Suite = Literal["rules", "browser"]


@dataclass(frozen=True)
class Cell:
    """One fault at one phase."""

    fault: str
    """As the table shows it."""
    phase: Phase
    strike: str
    suite: Suite = "rules"
    workers: int = 1
    endings: tuple[int, ...] = (0,)
    """Exit codes that the struck run may end with."""
    charged: tuple[str, ...] = ()
    """Kinds of infrastructure failures that the fault may cost; each is tried again."""
    says: str = ""
    """What the struck run must tell the user."""
    tracked: bool = False
    stops_s: float | None = None
    """The longest it may go on after the strike, if it is to stop."""
    scene: str = "plain"
    """What is around it: see `chaos.scenes`."""
    limit_s: float = STRUCK_LIMIT_S
    """The longest the struck run may take."""
    extra: tuple[str, ...] = field(default=())
    """Further words of the command line, of the struck run, the next one and the undisturbed one."""

    @property
    def mode(self) -> str:
        """Return the mode that passes the phase: a run alone as long as it suffices."""
        return "all" if self.phase in (TABLE, REPORT, TRACKING) else "run"

    @property
    def name(self) -> str:
        """Return a name that tells cells apart."""
        return f"{self.fault} @ {self.phase.name} ({self.suite}, {self.workers})"


def all_cells() -> tuple[Cell, ...]:
    """Return the whole campaign, in the order of the table."""
    return (
        *_killed_runners(),
        *_killed_workers(),
        *_killed_browsers(),
        *_servers(),
        *_trackers(),
        *_pages(),
        *_seats(),
        *_clocks(),
        *_disks(),
        *_logs(),
        Cell("second runner on the same study", MID_SESSION, "hold", scene="second runner"),
        *_endpoints(),
        *_signals(),
        *_apart(),
    )


def _killed_runners() -> Iterator[Cell]:
    for phase in PHASES:
        if phase not in (LAUNCHED, STARTING):
            yield Cell("runner killed", phase, "kill runner", endings=(KILLED,), tracked=phase is TRACKING)
    for phase in (MID_SESSION, SEALED):
        yield Cell("runner killed", phase, "kill runner", workers=2, endings=(KILLED,))
    for workers, phase in ((1, LAUNCHED), (1, MID_SESSION), (2, MID_SESSION)):
        yield Cell("runner killed", phase, "kill runner", "browser", workers, endings=(KILLED,))


def _killed_workers() -> Iterator[Cell]:
    for phase in (STARTING, *IN_ATTEMPT):
        yield Cell("worker killed", phase, "kill worker", workers=2)
    for phase in (LAUNCHED, MID_SESSION):
        yield Cell("worker killed", phase, "kill worker", "browser", 2)


def _killed_browsers() -> Iterator[Cell]:
    for phase in (LAUNCHED, SEATED, RESTORED, FIRST_TURN, MID_SESSION, GRADED, FINISHED):
        yield Cell("browser killed", phase, "kill browser", "browser", charged=("browser",))
    yield Cell("browser killed", MID_SESSION, "kill browser", "browser", 2, charged=("browser",))


def _servers() -> Iterator[Cell]:
    for phase in (SEATED, MID_SESSION, FINISHED):
        yield Cell(
            "suite server ended", phase, "end server", "browser", charged=("browser", "suite"), limit_s=HUNG_LIMIT_S
        )
    yield Cell(
        "suite server hangs", MID_SESSION, "hang server", "browser", charged=("browser", "suite"), limit_s=HUNG_LIMIT_S
    )


def _trackers() -> Iterator[Cell]:
    says = "mode=track projects them again"
    yield Cell(
        "tracking server killed",
        TRACKING,
        "hold",
        endings=(6,),
        says=says,
        scene="tracking server",
        limit_s=HUNG_LIMIT_S,
    )


def _pages() -> Iterator[Cell]:
    for phase in (RESTORED, MID_SESSION):
        yield Cell("screenshot hangs", phase, "freeze browser", "browser", charged=("browser",), limit_s=HUNG_LIMIT_S)
    yield Cell("page crashes", MID_SESSION, "crash page", "browser", charged=("browser",))
    yield Cell("WebSocket dropped", MID_SESSION, "drop sockets", "browser", charged=("browser",))
    yield Cell("page 20 times slower", MID_SESSION, "slow page", "browser", charged=("browser",), limit_s=HUNG_LIMIT_S)


def _seats() -> Iterator[Cell]:
    """Six units at a time in one browser."""
    for fault, strike, endings, charged in (
        ("browser killed under six seats", "kill browser", (0,), ("browser",)),
        ("one of six seats hangs", "hang seat", (0,), ("browser",)),
        ("worker of six seats killed", "kill worker", (0,), ()),
        ("runner of six seats killed", "kill runner", (KILLED,), ()),
    ):
        yield Cell(
            *(fault, MID_SESSION, strike, "browser", 1, endings, charged),
            limit_s=HUNG_LIMIT_S,
            extra=("execution.seats=6",),
        )
    yield Cell(
        *("Ctrl-C on six seats", MID_SESSION, "interrupt", "browser", 1, (130,)),
        says="the same command goes on from there",
        stops_s=STOP_S,
        extra=("execution.seats=6",),
    )


def _clocks() -> Iterator[Cell]:
    yield Cell("time of day jumps a day ahead", MID_SESSION, "jump ahead")
    yield Cell("time of day jumps a day back", MID_SESSION, "jump back")


def _disks() -> Iterator[Cell]:
    for phase in (PLANNED, BEGUN, MID_SESSION, GRADED, SEALING, TABLE, REPORT):
        yield Cell("disk full", phase, "fill disk", endings=(4,), says="the disk is full", scene="small disk")
    yield Cell("disk full", TRACKING, "fill disk", endings=(4, 6), tracked=True, scene="small disk")
    yield Cell("disk full", MID_SESSION, "fill disk", "browser", 2, (4,), says="the disk is full", scene="small disk")
    for phase in (PLANNED, MID_SESSION, GRADED, TABLE):
        yield Cell(
            "disk read-only", phase, "make read-only", endings=(4,), says="a read-only file system", scene="small disk"
        )


def _logs() -> Iterator[Cell]:
    yield Cell("log cut in its last line, runner killed", MID_SESSION, "cut line", endings=(KILLED,))
    yield Cell(
        "finished log cut in its last line", TABLE, "hold", endings=(3,), says="events.jsonl", scene="finished log cut"
    )


def _endpoints() -> Iterator[Cell]:
    yield Cell("model endpoint down, back within the patience", MID_SESSION, "hold", "browser", scene="short outage")
    yield Cell(
        *("model endpoint down for an hour (shortened schedule)", MID_SESSION, "hold", "browser"),
        endings=(1, 5),
        charged=("api",),
        scene="long outage",
        limit_s=HUNG_LIMIT_S,
    )


def _signals() -> Iterator[Cell]:
    places: Sequence[tuple[Suite, int, Phase]] = (
        *(("rules", 1, phase) for phase in (PLANNED, BEGUN, MID_SESSION, SEALING, TABLE, REPORT, TRACKING)),
        *(("rules", 2, phase) for phase in (STARTING, MID_SESSION)),
        *(("browser", 1, phase) for phase in (LAUNCHED, RESTORED, MID_SESSION)),
        ("browser", 2, MID_SESSION),
    )
    says = "the same command goes on from there"
    for fault, strike, code in (("Ctrl-C", "interrupt", 130), ("SIGTERM", "terminate", 143)):
        for suite, workers, phase in places:
            tracked = phase is TRACKING
            yield Cell(fault, phase, strike, suite, workers, (code,), says=says, tracked=tracked, stops_s=STOP_S)


def _apart() -> Iterator[Cell]:
    """RQ6: the game is a process of its own; client, controller and agent are the worker."""
    scene = "client and server apart"
    for phase in AT_THE_CLIENT:
        yield Cell("RQ6: client, controller and agent killed", phase, "kill worker", workers=2, scene=scene)
        yield Cell("RQ6: game server killed", phase, "kill game", charged=("suite",), scene=scene)
    for phase in IN_THE_GAME:
        yield Cell("RQ6: game server killed", phase, "kill worker", charged=("suite",), scene=scene)
    for phase in (UNFILED, RESETTING):
        yield Cell("RQ6: runner killed", phase, "kill runner", endings=(KILLED,), scene=scene)
