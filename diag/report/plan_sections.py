"""What a plan could find before it ran, and what it finds where there is nothing: the power panel and the A/A panel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from diag.errors import CorruptRecord
from diag.reading.effect_rows import EffectRow, interval_words
from diag.reading.markup import Section, note, section, table
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, contrast_words, number, p_value, signed, words
from diag.records.sealed import read_sealed
from diag.report.calibration import CalibrationRow

_SAYING = ("name", "description")
"""What an arm is called; two arms that differ in nothing else are one arm."""


def power_section(files: StudyFiles) -> Section:
    """Return the power of each contrast as it was worked out before the first outcome (`power.json`)."""
    title = "Power of the plan"
    path = files.folder / "power.json"
    if not path.is_file():
        return section("power", title, note("Not recorded: mode=plan writes power.json beside the plan."))
    try:
        record = read_sealed(path)
    except CorruptRecord as error:
        return section("power", title, note(f"Left out: {error}; mode=report writes it again."))
    if record["plan_hash"] != files.plan.plan_hash:
        whose = f"{path} is of plan {record['plan_hash'][:12]}, wanted {files.plan.plan_hash[:12]}"
        return section("power", title, note(f"Left out: {whose}; mode=report writes it again."))
    powers = record["contrasts"]
    if not powers:
        return section("power", title, note("This plan declares no contrast."))
    late = "without looking at an outcome, but after the first one: power.json was missing or damaged"
    when = "before any outcome" if record["before_any_outcome"] else late
    caption = (
        f"Worked out from the plan alone, {when}: {record['studies']} simulated studies a figure (Monte Carlo error up "
        f"to {100 * 0.5 / record['studies'] ** 0.5:.1f} points), each decided as this report decides. Assumed: "
        f"{'; '.join(dict.fromkeys(power['assumptions'] for power in powers))}. Detectable: the least true effect that "
        f"is supported with {powers[0]['target_power']:.0%} power. Least p: no outcome has a smaller one; from 0.05 on "
        "the contrast can never be supported."
    )
    head = (
        *("Contrast", "Endpoints", "Blocks / clusters", "Corrected together", "Least p", "Detectable"),
        "Power at a true effect of",
    )
    shown = table(head, [_power_row(power) for power in powers], caption)
    return section("power", title, shown)


def lost_calibration(fault: str) -> Section:
    """Return what stands in place of a calibration that cannot be read."""
    return section("calibration", "Calibration", note(f"Left out: {fault}"))


def aa_section(files: StudyFiles, calibration: tuple[CalibrationRow, ...]) -> Section:
    """Return what the study finds between equal arms, and in simulated studies without an effect."""
    parts = []
    twins = same_as_control(files)
    rows = [effect for effect in files.effects if effect.treatment in twins and effect.control == files.control]
    if rows:
        caption = (
            "The two arms are equal in every byte, so every difference is chance: these rows show how far chance goes "
            "in this study, and are no test of it."
        )
        head = ("Contrast", "Endpoint", "Pairs / clusters", "Effect", "CR2 95 %", "Sign-flip p")
        parts.append(table(head, [_aa_row(row) for row in rows], caption, words=2))
    elif not twins:
        parts.append(note("This study has no A/A arm. +intervention@study.arms.P=placebo adds one."))
    else:
        parts.append(note(f"Arm {', '.join(twins)} equals the control and has no analysed contrast."))
    parts += [
        note(
            f"In {row.studies} simulated studies of this shape without an effect ({row.contrast}) the sign-flip test "
            f"at 0.05 found one in {number(row.reject_share, 1, 100)} %."
        )
        for row in calibration
        if row.is_null and row.reject_share is not None
    ]
    return section("aa", "A/A: where there is nothing to find", *parts)


def same_as_control(files: StudyFiles) -> tuple[str, ...]:
    """Return the arms whose intervention differs from the control's in nothing but its name."""
    control = _essence(files, files.control)
    arms = sorted({unit.arm for unit in files.plan.units} - {files.control})
    return tuple(arm for arm in arms if control and _essence(files, arm) == control)


def _essence(files: StudyFiles, arm: str) -> dict[str, Any]:
    found = files.identity("study", "arms", arm)
    return {key: value for key, value in found.items() if key not in _SAYING} if isinstance(found, Mapping) else {}


def _power_row(power: Mapping[str, Any]) -> tuple[str | Markup, ...]:
    share = power["unit"] == "share"
    scale, unit = (100.0, " points") if share else (1.0, " SD")
    least = power["minimum_detectable"]
    steps = ", ".join(
        f"{signed(effect, 0 if share else 1, scale)}: {power_at:.0%}" for effect, power_at in power["power_at"]
    )
    return (
        f"{power['cohort']} {_contrast(power)}",
        ", ".join(words(name) for name in power["endpoints"]),
        f"{power['n_blocks']} / {power['n_clusters']}",
        str(power["family_size"]),
        p_value(power["smallest_p"]),
        "none" if least is None else f"{number(least, 0 if share else 2, scale)}{unit}",
        steps or DASH,
    )


def _contrast(power: Mapping[str, Any]) -> str:
    """Return the contrast as it is read; a sum over several arms has a name of its own."""
    treatment, control = power["treatment"], power["control"]
    return contrast_words(treatment, control) if power["name"] == f"{treatment}-{control}" else str(power["name"])


def _aa_row(row: EffectRow) -> tuple[str | Markup, ...]:
    scale = 100.0 if row.is_share else 1.0
    return (
        f"{row.cohort} {row.label}",
        words(row.endpoint),
        f"{row.n_pairs} / {row.n_clusters}",
        signed(row.estimate, 1, scale),
        interval_words(row.t, scale),
        p_value(row.p_signflip),
    )
