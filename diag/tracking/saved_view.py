"""The runs table that opens at once: a flat, sorted table of the conditions with their paired differences.

MLflow keeps a shared view as one experiment tag. The format is undocumented (read off 3.17); a view that cannot be
written is left out, and nothing depends on it.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

KEY = "paired"
TAG = f"mlflow.sharedViewState.{KEY}"
COLUMNS = (
    "tags.`cohort`",
    "tags.`condition`",
    "tags.`reference`",
    "tags.`model`",
    "tags.`headline`",
    "metrics.`score`",
    "metrics.`delta`",
    "metrics.`delta.ci_lo`",
    "metrics.`delta.ci_hi`",
    "metrics.`p_signflip`",
    "metrics.`n_units`",
    "metrics.`n_missing`",
)


def view_tag(now_ms: int) -> str:
    """Return the value of the experiment tag."""
    state: dict[str, Any] = {
        "searchFilter": "tags.role = 'condition'",
        "orderByKey": "metrics.`delta`",
        "orderByAsc": False,
        "startTime": "ALL",
        "lifecycleFilter": "Active",
        "datasetsFilter": [],
        "modelVersionFilter": "All Runs",
        "selectedColumns": list(COLUMNS),
    }
    packed = base64.b64encode(zlib.compress(json.dumps(state).encode())).decode()
    view = {"name": "Paired deltas", "createdAt": now_ms, "updatedAt": now_ms, "state": f"deflate;{packed}"}
    return json.dumps(view)


def view_link(experiment_id: str) -> str:
    """Return the part of the link behind the server's address."""
    return f"/#/experiments/{experiment_id}/runs?viewStateShareKey={KEY}&workflowType=machine_learning"
