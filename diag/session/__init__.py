"""The session loop: one attempt of one unit, from the restored start to its last event."""

from diag.records.event_log import EventLog, LogError, TruncatedLog, read_events
from diag.session.clock import Clock, VirtualClock, WallClock, WorkingClock
from diag.session.dispatcher import Dispatcher
from diag.session.environment import BrowserEnvironment, Environment, RulesEnvironment
from diag.session.history import HistoryPolicy
from diag.session.limits import Goal, LevelsWon, LevelWon, Limits, StopCondition, all_levels_won
from diag.session.loop import AttemptSetup, run_attempt
from diag.session.pictures import PictureStore
from diag.session.workflow import Probe, Workflow

__all__ = [
    "AttemptSetup",
    "BrowserEnvironment",
    "Clock",
    "Dispatcher",
    "Environment",
    "EventLog",
    "Goal",
    "HistoryPolicy",
    "LevelWon",
    "LevelsWon",
    "Limits",
    "LogError",
    "PictureStore",
    "Probe",
    "RulesEnvironment",
    "StopCondition",
    "TruncatedLog",
    "VirtualClock",
    "WallClock",
    "Workflow",
    "WorkingClock",
    "all_levels_won",
    "read_events",
    "run_attempt",
]
