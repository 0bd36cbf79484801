"""`python -m diag play [language=en] [levels=FOLDER] [port=0] [record=true objective=NAME]`: play in a browser.

With `record=true` every visitor's session is written as an episode of the objective, in the events of an agent's.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from diag.errors import ConfigError, one_line
from diag.terminal import options, say


def main(arguments: Sequence[str]) -> int:
    """Print the address and serve until Ctrl-C; with a recording, say what each session came to."""
    from games.catalogue import load_catalogue
    from games.suite.server import ServerError, SuiteServer

    known = {"language": "en", "levels": "", "port": "0", "record": "false", "objective": "", "outputs": "outputs"}
    given = options(arguments, known)
    language: Any = given["language"]
    if language not in ("en", "zh") or not given["port"].isdecimal() or given["record"] not in ("true", "false"):
        raise ConfigError(
            f"found language={language} port={given['port']} record={given['record']}, wanted language=en|zh, a port "
            "number and record=true|false"
        )
    levels = load_catalogue(Path(given["levels"]) if given["levels"] else None)
    settings = {"port": int(given["port"]), "front_door": True, "front_language": language}
    server: Any = _recording(levels, given, settings) if given["record"] == "true" else SuiteServer(levels, **settings)
    try:
        with server:
            say(f"open http://127.0.0.1:{server.port}/   (every visitor gets a session; Ctrl-C ends)")
            threading.Event().wait()
    except ServerError as error:
        raise ConfigError(one_line(error)) from error
    except KeyboardInterrupt:
        say("")
    finally:
        _close(server)
    return 0


def _recording(levels: Any, given: dict[str, str], settings: dict[str, Any]) -> Any:
    from diag.studies.episodes.recorder import RecordingServer, recorder_factory

    if not given["objective"]:
        raise ConfigError("record=true wants objective=GAME/DIFFICULTY, as in objective=bolt_unscrew/hard")
    make = recorder_factory(levels, given["objective"], Path(given["outputs"]).resolve())
    return RecordingServer(levels, make_recorder=make, **settings)


def _close(server: Any) -> None:
    """End what is still recorded and say where it is; nothing for a server without recorders."""
    if not hasattr(server, "end_all"):
        return
    server.end_all()
    for recorder in server.recorders:
        outcome = recorder.outcome()
        if outcome is not None and outcome.endpoints:
            won, n = outcome.endpoints["n_won"], outcome.endpoints["n_levels"]
            say(f"{recorder.folder.root}: {won} of {n} levels, {outcome.n_actions} actions, {outcome.elapsed_s:.0f} s")
