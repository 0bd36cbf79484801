"""What a study shows on the terminal: the plan, the run, the effects, and where to look next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from diag.analysis.effects import Effect
from diag.analysis.pairs import counted
from diag.analysis.power import PlannedPower
from diag.analysis.states import NEW_LEVELS, THESE_STATES
from diag.app.differences import difference_lines
from diag.app.forecast import forecast
from diag.app.setup import Prepared
from diag.console import console as neutral_console
from diag.grading.table import OutcomeTable
from diag.reading.standing import standing_of
from diag.records.looks import looks, looks_sentence
from diag.records.order import balance
from diag.running.runner import RunSummary
from diag.studies.checks import told_to_nobody

ORACLE = "ORACLE: this agent sees the rules state and asks the solver; no model could"
SIMULATED = "SIMULATED agent: this validates the pipeline and is no finding about a model"
RULES_ONLY = "RULES ONLY: played without a browser; no pixels were shown"


class Display:
    """Writes to one console; wide tables stay whole when the output is a file."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or neutral_console()

    def note(self, text: str) -> None:
        """Show one line."""
        self.console.print(text, highlight=False, markup=False, soft_wrap=True)

    # --- plan ------------------------------------------------------------------------------------------------------

    def plan(
        self, prepared: Prepared, records: Mapping[str, Mapping[str, Any]], powers: Sequence[PlannedPower]
    ) -> None:
        """Show every cohort's blocks, arms, units, clusters, certificates, what the arms change, and the forecast."""
        study = prepared.study
        self._title(prepared)
        if study.question:
            self.note(study.question)
        self.console.print(_plan_table(prepared))
        self.console.print(_arms_table(prepared))
        blocks = {unit.block_id for unit in prepared.plan.units}
        for line in difference_lines(study.cohorts, {name: records[name] for name in records if name in blocks}):
            self.note(line)
        for line in told_to_nobody(study, prepared.blocks):
            self.note(line)
        for line in forecast(prepared, powers):
            self.note(line)
        for line in _orders(prepared):
            self.note(line)
        for line in study.kind.plan_notes(study, prepared.agent.name, prepared.plan.units):
            self.note(line)
        self.note(f"plan {prepared.plan.plan_hash[:16]}  {prepared.folder.plan_path}")

    # --- run -------------------------------------------------------------------------------------------------------

    def begin(self, prepared: Prepared, before: RunSummary, n_failed: int | None = None) -> None:
        """Say what is about to run; `n_failed` if only the units that failed are."""
        self._title(prepared)
        left = before.n_units - before.n_valid if n_failed is None else f"{n_failed} failed ones"
        workers = prepared.workers.described()
        self.note(f"{before.n_units} units, {before.n_valid} finished before, {left} to run, {workers}")

    def run(self, after: RunSummary) -> None:
        """Say how a run ended."""
        self.note(f"{after.n_valid} of {after.n_units} units valid; {after.n_failures} infrastructure failures in all")
        if after.commonest:
            self.note(f"most frequent: {after.commonest}")
        if after.incomplete:
            shown = ", ".join(after.incomplete[:5]) + (" ..." if len(after.incomplete) > 5 else "")
            self.note(f"incomplete after all tries: {shown}")

    # --- effects ---------------------------------------------------------------------------------------------------

    def effects(self, prepared: Prepared, table: OutcomeTable, effects: Sequence[Effect]) -> None:
        """Show rates by arm with their denominators and every paired effect, cohorts apart."""
        self._title(prepared, int((table.frame["validity"] == "valid").sum()))
        for cohort in prepared.study.cohorts:
            rows = table.frame[table.frame["cohort"] == cohort]
            if len(rows):
                self.console.print(_rates_table(prepared, cohort, rows))
                found = [one for one in effects if one.cohort == cohort]
                if found:
                    self.console.print(_effects_table(cohort, found))
                    self.note(f"* primary endpoint. New levels: {NEW_LEVELS} These states: {THESE_STATES}")
                    for one in found:
                        self.note(_verdict(one))
        blocks = {unit.block_id for unit in prepared.plan.units}
        self.note(f"{len(blocks)} block{'s' if len(blocks) != 1 else ''}, {len(table.incomplete)} incomplete.")
        if covers := [one.percentile_coverage for one in effects if one.percentile_coverage is not None]:
            self.note(
                f"With these cluster sizes a percentile interval covers {min(covers):.0%}, not 95 % (2,000 simulated "
                "studies): read it beside the CR2 interval and the exact sign-flip p."
            )
        for block in table.incomplete[:10]:
            self.note(f"incomplete block {block.block_id}: no valid attempt at {', '.join(block.missing)}")

        if seen := looks_sentence(looks(prepared.folder.root)):
            self.note(seen)

    def tracked(self, result: Any) -> None:
        """Say where the tracker has it."""
        self.note(f"tracked: {result}" if result is not None else "tracked")

    def places(self, report: Path, mlflow: str | None) -> None:
        """Say where to look: the report, and what opens MLflow if the study was tracked."""
        self.console.rule()
        self.note(f"report      {report}")
        if mlflow is not None:
            self.note(f"MLflow      {mlflow}")

    def _title(self, prepared: Prepared, n_valid: int | None = None) -> None:
        """Name the study and say what must be known before its numbers; `n_valid` where there are some."""
        agent = prepared.agent
        self.console.rule(f"[bold]{prepared.study.title or prepared.study.name}[/]  {agent.name}", align="left")
        if agent.privilege == "solver_oracle":
            self.console.print(f"[yellow]{ORACLE}[/]", highlight=False)
        if agent.simulated:
            self.console.print(f"[yellow]{SIMULATED}[/]", highlight=False)
        if not prepared.executor.browser:
            self.console.print(f"[yellow]{RULES_ONLY}[/]", highlight=False)
        standing = standing_of(prepared.plan, len(prepared.plan.units) if n_valid is None else n_valid)
        for word, sentence in standing.sentences:
            self.console.print(f"[yellow]{word}: {sentence}[/]", highlight=False)


def _plan_table(prepared: Prepared) -> Table:
    table = Table(title="Matched blocks", title_justify="left")
    for name in ("cohort", "blocks", "arms", "units", "clusters", "certificates"):
        table.add_column(name, justify="left" if name in ("cohort", "arms", "certificates") else "right", no_wrap=True)
    units = prepared.plan.units
    planned = {unit.block_id for unit in units}
    for cohort in prepared.study.cohorts:
        blocks = [block for block in prepared.blocks if block.cohort == cohort and block.block_id in planned]
        arms = " ".join(prepared.study.arms_of(cohort))
        n_units = sum(unit.cohort == cohort for unit in units)
        certificates = _certificates(prepared, [block.checkpoint_id for block in blocks])
        n_clusters = len({block.cluster for block in blocks})
        table.add_row(cohort, str(len(blocks)), arms, str(n_units), str(n_clusters), certificates)
    table.add_section()
    table.add_row("all", str(len(planned)), "", str(len(units)), str(len({unit.cluster for unit in units})), "")
    return table


def _orders(prepared: Prepared) -> list[str]:
    """Return, by cohort, how the order of the arms is balanced over the blocks' first repeats."""
    lines = []
    for cohort in prepared.study.cohorts:
        held: dict[str, list[str]] = {}
        for unit in prepared.plan.units:
            if (unit.cohort, unit.repeat) == (cohort, 1):
                held.setdefault(unit.block_id, []).append(unit.arm)
        if said := balance(list(held.values())):
            lines.append(f"{cohort}: {said}")
    return lines


def _certificates(prepared: Prepared, checkpoint_ids: Iterable[str]) -> str:
    """Count what the checkpoints are certified to be; their digests were checked when the library was read."""
    kinds = Counter(_claim(prepared.library.checkpoint(name).certificate) for name in checkpoint_ids)
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "none"


def _claim(certificate: Any) -> str:
    kind = str(certificate.get("kind", certificate.get("claim", "unknown")))
    mechanism = certificate.get("mechanism")
    return f"{kind} ({mechanism})" if mechanism else kind


def _arms_table(prepared: Prepared) -> Table:
    table = Table(title="Arms", title_justify="left")
    for name in ("arm", "intervention", "privilege", "cohorts", "what it does"):
        table.add_column(name)
    for arm, one in sorted(prepared.study.arms.items()):
        cohorts = " ".join(cohort for cohort in prepared.study.cohorts if one.covers(cohort))
        table.add_row(arm, one.name, one.privilege, cohorts, str(getattr(one, "description", "")))
    return table


def _rates_table(prepared: Prepared, cohort: str, rows: Any) -> Table:
    table = Table(title=f"Cohort {cohort}: outcomes by arm", title_justify="left")
    table.add_column("arm")
    table.add_column("privilege")
    table.add_column("units", justify="right")
    endpoints = [name for name in prepared.study.endpoints if name in rows.columns and not rows[name].isna().all()]
    for name in endpoints:
        table.add_column(name, justify="right")
    for arm, members in rows.groupby("arm", sort=True):
        valid = members["validity"] == "valid"
        cells = [_rate(counted(members[valid])[name].dropna()) for name in endpoints]
        table.add_row(str(arm), prepared.study.arms[str(arm)].privilege, f"{valid.sum()}/{len(members)}", *cells)
    return table


def _rate(values: Any) -> str:
    if not len(values):
        return "-"
    if str(values.dtype) == "boolean":
        return f"{int(values.sum())}/{len(values)}"
    return f"{float(values.mean()):.3f} (n={len(values)})"


def _effects_table(cohort: str, effects: Sequence[Effect]) -> Table:
    table = Table(title=f"Cohort {cohort}: paired effects (points for yes/no endpoints)", title_justify="left")
    if any(one.n_missing for one in effects):
        table.caption = "pairs (-n): n more blocks lack a valid outcome in one of the two arms and are left out"
    columns = (
        *("endpoint", "contrast", "effect", "up/down", "pairs", "clusters", "95% percentile", "95% CR2"),
        *("new levels:\np (max-T)", "these states:\np (mid-p)", "leave one out"),
    )
    for name in columns:
        table.add_column(name, justify="left" if name in ("endpoint", "contrast") else "right", no_wrap=True)
    for one in effects:
        scale = 100.0 if one.kind in ("binary", "proportion") else 1.0
        table.add_row(
            one.outcome + (" *" if one.estimand.role == "primary" else ""),
            one.label,
            _number(one.estimate, scale),
            f"{one.up}/{one.down}",
            str(one.n_pairs) + (f" (-{one.n_missing})" if one.n_missing else ""),
            str(one.n_clusters),
            _range(one.percentile.low, one.percentile.high, scale),
            _range(one.cr2.low, one.cr2.high, scale),
            _p(one.sign_flip_p, one.adjusted_p),
            _p(one.these_states.p, one.these_states.mid_p),
            _range(one.loo_low, one.loo_high, scale),
        )
    return table


def _verdict(effect: Effect) -> str:
    """Return what may be said of an effect and, where anything is missing, what its bounds are."""
    same = f" {effect.equivalence.sentence}" if effect.equivalence is not None else ""
    said = f"{effect.cohort} {effect.outcome} {effect.label}: {effect.sentence}{same}"
    if not (effect.n_missing or effect.n_lost_repeats):
        return said
    lost = f"{effect.n_missing} blocks and {effect.n_lost_repeats} repeats are missing"
    if effect.bounds is None:
        return f"{said} {lost}; the endpoint has no upper end, so the effect has no bounds."
    scale = 100.0 if effect.kind in ("binary", "proportion") else 1.0
    return f"{said} {lost}; at their worst and best the effect is {_range(*effect.bounds, scale)}."


def _p(value: float | None, beside: float | None) -> str:
    """Return a p, and in brackets the one that goes with it."""
    if value is None:
        return "-"
    first, second = (
        None if one is None else f"{one:.4f}" if one >= 0.0001 else f"{one:.0e}" for one in (value, beside)
    )
    return f"{first}" if second is None else f"{first} ({second})"


def _number(value: float | None, scale: float) -> str:
    return "-" if value is None else f"{value * scale:+.1f}"


def _range(low: float | None, high: float | None, scale: float) -> str:
    return "cannot say" if low is None or high is None else f"[{low * scale:+.1f}, {high * scale:+.1f}]"
