"""What a plan will cost, said before anything is spent, and what it can detect."""

from __future__ import annotations

from collections.abc import Sequence

from diag.agents.models import ModelFactory
from diag.agents.models.forecasting import Window, lines
from diag.analysis.endpoint import Endpoint
from diag.analysis.equivalence import smallest_p
from diag.analysis.planned import PlannedFamily
from diag.analysis.power import PlannedPower
from diag.analysis.simulate import Assumptions
from diag.analysis.wording import ALPHA
from diag.app.power import STUDIES, out_of_reach, planned_families, planned_rates
from diag.app.setup import Prepared
from diag.errors import ConfigError
from diag.session.history import history_of


def forecast(prepared: Prepared, powers: Sequence[PlannedPower]) -> list[str]:
    """Return lines: ceilings of time and decisions, what a model will take, the minimum detectable effect."""
    limits, n_units = prepared.study.limits, len(prepared.plan.units)
    clock_h = n_units * limits.takeover_s / 3600
    per_unit = calls_ceiling(prepared)
    lines = [
        f"ceilings: {n_units} x {limits.takeover_s:g} s = {clock_h:.1f} h on the {prepared.executor.clock} clock, "
        f"{per_unit} decisions a unit, {n_units * per_unit} in all",
        _time_line(prepared, clock_h),
    ]
    families = planned_families(prepared)
    return [*lines, *_spending(prepared), *_asked(prepared, families), *_detectable(prepared, powers, families)]


def _asked(prepared: Prepared, families: Sequence[PlannedFamily]) -> list[str]:
    """Say which endpoint is primary, what of each was declared, and which equivalence no outcome could show."""
    study = prepared.study
    asks = [str(one) for one in study.contrasts if one.equivalence]
    lines = [_endpoint_line(one, asks) for one in study.records] if families else []
    for one in (one for family in families for one in family.contrasts if one.estimand.equivalence is not None):
        asked, n_pairs = one.estimand, one.n_blocks if one.estimand.kind == "binary" else None
        least = smallest_p(one.n_clusters, n_pairs, float(asked.equivalence or 0.0))
        if one.n_blocks and least >= ALPHA:
            lines.append(f"NO outcome of this plan can show equivalence: {asked.name} (least p {least:.3g})")
    return lines


def _endpoint_line(record: Endpoint, asks: Sequence[str]) -> str:
    """Return what was declared of an endpoint, as one line of the plan."""
    in_points = record.kind in ("yes_no", "share")

    def shown(value: float) -> str:
        return f"{100 * value:g} points" if in_points else f"{value:g} {record.unit}".strip()

    role = "primary endpoint" if record.primary else "secondary endpoint"
    parts = [f"{record.kind}, {record.population}"]
    if record.family:
        parts.append(f"family {record.family}")
    if record.smallest_effect is not None:
        parts.append(f"smallest effect of interest {shown(record.smallest_effect)}")
    if asks:
        margin = record.equivalence
        tested = f"within {shown(margin)}" if margin is not None else "not tested, no margin is declared"
        parts.append(f"equivalence of {', '.join(asks)} {tested}")
    return f"{role} {record.name}: {'; '.join(parts)}"


def calls_ceiling(prepared: Prepared) -> int:
    """Return the most decisions one unit can take: every action settles for `settle_wait_s` on the takeover clock."""
    limits, settle_s = prepared.study.limits, prepared.executor.settle_wait_s
    ceilings = [int(limits.takeover_s / settle_s) + 1] if settle_s > 0 else []
    if limits.actions is not None:
        ceilings.append(limits.actions + limits.invalid_decisions_in_a_row)
    if not ceilings:
        raise ConfigError("study.limits.actions is null and suite.settle_wait_s is 0: nothing bounds the decisions")
    return min(ceilings)


def _spending(prepared: Prepared) -> list[str]:
    """Return calls, images, tokens and money of a model agent; nothing for the others, which cost nothing.

    Kinds that show something else than the screen say in their plan notes what a model is sent.
    """
    factory = getattr(prepared.agent, "agent", prepared.agent)  # the code-execution setting wraps a model
    if not isinstance(factory, ModelFactory) or not prepared.study.kind.shows_screen:
        return []
    history, limits = history_of(factory, prepared.study.history), prepared.study.limits
    n_prefix = history.prefix_pictures if any(unit.checkpoint_id for unit in prepared.plan.units) else 0
    window = Window(
        time_s=limits.takeover_s,
        settle_s=prepared.executor.settle_wait_s,
        most_decisions=calls_ceiling(prepared),
        history=history,
        prefix_pictures=min(n_prefix, history.pictures),
    )
    return lines(factory, prepared.folder, window, len(prepared.plan.units))


def _time_line(prepared: Prepared, clock_h: float) -> str:
    n_jobs = prepared.workers.at_once
    if prepared.executor.clock == "virtual":
        return f"a virtual clock waits for nothing: the machine sets the pace, with {n_jobs} units at a time"
    return f"real time at most {clock_h / n_jobs:.1f} h with {n_jobs} units at a time"


def _detectable(prepared: Prepared, powers: Sequence[PlannedPower], families: Sequence[PlannedFamily]) -> list[str]:
    """Say what each contrast can find, endpoints of one shape together, and on what that rests."""
    if not powers:
        return []
    rates = ", ".join(f"{arm} {rate:.0%}" for arm, rate in planned_rates(prepared).items())
    heading = (
        f"detectable, by {STUDIES} simulated studies a figure (Monte Carlo error up to "
        f"{100 * 0.5 / STUDIES**0.5:.1f} points), if a yes/no endpoint has {rates} "
        f"(study.analysis.planned_control_rate, planned_rates; another control 50%); {Assumptions().sentence()}:"
    )
    lines = [f"{one.cohort} {one.name} ({', '.join(one.endpoints)}): {one.sentence}" for one in powers]
    return [heading, *lines, *filter(None, [out_of_reach(families)])]
