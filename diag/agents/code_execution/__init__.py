"""The code-execution setting: a model that may compute on its screenshots, in a jail. docs/how-to/code-execution.md."""

from diag.agents.code_execution.agent import CodeAgent, CodeFactory, CodeTools
from diag.agents.code_execution.sandbox import Ran, Sandbox, SandboxLimits

__all__ = ["CodeAgent", "CodeFactory", "CodeTools", "Ran", "Sandbox", "SandboxLimits"]
