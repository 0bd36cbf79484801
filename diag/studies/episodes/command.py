"""`python -m diag episodes STUDY ... [--output FOLDER]`: episode studies of several agents, one table, two figures.

Reads finished studies (`+experiment=rq1`) and recorded people, writes `agents.csv` (with what each agent used),
`objectives.csv`, every episode's outcome in `outcomes.csv` and how its boards were played in `play.csv` and
`bolt_attempts.csv`, the heat map by objective and the curves over time. Macro averages: objectives of a
game equally, then games equally; each figure says what it is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from diag.agents.models.accounting import total_of, usage_of_attempt
from diag.console import console as neutral_console
from diag.errors import ConfigError, DiagError, IncompleteStudy
from diag.grading.episodes.summary import as_csv, episode_summary, objective_table
from diag.reading.episode_figures import write_curves, write_heat_map
from diag.records.csv_text import csv_text
from diag.records.looks import Look, interim_of, record_look
from diag.records.study_folder import StudyFolder, utc_now
from diag.terminal import Words

COLUMNS = (
    ("lc", "LC"),
    ("osr", "OSR"),
    ("fgp", "FGP"),
    ("lc_hard", "LC hard"),
    ("reach", "R"),
    ("unreached_share", "unreached share"),
    ("level_pass_rate", "pass rate"),
    ("per", "PER"),
    ("smr", "SMR"),
)


def main(arguments: Sequence[str]) -> int:
    """Compare the studies; return 0."""
    parser = Words("episodes", __doc__)
    parser.add_argument("studies", nargs="+", type=Path, help="folders of episode studies, one per agent")
    parser.add_argument("--interim", action="store_true", help="look at studies that have not ended; marked, recorded")
    parser.add_argument("--output", type=Path, default=Path("episodes"), help="where tables and figures go (episodes/)")
    chosen = parser.parse_args(arguments)
    compare(chosen.studies, chosen.output, neutral_console(), interim=chosen.interim)
    return 0


def compare(folders: Sequence[Path], output: Path, console: Console, *, interim: bool = False) -> None:
    """Write and show the comparison; a study that has not ended is marked in its name wherever that stands.

    Raises:
        IncompleteStudy: a study has not ended, and `interim` does not say that it is to be looked at.
        DiagError: a folder holds no finished episode study, or two of them have the same name.
        ConfigError: no objective is in all of the studies.
    """
    open_ended = {folder: look for folder in folders if (look := _look(folder)) is not None}
    for folder, look in open_ended.items():
        if not interim:
            raise IncompleteStudy(
                f"{folder} has not ended: {look.share} have an outcome; mode=run goes on, --interim looks all the "
                "same, marks what it shows and is recorded"
            )
        record_look(folder, look)
    studies = dict(_read(folder, open_ended.get(folder)) for folder in folders)
    if len(studies) != len(folders):
        raise DiagError(f"two of the studies have the same name: {', '.join(studies)}")
    shared = _shared(studies, console)
    summaries = {name: episode_summary(found.rows) for name, found in studies.items()}
    output.mkdir(parents=True, exist_ok=True)
    (output / "agents.csv").write_text(as_csv([_line(name, studies[name], s) for name, s in summaries.items()]))
    tables = {name: objective_table(found.rows) for name, found in studies.items()}
    lines = [{"study": name, **line} for name, found in tables.items() for line in found]
    (output / "objectives.csv").write_text(as_csv(lines))
    listed = [{"study": name, **_outcome(row)} for name, found in studies.items() for row in found.rows]
    (output / "outcomes.csv").write_text(as_csv(listed))
    play = [{"study": name, **_played(row)} for name, found in studies.items() for row in found.rows]
    (output / "play.csv").write_text(csv_text(PLAY_COLUMNS, play))
    bolt = [{"study": name, **one} for name, found in studies.items() for row in found.rows for one in _bolt_lines(row)]
    (output / "bolt_attempts.csv").write_text(csv_text(BOLT_COLUMNS, bolt))
    cells = {name: _cells(tables[name], shared) for name in studies}
    written = write_heat_map(cells, output / "heat-map")
    curves = {name: [(float(m), value) for m, value in s["lc_over_time_min"]] for name, s in summaries.items()}
    written += write_curves(curves, output / "lc-over-time", n_of={n: len(found.rows) for n, found in studies.items()})
    console.print(_table(studies, summaries))
    for name, study in studies.items():
        if len(study.rows) < study.n_planned:
            how_far = f"{len(study.rows)} of {study.n_planned} episodes have an outcome"
            console.print(f"[yellow]PARTIAL: {name}: {how_far}[/]", highlight=False, markup=True)
    if any(found.simulated for found in studies.values()):
        console.print("[yellow]SIMULATED agents: they validate the pipeline and are no finding about a model[/]")
    console.print(
        f"{output}/: agents.csv objectives.csv outcomes.csv play.csv bolt_attempts.csv "
        f"{' '.join(path.name for path in written)}",
        highlight=False,
    )


class _Study:
    """One study's valid episodes."""

    def __init__(self, rows: list[dict[str, Any]], planned: list[str], *, simulated: bool) -> None:
        self.rows, self.simulated, self.units = rows, simulated, planned
        self.planned = list(dict.fromkeys(planned))
        self.n_planned = len(planned)

    def keep(self, objectives: Sequence[str]) -> None:
        """Drop the episodes of other objectives."""
        self.rows = [row for row in self.rows if row["checkpoint_id"] in objectives]
        self.n_planned -= sum(name not in objectives for name in self.units)
        self.planned = list(objectives)


def _shared(studies: dict[str, _Study], console: Console) -> list[str]:
    """Keep the objectives that all studies planned, and say which are left out."""
    first, *others = studies.values()
    shared = [name for name in first.planned if all(name in one.planned for one in others)]
    left_out = sorted({name for one in studies.values() for name in one.planned} - set(shared))
    if not shared:
        raise ConfigError("no objective is in all of the studies")
    if left_out:
        console.print(f"compared on what all studies play; left out: {', '.join(left_out)}", highlight=False)
    for one in studies.values():
        one.keep(shared)
    return shared


def _look(folder: Path) -> Look | None:
    """Return how far a study is that has not ended: units are open, and no analysis found that all tries were made."""
    study = StudyFolder(folder)
    if not study.has_plan():
        return None
    units = study.read_plan().units
    done = sum(study.primary(unit.unit_id) is not None for unit in units)
    analysed = (folder / "tables" / "analysis.json").is_file() and not interim_of(folder)
    return None if done == len(units) or analysed else Look(utc_now(), done, len(units))


def _read(folder: Path, look: Look | None = None) -> tuple[str, _Study]:
    study = StudyFolder(folder)
    if not study.has_plan():
        raise DiagError(f"{folder} holds no study; run it first with +experiment=rq1")
    plan = study.read_plan()
    if plan.identity["study"]["kind"] != "episodes":
        raise DiagError(f"{folder} holds a {plan.identity['study']['kind']}; wanted an episode study")
    rows: list[dict[str, Any]] = []
    for unit in plan.units:
        status = study.primary(unit.unit_id)
        if status is not None:
            used = usage_of_attempt(study.check_log(status))
            outcome = study.read_outcome(status)
            facts = {"unit_id": unit.unit_id, "checkpoint_id": unit.checkpoint_id, "ending": outcome.ending}
            measured = {"elapsed_s": outcome.elapsed_s, "n_actions": outcome.n_actions, "used": used}
            details = {**measured, "details": outcome.details}
            rows.append({**facts, **outcome.endpoints, **details})
    planned = [unit.checkpoint_id for unit in plan.units]
    name = folder.name if look is None else f"{folder.name} (INTERIM, {look.share})"
    return name, _Study(rows, planned, simulated=bool(plan.identity["agent"]["simulated"]))


def _cells(table: Sequence[dict[str, Any]], planned: Sequence[str]) -> dict[str, float | None]:
    known = {f"{line['game']}/{line['difficulty']}": line["lc"] for line in table}
    return {name: known.get(name) for name in planned}


USED = ("calls", "input_tokens", "output_tokens", "cost")
"""What is shown of `diag.agents.models.accounting.Usage`; empty where an endpoint did not report it."""


def _outcome(row: dict[str, Any]) -> dict[str, Any]:
    """Return the line of one episode in the list of all outcomes."""
    facts = {"objective": row["checkpoint_id"], **{name: row[name] for name in ("unit_id", "ending")}}
    measures = {name: row[name] for name in ("n_won", "n_levels", "lc", "elapsed_s", "n_actions")}
    return {**facts, **measures, **_used([row])}


PLAY_COLUMNS = (
    "study", "objective", "unit_id", "n_attempts_at_levels", "n_restarts", "n_undos", "boards_deadlocked", "cleared",
    "changes", "revisits", "stack_regressions", "resets", "completed_levels", "moves_of_completed", "gestures",
)  # fmt: skip
BOLT_COLUMNS = (
    "study", "objective", "unit_id", "attempt", "level", "boards_out", "fewest_free_holes", "moves", "ended",
)  # fmt: skip


def _played(row: dict[str, Any]) -> dict[str, Any]:
    """Return how an episode's boards were played; cells of other games stay empty (`grading.episodes.board_play`)."""
    line = {"objective": row["checkpoint_id"], **{name: row[name] for name in PLAY_COLUMNS[2:6]}}
    for game, counts in row["details"]["play"].items():
        if game != "bolt_unscrew":
            line |= counts
    ended = [attempt["ended"] for attempt in _attempts(row)]
    return line | ({"boards_deadlocked": ended.count("deadlocks"), "cleared": ended.count("clears")} if ended else {})


def _bolt_lines(row: dict[str, Any]) -> list[dict[str, Any]]:
    facts = {"objective": row["checkpoint_id"], "unit_id": row["unit_id"]}
    return [{**facts, "attempt": place, **one} for place, one in enumerate(_attempts(row), start=1)]


def _attempts(row: dict[str, Any]) -> list[dict[str, Any]]:
    return list(row["details"]["play"].get("bolt_unscrew", {"attempts": []})["attempts"])


def _used(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    total = total_of(row["used"] for row in rows)
    return {name: getattr(total, name) for name in USED}


def _line(name: str, study: _Study, summary: dict[str, Any]) -> dict[str, Any]:
    shares = {key: summary[key] for key, _ in COLUMNS}
    counts = {"episodes": len(study.rows), "planned": study.n_planned}
    pooled = {"horizon": summary["horizon"], "won": summary["n_won"], "reached": summary["n_reached"]}
    return {"study": name, "simulated": study.simulated, **counts, **shares, **pooled, **_used(study.rows)}


def _table(studies: dict[str, _Study], summaries: dict[str, dict[str, Any]]) -> Table:
    table = Table(
        title="Whole episodes, percent (macro: objectives of a game equally, then games)", title_justify="left"
    )
    table.add_column("study")
    for name in ("episodes", *(label for _, label in COLUMNS), "50% horizon", "tokens in", "tokens out", "cost"):
        table.add_column(name, justify="right")
    for name, summary in summaries.items():
        shares = ["-" if summary[key] is None else f"{100 * summary[key]:.1f}" for key, _ in COLUMNS]
        valid = f"{len(studies[name].rows)}/{studies[name].n_planned}"
        used = _used(studies[name].rows)
        spent = ["unknown" if used[key] is None else f"{used[key]:,.10g}" for key in USED[1:]]
        table.add_row(name, valid, *shares, str(summary["horizon"] or "-"), *spent)
    return table
