"""MLflow's server as `diag ui` runs it: an experiment opens the paired view of its studies.

MLflow decides in the browser what a click on an experiment opens, and without a choice of the reader's takes its page
for chat traces, which shows the virtual clock as latency. One script in its page makes the other choice, unless the
reader made one, and leads to the view that the projection saved. It is an `mlflow.app`, MLflow's own way to extend it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

from mlflow.server.fastapi_app import app as mlflow_app
from starlette.requests import Request
from starlette.responses import Response

from diag.tracking.saved_view import LINKS, page


async def _first_page(request: Request, answer: Callable[[Request], Awaitable[Any]]) -> Any:
    found = await answer(request)
    if request.url.path != "/" or found.status_code != 200:
        return found
    html = b"".join([part async for part in found.body_iterator]).decode()
    views = json.loads(os.environ.get(LINKS, "{}"))
    return Response(page(html, views), media_type="text/html", headers={"Cache-Control": "no-cache"})


mlflow_app.middleware("http")(_first_page)
app = mlflow_app
