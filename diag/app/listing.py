"""`python -m diag list`: experiments, agents and interventions, each with its own first line of description."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from diag.app.explain import group_options
from diag.config import CONF
from diag.config.words import load_words


def listing(own: Path | None = None, *, conf: Path = CONF) -> str:
    """Return what there is to choose from; `own` is a folder of the user's own options (Hydra's `--config-dir`)."""
    folders = (conf, *([own] if own else []))
    parts = [_group(folders, "experiment", "Experiments   python -m diag +experiment=NAME")]
    parts.append(_group(folders, "agent", "Agents        agent=NAME"))
    parts.append(_group(folders, "intervention", "Interventions +intervention@study.arms.LETTER=NAME"))
    return "\n\n".join(parts)


def short_help(conf: Path = CONF) -> str:
    """Return what somebody reads who gave no experiment."""
    return (
        "python -m diag +experiment=NAME [agent=NAME] "
        "[mode=plan|run|regrade|analyse|track|report|calibrate|collect|all]\n\n"
        f"{listing(conf=conf)}\n\nTry: python -m diag +experiment=rq2 mode=plan"
    )


def long_help(conf: Path = CONF) -> str:
    """Return what `--help` alone prints: the commands, the modes, examples, and what there is to choose from."""
    found: Any = OmegaConf.to_container(OmegaConf.load(conf / "config.yaml"), resolve=False)
    header, template = (str(found["hydra"]["help"][key]) for key in ("header", "template"))
    usage = template.replace("${hydra.help.header}", header).partition("Groups (group=option)")[0]
    return (
        f"{usage.rstrip()}\n\n{listing(conf=conf)}\n\n"
        "Every key with its value: python -m diag +experiment=NAME --cfg job; HYDRA_FULL_ERROR=1 shows tracebacks."
    )


def _group(folders: Sequence[Path], group: str, heading: str) -> str:
    found = {name: folder / group / f"{name}.yaml" for folder in folders for name in group_options(folder, group)}
    width = max((len(name) for name in found), default=0)
    lines = [f"  {name:<{width}}  {description(path)}".rstrip() for name, path in found.items()]
    return "\n".join([heading, *(lines or ["  (none)"])])


def description(path: Path) -> str:
    """Return a config file's `description`, or its question, or its first comment that is no directive."""
    text = path.read_text()
    with path.open(encoding="utf-8") as stream:
        loaded = load_words(stream, text_keys={"description": False, "study.question": False})
    data: Any = OmegaConf.to_container(loaded) if isinstance(loaded, DictConfig) else {}
    found = data.get("description") or (data.get("study") or {}).get("question")
    if found:
        return str(found)
    comments = (line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#"))
    return next((line for line in comments if line and not line.startswith("@package")), "")
