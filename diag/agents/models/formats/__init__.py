"""Formats: how a model is told to act, and how its words become GUI actions. Each file is one."""

from diag.agents.models.formats.computer import Computer
from diag.agents.models.formats.contract import (
    UNREADABLE,
    Fault,
    Format,
    FormatError,
    OtherTool,
    Parsed,
)
from diag.agents.models.formats.qwen3vl import Qwen3VL
from diag.agents.models.formats.tool_call import ToolCall
from diag.agents.models.formats.ui_tars import UiTars

__all__ = [
    "UNREADABLE",
    "Computer",
    "Fault",
    "Format",
    "FormatError",
    "OtherTool",
    "Parsed",
    "Qwen3VL",
    "ToolCall",
    "UiTars",
]
