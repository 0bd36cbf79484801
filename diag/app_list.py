"""`python -m diag list`: experiments, agents and interventions, each with its own first line of description."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from diag.app_errors import group_options

CONF = Path(__file__).parent.parent / "conf"


def listing(conf: Path = CONF) -> str:
    """Return what there is to choose from."""
    parts = [_group(conf, "experiment", "Experiments   python -m diag +experiment=NAME")]
    parts.append(_group(conf, "agent", "Agents        agent=NAME"))
    parts.append(_group(conf, "intervention", "Interventions +intervention@study.arms.LETTER=NAME"))
    return "\n\n".join(parts)


def short_help(conf: Path = CONF) -> str:
    """Return what somebody reads who gave no experiment."""
    return (
        "python -m diag +experiment=NAME [agent=NAME] [mode=plan|run|regrade|analyse|track|report|calibrate|all]\n\n"
        f"{listing(conf)}\n\nTry: python -m diag +experiment=rq2 mode=plan"
    )


def _group(conf: Path, group: str, heading: str) -> str:
    options = group_options(conf, group)
    width = max((len(name) for name in options), default=0)
    lines = [f"  {name:<{width}}  {description(conf / group / f'{name}.yaml')}".rstrip() for name in options]
    return "\n".join([heading, *(lines or ["  (none)"])])


def description(path: Path) -> str:
    """Return a config file's `description`, or its question, or its first comment that is no directive."""
    text = path.read_text()
    loaded = OmegaConf.load(path)
    data: Any = OmegaConf.to_container(loaded) if isinstance(loaded, DictConfig) else {}
    found = data.get("description") or (data.get("study") or {}).get("question")
    if found:
        return str(found)
    comments = (line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#"))
    return next((line for line in comments if line and not line.startswith("@package")), "")
