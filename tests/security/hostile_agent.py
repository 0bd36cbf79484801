"""An agent whose every text tries to become code, markup, a template, a path or an interpolation."""

from __future__ import annotations

from dataclasses import dataclass

from diag.session.contract import Decision, Observation, PublicContext

PAYLOADS = (
    "<script>document.title='taken'</script>",
    "<img src=x onerror=\"document.title='taken'\">",
    "</pre></td><svg onload=alert(1)>",
    "\"' onmouseover='alert(1)",
    "{{ 7 * 191 }}{% raw %}",
    "${oc.env:HOME}",
    "!!python/object/apply:os.system ['true']",
    "__class__.__mro__[1].__subclasses__()",
    "javascript:alert(1)",
    '=HYPERLINK("http://example.org")',
)


@dataclass(frozen=True)
class Hostile:
    """Agent factory and agent in one; it clicks once for each payload, then stops."""

    name: str = "hostile"
    simulated: bool = True
    privilege: str = "none"
    reads_scene: bool = True

    def build(self, seed: int) -> HostileAgent:
        """Return an agent."""
        return HostileAgent()

    def identity(self) -> dict[str, object]:
        """Return nothing: it has no settings."""
        return {}


class HostileAgent:
    """Plays nothing and says everything."""

    name, simulated, privilege, reads_scene = "hostile", True, "none", True

    def __init__(self) -> None:
        self._said = 0

    def decide(self, observation: Observation) -> Decision:
        """Return one payload as a reason, as typed text and as the name of an action."""
        if self._said == len(PAYLOADS):
            return Decision((), " ".join(PAYLOADS), 1.0, stop=True)
        payload = PAYLOADS[self._said]
        self._said += 1
        actions = (
            {"name": "click", "x": 3, "y": 3},
            {"name": payload, "text": payload},
            {"name": "type", "text": payload},
        )
        return Decision(actions[:1] if self._said % 2 else actions[1:], payload, 1.0, usage={payload: payload})

    def summarize(self, context: PublicContext) -> str:
        """Return all of it."""
        return " ".join(PAYLOADS)
