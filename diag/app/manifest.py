"""What a study ran on: code, packages, browser, machine. For readers; nothing is decided by it."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import games
from diag.app.setup import Prepared
from diag.config import CHECKOUT, LOCK
from diag.records.study_folder import utc_now
from games.registry import registered_games
from games.suite.browser import BrowserMissing, find
from solvers.registry import registered_solvers

_PACKAGES = ("hydra-core", "omegaconf", "playwright", "numpy", "scipy", "pandas", "mlflow", "joblib")


def manifest(prepared: Prepared) -> dict[str, Any]:
    """Return the facts of this run."""
    return {
        "written_utc": utc_now(),
        "plan_hash": prepared.plan.plan_hash,
        "agent": {"name": prepared.agent.name, "simulated": prepared.agent.simulated},
        "clock": prepared.executor.clock,
        "browser": _browser() if prepared.executor.browser else "none: rules only",
        "library": {"name": prepared.library.name, "digest": prepared.library.digest},
        "code": code_state(),
        "lock_sha256": _file_digest(LOCK),
        "suite_sha256": _tree_digest(Path(games.__file__).parent),
        "games": sorted(registered_games()),
        "solvers": {name: solver.version for name, solver in sorted(registered_solvers().items())},
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "packages": {name: _version(name) for name in _PACKAGES},
    }


def code_state() -> dict[str, str | None]:
    """Return the commit and a digest of what differs from it; None outside a git checkout of this repository."""
    commit = _git("rev-parse", "HEAD")
    diff = _git("diff", "HEAD")
    dirty = hashlib.sha256(diff.encode()).hexdigest() if diff else None
    return {"commit": commit.strip() if commit else None, "dirty_diff_sha256": dirty}


def _git(*arguments: str) -> str | None:
    if CHECKOUT is None:
        return None
    try:
        done = subprocess.run(
            ["git", "-C", str(CHECKOUT), *arguments], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _browser() -> str | None:
    try:
        return str(find().path.name)
    except BrowserMissing:
        return None


def _file_digest(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def _tree_digest(root: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
