"""`python -m diag play [language=en] [instructions=full] [levels=FOLDER] [record=true objective=NAME]`: play.

With `record=true` every visitor's session is written as an episode of the objective, in the events of an agent's, and
beside a board stands what an agent sees there (instructions=brief); levels unlock in order, as in whole episodes.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from diag.errors import ConfigError, one_line
from diag.studies.episodes.recorder import RecordingServer, recorder_factory
from diag.terminal import options, say
from games.catalogue import load_catalogue
from games.suite.server import ServerError, SuiteServer


def main(arguments: Sequence[str]) -> int:
    """Print the address and serve until Ctrl-C; with a recording, say what each session came to."""
    given = _given(arguments)
    levels = load_catalogue(Path(given["levels"]) if given["levels"] else None)
    settings: dict[str, Any] = {
        "port": int(given["port"]),
        "front_door": True,
        "front_language": given["language"],
        "front_instructions": given["instructions"],
        "front_unlock": "in_order" if given["record"] == "true" else "all",
    }
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


def _given(arguments: Sequence[str]) -> dict[str, str]:
    """Return the options; a person who is recorded sees beside the board what an agent sees. Raises ConfigError."""
    known = {"language": "en", "levels": "", "port": "0", "record": "false", "objective": "", "outputs": "outputs"}
    given = options(arguments, {**known, "instructions": ""})
    given["instructions"] = given["instructions"] or ("brief" if given["record"] == "true" else "full")
    wanted = {"language": ("en", "zh"), "instructions": ("brief", "full", "none"), "record": ("true", "false")}
    for name, values in wanted.items():
        if given[name] not in values:
            raise ConfigError(f"found {name}={given[name]}, wanted {name}={'|'.join(values)}")
    if not given["port"].isdecimal():
        raise ConfigError(f"found port={given['port']}, wanted a port number")
    return given


def _recording(levels: Any, given: dict[str, str], settings: dict[str, Any]) -> Any:
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
