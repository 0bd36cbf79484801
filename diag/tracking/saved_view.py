"""The views that open at once: a flat, sorted table of the conditions, and charts of the agents side by side.

MLflow keeps a shared view as one experiment tag. The format is undocumented (read off 3.17); a view that cannot be
written is left out, and nothing depends on it.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_TAG = "mlflow.sharedViewState."
_SCRIPT = """<script>
for (const [key, value] of Object.entries({
  "mlflow.workflowType_v1": '"machine_learning"',
  "mlflow.assistant.fab.autoOpenedOnFirstLoad_v1": "true",
  "mlflow.assistant.panelOpen_v1": "false",
})) if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
const views = VIEWS, first = Object.values(views)[0];
if (location.hash.length < 3 && first) location.replace(first);
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]")?.getAttribute("href") ?? "";
  const view = views[link.match(/^#\\/experiments\\/(\\d+)\\/?(?:overview|traces)?(?:\\/usage)?(?:\\?|$)/)?.[1]];
  if (!view || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  location.assign(view);
}, true);
</script>"""
"""Lets an experiment open its view: MLflow decides in the browser what a click on one opens."""
LINKS = "DIAG_UI_LINKS"
"""Environment variable of the server: JSON, id of an experiment -> link to its view; the first is opened first."""
PRIMARY_METRIC = "mlflow.experiment.primaryMetric.name"
"""Experiment tag that names the metric MLflow puts first."""
CONDITION_COLUMNS = (
    "tags.`model`",
    "tags.`evidence`",
    "tags.`cohort`",
    "tags.`condition`",
    "tags.`delta_endpoint`",
    "tags.`delta_against`",
    "metrics.`score`",
    "metrics.`delta`",
    "metrics.`delta.ci_lo`",
    "metrics.`delta.ci_hi`",
    "metrics.`p_signflip`",
    "metrics.`n_units`",
    "metrics.`n_missing`",
)
AGENT_COLUMNS = (
    "tags.`evidence`",
    "tags.`headline`",
    "tags.`delta_endpoint`",
    "tags.`delta_against`",
    "metrics.`delta`",
    "metrics.`delta.ci_lo`",
    "metrics.`delta.ci_hi`",
    "metrics.`delta.p_signflip`",
    "metrics.`n_valid`",
    "metrics.`n_missing`",
)


@dataclass(frozen=True)
class View:
    """One shared view of an experiment."""

    key: str
    title: str
    role: str
    """Which runs: `condition` or `study`."""
    columns: tuple[str, ...]
    bars: tuple[str, ...]
    """Metrics with a bar a run in the first section of the chart view."""
    lines: tuple[str, ...]
    """Metrics with steps."""
    mode: str
    """What opens: the TABLE or the CHART."""

    @property
    def tag(self) -> str:
        """The experiment tag that holds it."""
        return f"{_TAG}{self.key}"

    def link(self, experiment_id: str) -> str:
        """Return the part of the link behind the server's address."""
        mode = "" if self.mode == "TABLE" else f"&compareRunsMode={self.mode}"
        return f"/#/experiments/{experiment_id}/runs?viewStateShareKey={self.key}&workflowType=machine_learning{mode}"


PAIRED = View(
    key="paired",
    title="Paired deltas by arm",
    role="condition",
    columns=CONDITION_COLUMNS,
    bars=("delta", "delta.ci_lo", "delta.ci_hi", "score"),
    lines=("delta_by_level",),
    mode="TABLE",
)
AGENTS = View(
    key="agents",
    title="Agents side by side",
    role="study",
    columns=AGENT_COLUMNS,
    bars=("delta", "delta.ci_lo", "delta.ci_hi", "n_missing"),
    lines=(),
    mode="CHART",
)
VIEWS = (PAIRED, AGENTS)


def view_tag(view: View, now_ms: int) -> str:
    """Return the value of the experiment tag."""
    head = {"name": view.title, "createdAt": now_ms, "updatedAt": now_ms}
    return json.dumps({**head, "state": packed_state(view)})


def packed_state(view: View) -> str:
    """Return the view's state as MLflow keeps it."""
    section = f"{view.key}-headline"
    state: dict[str, Any] = {
        "searchFilter": f"tags.role = '{view.role}'",
        "orderByKey": "metrics.`delta`",
        "orderByAsc": False,
        "startTime": "ALL",
        "lifecycleFilter": "Active",
        "datasetsFilter": [],
        "modelVersionFilter": "All Runs",
        "selectedColumns": list(view.columns),
        "hideEmptyCharts": True,
        "isAccordionReordered": True,  # or MLflow sorts its sections by name and ours is not the first
        "compareRunCharts": [*_charts("BAR", view.bars, section), *_charts("LINE", view.lines, section)],
        "compareRunSections": [
            {
                "uuid": section,
                "name": "Headline effect",
                "display": True,
                "isReordered": False,
                "deleted": False,
                "isGenerated": False,
            }
        ],
    }
    return f"deflate;{base64.b64encode(zlib.compress(json.dumps(state).encode())).decode()}"


def _charts(kind: str, metrics: Sequence[str], section: str) -> list[dict[str, Any]]:
    return [
        {
            "type": kind,
            "uuid": f"{section}-{metric}",
            "metricKey": metric,
            "displayName": metric,
            "runsCountToCompare": 20,
            "metricSectionId": section,
            "deleted": False,
            "isGenerated": True,
            **({"selectedMetricKeys": [metric], "xAxisKey": "step"} if kind == "LINE" else {}),
        }
        for metric in metrics
    ]


def page(html: str, views: Mapping[str, str]) -> str:
    """Return MLflow's page with the script ahead of its own ones. `views`: id of an experiment -> link to a view."""
    told = json.dumps(views).replace("<", "\\u003c")
    return html.replace("<head>", "<head>" + _SCRIPT.replace("VIEWS", told), 1)
