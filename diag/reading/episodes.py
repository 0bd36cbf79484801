"""The episode section of a report: `tables/episodes.json` and `tables/objectives.csv` as tables and figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from diag.grading.table import read_csv
from diag.reading.drawing import inline_svg
from diag.reading.episode_figures import write_curves, write_heat_map
from diag.reading.markup import Section, section
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, counted

if TYPE_CHECKING:
    import pandas as pd

TEMPLATES = Path(__file__).parent / "templates"
MEASURES = (
    ("lc", "LC, level completion", "mean share of an objective's levels won"),
    ("osr", "OSR, objective success", "share of objectives with every level won"),
    ("fgp", "FGP, fine-grained progress", "mean best potential over all levels"),
    ("lc_hard", "LC hard", "LC over objectives above their game's easiest tier"),
    ("reach", "R, reach", "share of levels whose board was reached"),
    ("deficit", "deficit 1 - LC", "unreached plus reached and not completed, exactly"),
    ("deficit_unreached", "of it unreached", "1 - R"),
    ("deficit_reached", "of it reached, not completed", "mean r (1 - c)"),
    ("unreached_share", "unreached share", "aggregated (1 - R) / aggregated (1 - LC)"),
    ("level_pass_rate", "level pass rate", "wins / reached levels, pooled within an objective"),
    ("per", "PER, premature exits", "episodes the agent ended itself without success, pooled"),
    ("smr", "SMR, setting mismatch", "episodes with play of another game or difficulty, pooled"),
)


def episode_section(files: StudyFiles) -> Section | None:
    """Return the section on whole episodes; None where none was analysed. Writes its two figures."""
    from jinja2 import Template

    values = episode_values(files)
    if values is None:
        return None
    template = Template((TEMPLATES / "episodes.html.j2").read_text(), autoescape=True, trim_blocks=True)
    body = Markup(template.render(episodes=values))  # noqa: S704 - the template escapes its values
    return section("episodes", "Whole episodes", body)


def episode_values(files: StudyFiles) -> dict[str, Any] | None:
    """Return the values of the episode section; None for a study without episodes. Writes its two figures."""
    path = files.folder / "tables" / "episodes.json"
    if not path.is_file():
        return None
    s: dict[str, Any] = json.loads(path.read_text())
    objectives = read_csv(files.folder / "tables" / "objectives.csv", ("game", "difficulty"))
    return {
        "over": f"{counted(s['n_episodes'], 'valid episode')}, {counted(s['n_objectives'], 'objective')}, "
        + (f"{s['n_games']} games equally" if s["n_games"] != 1 else "1 game"),
        "measures": [(name, _percent(s[key]), meaning) for key, name, meaning in MEASURES],
        "horizon": s["horizon"] or DASH,
        "counts": f"{s['n_won']} wins of {s['n_reached']} reached levels",
        "ngar": _percent(None if s["ngar_percent"] is None else s["ngar_percent"] / 100),
        "stops": s["stops"],
        "dead_ends": [_dead_line(game, one) for game, one in s["dead_ends"].items()],
        "regret": [(_words(game), one, _number(one["mean_finite"])) for game, one in s["regret"].items()],
        "maze": _maze(s["maze"]),
        "bolt": s["bolt"],
        "heat_map": _heat_map(files, objectives),
        "curve": _curve(files, s),
    }


def _heat_map(files: StudyFiles, objectives: pd.DataFrame) -> Any:
    names = objectives["game"] + "/" + objectives["difficulty"]
    known = {str(name): float(lc) for name, lc in zip(names, objectives["lc"], strict=True)}
    planned = dict.fromkeys(unit.checkpoint_id for unit in files.plan.units)
    cells: dict[str, float | None] = {name: known.get(name) for name in planned}
    return _drawn(
        write_heat_map({files.agent: cells}, files.folder / "figures" / "heat-map")[0],
        "heat",
        "Level completion by objective",
    )


def _curve(files: StudyFiles, s: Mapping[str, Any]) -> Any:
    points = [(float(minute), share) for minute, share in s["lc_over_time_min"]]
    stem = files.folder / "figures" / "lc-over-time"
    return _drawn(
        write_curves({files.agent: points}, stem, n_of={files.agent: s["n_episodes"]})[0],
        "lc",
        "Level completion over time",
    )


def _drawn(path: Any, prefix: str, name: str) -> Any:
    return Markup(inline_svg(path, prefix, name))  # noqa: S704 - our own SVG


def _dead_line(game: str, one: Mapping[str, Any]) -> dict[str, Any]:
    exits = ", ".join(f"{_words(way)} {count}" for way, count in sorted(one["exits"].items())) or DASH
    return {"game": _words(game), **one, "exits": exits, "mean_delay": _number(one["mean_delay_moves"])}


def _maze(maze: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if maze is None:
        return None
    labels = ("0 - 20 %", "20 - 40 %", "40 - 60 %", "60 - 80 %", "80 - 100 %")
    bins = zip(labels, maze["solved_by_fifth"], maze["unsolved_by_fifth"], strict=True)
    return {**maze, "revisits": _percent(maze["revisit_rate"]), "bins": list(bins)}


def _percent(value: float | None) -> str:
    return DASH if value is None else f"{100 * value:.1f} %"


def _number(value: float | None) -> str:
    return DASH if value is None else f"{value:.2f}"


def _words(name: str) -> str:
    return name.replace("_", " ")
