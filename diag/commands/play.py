"""`python -m diag play [language=en] [levels=FOLDER] [port=0]`: serve the suite for a person with a browser."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from diag.commands.options import options
from diag.errors import ConfigError


def main(arguments: Sequence[str]) -> int:
    """Print the address and serve until Ctrl-C."""
    from games.catalogue import load_catalogue
    from games.suite.server import ServerError, SuiteServer

    given = options(arguments, {"language": "en", "levels": "", "port": "0"})
    language: Any = given["language"]
    if language not in ("en", "zh") or not given["port"].isdecimal():
        raise ConfigError(f"found language={language} port={given['port']}, wanted language=en|zh and a port number")
    levels = load_catalogue(Path(given["levels"]) if given["levels"] else None)
    try:
        with SuiteServer(levels, port=int(given["port"]), front_door=True, front_language=language) as server:
            sys.stdout.write(f"open http://127.0.0.1:{server.port}/   (every visitor gets a session; Ctrl-C ends)\n")
            sys.stdout.flush()
            threading.Event().wait()
    except ServerError as error:
        raise ConfigError(" ".join(str(error).split())) from error
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    return 0
