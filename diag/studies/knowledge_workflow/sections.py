"""Sections of a study of knowledge x workflow: cells, contrasts, rules stated, controllers, graders.

Their words: docs/studies/knowledge_workflow.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from diag.reading.effect_rows import EffectRow, interval_words
from diag.reading.markup import Section, abreast, folded, note, section, table, titled
from diag.reading.spread import spread_cells
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, MATCHED_BY_RULES, number, p_value, signed, words

if TYPE_CHECKING:
    import pandas as pd

SHARES = ("lc", "fgp", "reach", "osr", "rules_first", "rules_last", "rules_best", "completion_if_reached")
"""Endpoints that are shown in percent."""


def cells(files: StudyFiles) -> Section:
    """Return the 2 x 2 table of each endpoint with its margins; the cells with the restart controller below."""
    names = list(files.identity("study", "cells") or ())
    shown = [name for name in files.identity("study", "endpoints") or () if files.valid[name].notna().any()]
    tables = abreast(titled(words(endpoint), _two_by_two(files, endpoint, names)) for endpoint in shown)
    others = [arm for arm, _ in files.by_arm() if arm not in names]
    caption = (
        "Means over valid sessions. K: without or with the rules card. P: menus worked by the agent or a controller."
    )
    return section("cells", "The four cells", note(caption), tables, *_other_cells(files, shown, others))


def contrasts(files: StudyFiles) -> Section | None:
    """Return the seven contrasts of each endpoint: the mean over games, its intervals, p and spread."""
    spreads = {(row["endpoint"], row["contrast"]): row for row in files.own_rows("cell_spread.csv")}
    effects = {(row.endpoint, row.name.split(": ", 1)[-1]): row for row in files.effects}
    if not spreads:
        return None
    first = dict(reversed(spreads))
    rows = [
        (words(key[0]) if first[key[0]] == key[1] else "", *_contrast(row, effects.get(key)))
        for key, row in spreads.items()
    ]
    caption = (
        "Paired within the objective, averaged within the game: everything in a row is about the mean over games, each "
        "game once; standard deviation and range are of game means, p is their exact sign-flip test (after max-T over "
        "the endpoint's contrasts), CR2 its t interval. Shares in percentage points. Nested: 95 % interval of the "
        "same mean that draws games and, within each drawn game, its objectives. "
        "ΔK(P) is K1 minus K0 under that P, ΔP(K) is P1 minus P0 under that K, a main effect is the mean of its two, "
        "the interaction is ΔK(P1) minus ΔK(P0)."
    )
    head = ("Endpoint", "Contrast", "Games", "Mean", "CR2 95 %", "Nested 95 %", "max-T p", "SD", "Least", "Most")
    return section("contrasts", "Contrasts over games", table(head, rows, caption, words=2))


def knowledge(files: StudyFiles) -> Section | None:
    """Return the share of rules stated correctly at each probe, by cell."""
    found = files.own_rows("rule_knowledge.csv")
    if not found:
        return None
    probes = sorted({int(row["probe"]) for row in found})
    by_arm: dict[str, dict[int, Mapping[str, str]]] = defaultdict(dict)
    for row in found:
        by_arm[row["arm"]][int(row["probe"])] = row
    rows = [
        (files.chip(arm), one[probes[0]]["n"], *(_percent(one[probe]["share_correct"]) for probe in probes),
         str(sum(int(row["refused"]) for row in one.values())))
        for arm, one in by_arm.items()
    ]  # fmt: skip
    minutes = [float(at_s) / 60 for at_s in files.identity("study", "probes_at_s") or ()]
    heads = [f"Probe {probe}" + (f" ({minutes[probe - 1]:.0f} min)" if minutes else "") for probe in probes]
    caption = (
        f"{MATCHED_BY_RULES} Mean share of the game's rules that an answer states, rule by rule. A probe that "
        "a session does not live to see is asked at its end. Refused: nothing was said, or only that nothing is known. "
        "Probes and answers never enter the acting history."
    )
    return section(
        "knowledge", "Rules stated at each probe", table(("Cell", "Sessions", *heads, "Refused"), rows, caption)
    )


def over_time(files: StudyFiles) -> Section | None:
    """Return when rules are first stated, and how many of those stated at a probe are stated at the last one too."""
    found = files.own_rows("rules_over_time.csv")
    if not found:
        return None
    rows = [
        (
            files.chip(row["arm"]),
            *(row[name] for name in ("probe", "sessions", "rules", "stated", "first_stated")),
            f"{row['also_at_last']} of {row['stated']}",
        )
        for row in found
    ]
    caption = (
        "Rules of all sessions together, each session's apart. Stated first here: at no earlier probe of the session. "
        "Of the rules stated at a probe, those that the session's last answer states too."
    )
    head = ("Cell", "Probe", "Sessions", "Rules", "Stated", "Stated first here", "Also at the last probe")
    return section("rules-over-time", "Rules over time", table(head, rows, caption))


def knowledge_and_completion(files: StudyFiles) -> Section | None:
    """Return when sessions first state every rule, and the completion of those that do and of those that do not."""
    if "rules_best" not in files.valid or files.valid["rules_best"].isna().all():
        return None
    rows = [(files.chip(arm), *_all_correct(found)) for arm, found in files.by_arm()]
    rows.append(("all", *_all_correct(files.valid)))
    caption = (
        f"{MATCHED_BY_RULES} A session states every rule if one of its answers states all rules of its game. Spearman: "
        "rank correlation of a session's best share of rules with its level completion; sessions of one game are "
        "alike, so it describes and tests nothing. Rules at the last probe and LC are unweighted means over sessions, "
        "which differ from the contrasts over games."
    )
    head = (
        "Cell", "Sessions", "Rules at the last probe", "LC", "State every rule", "Median first time (s)", "Their LC",
        "LC of the others", "Win a level afterwards", "Still every rule at the last probe", "Spearman",
    )  # fmt: skip
    return section("knowledge-lc", "Rule knowledge and level completion", table(head, rows, caption))


def rule_by_rule(files: StudyFiles) -> Section | None:
    """Return, rule by rule, in how many sessions the last answer states it."""
    found = files.own_rows("probes.csv")
    if not found:
        return None
    last = str(max(int(row["probe"]) for row in found))
    arms = sorted({row["arm"] for row in found})
    stated: dict[tuple[str, str], dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for row in found:
        if row["probe"] == last:
            stated[row["game"], row["rule"]][row["arm"]].append(row["stated"] == "True")
    rows = [
        (words(game), words(rule), *(_of(by_arm[arm]) if arm in by_arm else DASH for arm in arms))
        for (game, rule), by_arm in sorted(stated.items())
    ]
    caption = (
        f"{MATCHED_BY_RULES} Sessions whose answer at probe {last} states the rule. All answers: tables/probes.csv."
    )
    body = table(("Game", "Rule", *(files.chip(arm) for arm in arms)), rows, caption, words=2)
    return section("rules", "Rule by rule", folded(f"{len(rows)} rules", body))


def controllers(files: StudyFiles) -> Section:
    """Return what the controllers did, apart from what the model did."""
    columns = ("n_actions_model", "n_actions_controller", "controller_entries", "controller_advances",
               "controller_restarts")  # fmt: skip
    rows = [
        (files.chip(arm), str(len(found)), number(float(found[columns[0]].mean())),
         *(number(float(found[name].sum()), 0) for name in columns))
        for arm, found in files.by_arm()
    ]  # fmt: skip
    caption = (
        "Controller actions are logged as events of their own, take time and count in no action budget. Entries: "
        "clicks from the menus to the first unsolved level. Advances: after a win that the evaluator verified. "
        "Restarts: after a certified dead end, in the cells that end in R. A controller that finds no control, or "
        "whose click changes nothing, is an infrastructure failure of kind controller."
    )
    head = ("Cell", "Sessions", "Model actions a session", "Model actions", "Controller actions", "Entries", "Advances",
            "Restarts")  # fmt: skip
    return section("controllers", "What the controllers did", table(head, rows, caption))


def grader_agreement(files: StudyFiles) -> Section | None:
    """Return how far a model's grades of the probes agree with the matcher's; how to get them if there are none."""
    if not files.own_rows("probes.csv"):
        return None
    found = files.own_rows("agreement.csv")
    if not found:
        text = (
            "Only the fixed matcher has graded. python -m diag grade-probes study=FOLDER agent=NAME lets a model grade "
            "by the versioned rubric; people grade in a copy of tables/probes.csv (python -m diag agreement)."
        )
        return section("graders", "Agreement of graders", note(text))
    rows = [(row["game"], row["n"], row["n_agree"], _percent(row["share"]), _kappa(row["kappa"])) for row in found]
    caption = (
        f"The fixed matcher against {found[0]['grader']}, rule by rule over the answers that both graded; "
        f"{found[0]['n_unreadable']} answers had no readable verdicts and are left out. Kappa: Cohen's."
    )
    head = ("Game", "Verdicts", "Agree", "Percent agreement", "Kappa")
    return section("graders", "Agreement of graders", table(head, rows, caption))


def _two_by_two(files: StudyFiles, endpoint: str, names: Sequence[str]) -> Markup:
    k0p0, k0p1, k1p0, k1p1 = (_mean(files, [arm], endpoint) for arm in names)
    k0, k1 = _mean(files, names[:2], endpoint), _mean(files, names[2:], endpoint)
    p0, p1 = _mean(files, names[::2], endpoint), _mean(files, names[1::2], endpoint)
    rows = (("K0", k0p0, k0p1, k0), ("K1", k1p0, k1p1, k1), ("mean", p0, p1, _mean(files, names, endpoint)))
    n = ", ".join(f"{arm} {int((files.valid['arm'] == arm).sum())}" for arm in names)
    return table(("", "P0", "P1", "mean"), rows, f"Sessions: {n}.")


def _other_cells(files: StudyFiles, endpoints: Sequence[str], arms: Sequence[str]) -> tuple[Markup, ...]:
    """Return the cells beyond the four, over their own objectives, which the four are shown on too."""
    if not arms:
        return ()
    objectives = set(files.valid.loc[files.valid["arm"].isin(arms), "checkpoint_id"])
    inside = files.valid[files.valid["checkpoint_id"].isin(objectives)]
    rows = [
        (files.chip(str(arm)), str(len(found)), *(_shown(float(found[name].mean()), name) for name in endpoints))
        for arm, found in inside.groupby("arm")
    ]
    caption = f"All cells on {', '.join(sorted(objectives))} alone: few sessions, so they describe and test nothing."
    head = ("Cell", "Sessions", *map(words, endpoints))
    return (titled("With the controller that restarts certified dead ends", table(head, rows, caption)),)


def _contrast(row: Mapping[str, str], effect: EffectRow | None) -> tuple[str | Markup, ...]:
    scale = 100.0 if row["endpoint"] in SHARES else 1.0
    limits = (DASH, DASH) if effect is None else tuple(interval_words(one, scale) for one in (effect.t, effect.nested))
    p = DASH if effect is None or effect.p_adjusted is None else p_value(effect.p_adjusted)
    numbers = {name: float(row[name]) if row[name] else None for name in ("mean", "sd", "low", "high")}
    mean = Markup("<b>{}</b>").format(signed(numbers["mean"], 1, scale))
    spread = (number(numbers["sd"], 1, scale), signed(numbers["low"], 1, scale), signed(numbers["high"], 1, scale))
    label = row["contrast"].replace("Delta_", "Δ")
    return (label, row["n"], mean, *limits, p, *spread)


def _all_correct(found: pd.DataFrame) -> tuple[str, ...]:
    from scipy import stats

    every = found["rules_all_correct_s"].notna()
    times, lc = found.loc[every, "rules_all_correct_s"], found["lc"].astype(float)
    known = found["rules_best"].notna()
    varies = known.sum() > 2 and found.loc[known, "rules_best"].nunique() > 1 and lc[known].nunique() > 1
    rank = float(stats.spearmanr(found.loc[known, "rules_best"].astype(float), lc[known]).statistic) if varies else None
    afterwards, kept = (
        int(found[name].astype("boolean").fillna(value=False).astype(bool).sum())
        for name in ("won_after_all_correct", "all_correct_at_last")
    )
    return (
        str(len(found)),
        _share_of(found.loc[known, "rules_last"].astype(float)),
        _share_of(lc),
        f"{int(every.sum())} of {len(found)}",
        spread_cells(times)[2],
        _share_of(lc[every]),
        _share_of(lc[~every]),
        f"{afterwards} of {int(every.sum())}",
        f"{kept} of {int(every.sum())}",
        signed(rank, 2),
    )


def _mean(files: StudyFiles, arms: Sequence[str], endpoint: str) -> str:
    """Return the mean over the cells' means: a cell with fewer sessions counts as much; a dash if one has none."""
    means = files.valid[files.valid["arm"].isin(list(arms))].groupby("arm")[endpoint].mean().dropna()
    return DASH if len(means) < len(arms) else _shown(float(means.mean()), endpoint)


def _shown(value: float, endpoint: str) -> str:
    return f"{number(value, 1, 100)} %" if endpoint in SHARES else number(value)


def _share_of(values: pd.Series) -> str:
    return DASH if values.empty else f"{number(float(values.mean()), 1, 100)} %"


def _percent(share: str) -> str:
    return f"{number(float(share), 1, 100)} %"


def _kappa(value: str) -> str:
    return number(float(value), 3) if value else "undefined (no variation)"


def _of(stated: Sequence[bool]) -> str:
    return f"{sum(stated)} of {len(stated)}"
