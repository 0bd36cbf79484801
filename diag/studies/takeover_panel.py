"""The follow-up of RQ2: fewer dead ends, a second game, one study per model of a panel (protocol 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from checkpoints.store import Checkpoint
from diag.errors import ConfigError
from diag.plan import Block
from diag.studies.contract import CheckpointSource
from diag.studies.panel import panel_note
from diag.studies.takeover import CLUSTERS, TakeoverStudy
from games.contract import JsonObject


@dataclass(frozen=True)
class PanelTakeoverStudy(TakeoverStudy):
    """Chosen checkpoints of one or more libraries; those of another game are a cohort of their own."""

    libraries: str = "rq2+rq2_nut"
    """Shipped libraries, or folders, joined by `+`."""
    checkpoints: Sequence[str] = ()
    """Ids in plan order."""
    apart: Mapping[str, str] = field(default_factory=dict)
    """Game -> cohort that its dead ends form, so that they are analysed apart."""
    panel: Sequence[str] = ()
    """Agents of the whole panel; each runs its own study."""

    def library_name(self, configured: str) -> str:
        """Return the libraries of the panel."""
        del configured
        return self.libraries

    def own_cohorts(self) -> tuple[str, ...]:
        """Return the cohorts of the games that are analysed apart."""
        return tuple(self.apart.values())

    def blocks(self, library: CheckpointSource) -> tuple[Block, ...]:
        """Return a block per chosen checkpoint, cohort by cohort. Raises ConfigError for an unknown id or cohort."""
        known = {one.checkpoint_id: one for one in library.checkpoints}
        unknown = [name for name in self.checkpoints if name not in known]
        if unknown:
            raise ConfigError(f"study.checkpoints: {unknown[0]!r} is no checkpoint of {library.name!r}")
        chosen = [self._block(known[name]) for name in self.checkpoints]
        return tuple(block for cohort in self.cohorts for block in chosen if block.cohort == cohort)

    def _block(self, checkpoint: Checkpoint) -> Block:
        cohort = self.apart.get(checkpoint.level.game, checkpoint.cohort)
        name, cluster = checkpoint.checkpoint_id, CLUSTERS[self.cluster](checkpoint)
        return Block(name, cohort, name, checkpoint.digest, cluster, self.arms_of(cohort))

    def plan_notes(self, agent: str, n_blocks: int, n_units: int) -> tuple[str, ...]:
        """Return how many continuations this agent and the whole panel have, the second game apart."""
        del n_blocks
        apart = [cohort for cohort in self.cohorts if cohort in self.apart.values()]
        n_apart = sum(len(self.arms_of(cohort)) * self._n_of(cohort) for cohort in apart) * self.repeats
        counts = (n_units - n_apart, n_apart) if n_apart and n_units > n_apart else (n_units,)
        return panel_note(agent, self.panel, counts, "continuations")

    def _n_of(self, cohort: str) -> int:
        return sum(name in self.apart_ids.get(cohort, ()) for name in self.checkpoints)

    @property
    def apart_ids(self) -> Mapping[str, tuple[str, ...]]:
        """Cohort -> chosen checkpoints of the games that are analysed apart."""
        from checkpoints.libraries import library

        games = {one.checkpoint_id: one.level.game for one in library(self.libraries).checkpoints}
        return {
            cohort: tuple(name for name in self.checkpoints if games.get(name) == game)
            for game, cohort in self.apart.items()
        }

    def identity(self) -> JsonObject:
        """Return everything that can change an outcome."""
        return {**super().identity(), "checkpoints": list(self.checkpoints), "apart": dict(self.apart)}
