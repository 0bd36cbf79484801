"""The moments at which a fault may strike: before or after one call of one function of the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Phase:
    """A moment in a study."""

    name: str
    """As the table shows it."""
    module: str
    function: str
    """`function` or `Class.method` of the module."""
    when: Literal["before", "after"]
    attempt: int = 0
    """The moment is in this attempt of its process or a later one; 0: outside of attempts."""
    call: int = 1
    """Which call, counted from the beginning of the attempt (of the process, outside of attempts)."""
    having: str = ""
    """A text that the arguments of the call show; other calls are not counted."""


_FOLDER = "diag.records.study_folder"
_LOOP = "diag.session.loop"

PLANNED = Phase("planned", "diag.app.modes", "fix_plan", "after")
STARTING = Phase("worker starts", "diag.running.attempt", "journalled", "before")
BEGUN = Phase("attempt begun", _FOLDER, "StudyFolder.begin_attempt", "after", attempt=2)
LAUNCHED = Phase("station open", "diag.running.station", "_Station.__init__", "after", attempt=1)
SEATED = Phase("session open", "diag.session.environment", "RulesEnvironment.__init__", "after", attempt=2)
RESTORED = Phase("restored", "checkpoints.controller", "restore", "after", attempt=2)
FIRST_TURN = Phase("first turn", _LOOP, "_Attempt._decide", "before", attempt=2)
MID_SESSION = Phase("mid-session", _LOOP, "_Attempt._decide", "before", attempt=2, call=4)
GRADED = Phase("graded", _FOLDER, "StudyFolder.finish_attempt", "before", attempt=2)
SEALING = Phase("sealing", _FOLDER, "file_sha256", "after", attempt=2)
SEALED = Phase("sealed", _FOLDER, "write_sealed", "after", attempt=2, having="'state': 'complete'")
FINISHED = Phase("attempt visible", _FOLDER, "StudyFolder.finish_attempt", "after", attempt=2)
TABLE = Phase("table written", "diag.grading.table", "write_table", "after")
REPORT = Phase("report", "diag.report.site", "write_report", "before")
TRACKING = Phase("tracking", "diag.tracking.projection", "_Projection._create", "before", call=3)

PHASES = (
    *(PLANNED, STARTING, BEGUN, LAUNCHED, SEATED, RESTORED, FIRST_TURN, MID_SESSION, GRADED, SEALING, SEALED, FINISHED),
    *(TABLE, REPORT, TRACKING),
)
"""In the order in which a study passes them."""

_ROOM = "diag.studies.continuation"
_CLIENT, _CONTROLLER = f"{_ROOM}.client", f"{_ROOM}.controller"

STARTED = Phase("environment started", _CLIENT, "Client.start", "after", attempt=2)
PROMPTED = Phase("first prompt", _CONTROLLER, "Controller._send", "before", attempt=2)
UNFILED = Phase("step taken, not filed", _CLIENT, "Client._file", "before", attempt=2, call=4)
UNSAVED = Phase("step filed, not saved", _CLIENT, "Client._save", "before", attempt=2, call=4)
RETURNED = Phase("agent returned", _CONTROLLER, "Controller._resume", "before", attempt=1)
RESETTING = Phase("controller resets", _CONTROLLER, "Controller._reset_by_controller", "before", attempt=1)
CLOSING = Phase("environment closes", f"{_ROOM}.place", "ServerProcess.close", "before", attempt=2)
AT_THE_CLIENT = (STARTED, PROMPTED, UNFILED, UNSAVED, RETURNED, RESETTING, CLOSING)
"""Of a study with client and server apart, in the process of client, controller and agent."""
OPENING = Phase("environment opens", f"{_ROOM}.levels", "opened", "before", call=2)
TAKING = Phase("action arrives", "diag.session.grid", "GridSession.take", "before", call=5)
ANSWERING = Phase("action taken, not answered", f"{_ROOM}.showing", "files_of", "after", call=5)
IN_THE_GAME = (OPENING, TAKING, ANSWERING)
"""In the game's process."""

EVERY_PHASE = (*PHASES, *IN_THE_GAME, *AT_THE_CLIENT)

IN_ATTEMPT = (BEGUN, SEATED, RESTORED, FIRST_TURN, MID_SESSION, GRADED, SEALING, SEALED, FINISHED)


def phase_named(name: str) -> Phase:
    """Return a phase. Raises KeyError."""
    return {phase.name: phase for phase in EVERY_PHASE}[name]
