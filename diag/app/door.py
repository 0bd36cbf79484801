"""What users type, before Hydra reads it: options before overrides, and names that Hydra would take for values."""

from __future__ import annotations

from collections.abc import Sequence

from diag.app.dispatch import command_names
from diag.app.explain import known_keys
from diag.config.quoting import as_typed, quoted, quoted_value
from diag.errors import ConfigError
from diag.studies.registry import known_text_keys

_SHORT_KEYS = {"games": "study.folder"}
"""What may be typed instead of a key: `env=arc games=FOLDER`."""
_OPTIONS_WITH_VALUE = frozenset(
    ("--config-dir", "-cd", "--config-path", "-cp", "--config-name", "-cn", "--package", "-p", "--cfg", "-c")
)

_SWITCHES = {"--failed": "execution.failed=true", "--collect-only": "mode=collect"}
_LONG = (
    "--help", "--hydra-help", "--version", "--cfg", "--resolve", "--package", "--run", "--multirun",
    "--shell-completion", "--config-path", "--config-name", "--config-dir", "--experimental-rerun", "--info",
)  # fmt: skip
_SHORT = ("-h", "-c", "-p", "-r", "-m", "-sc", "-cp", "-cn", "-cd", "-i")


def as_hydra_reads(arguments: Sequence[str]) -> list[str]:
    """Return the command line in the form in which Hydra understands it as it was meant.

    Raises:
        ConfigError: a bare word, which is neither a command nor `key=value`.
    """
    options, overrides = _apart([_whole_key(word) for word in _chosen_units(arguments)])
    _refuse_unknown(options, overrides)
    for word in overrides:
        if "=" not in word and not word.startswith("~"):
            raise ConfigError(f"found {word!r}, wanted key=value, or first a command: {', '.join(command_names())}")
    text = known_text_keys()
    return options + [as_typed(quoted_value(override), text) for override in overrides]


def _chosen_units(arguments: Sequence[str]) -> list[str]:
    """Return the words with pytest's options put into ours: --only NAME, --failed, --collect-only.

    Raises:
        ConfigError: --only without a name.
    """
    words: list[str] = []
    only: list[str] = []
    rest = iter(arguments)
    for word in rest:
        option, equals, value = word.partition("=")
        if option == "--only":
            value = value if equals else next(rest, "")
            if not value or value.startswith("-") or "=" in value:
                raise ConfigError(
                    f"--only: found {value or 'nothing'!r}, wanted a block, an arm of it or a unit: D01-B"
                )
            only += [name.strip() for name in value.split(",") if name.strip()]
        else:
            words.append(_SWITCHES.get(word, word))
    if only:
        words.append(f"study.only=[{','.join(quoted(name) for name in dict.fromkeys(only))}]")
    return words


def _whole_key(word: str) -> str:
    key, equals, value = word.partition("=")
    return f"{_SHORT_KEYS[key]}={value}" if equals and key in _SHORT_KEYS else word


def _refuse_unknown(options: Sequence[str], overrides: Sequence[str]) -> None:
    """Refuse an option that Hydra does not have and the key it was meant for. Raises ConfigError."""
    for place, option in enumerate(options):
        name, _, given = option.partition("=")
        before = options[place - 1] if place else ""
        if before in _OPTIONS_WITH_VALUE or name in _SHORT or any(one.startswith(name) for one in _LONG):
            continue
        word = name.lstrip("-").replace("-", "_")
        keys = [key for key in known_keys() if word in (key, key.rpartition(".")[2])]
        value = given or next((one for one in overrides if "=" not in one), "VALUE")
        wanted = f"{keys[0]}={value}" if keys else "key=value; python -m diag --help lists the options"
        raise ConfigError(f"found {option!r}, wanted {wanted}")


def _apart(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return `--options` and overrides: argparse takes overrides only in one run, users mix them."""
    options: list[str] = []
    overrides: list[str] = []
    takes_value = False
    for argument in arguments:
        is_option = argument.startswith("-") and argument != "-"
        (options if is_option or takes_value else overrides).append(argument)
        takes_value = is_option and argument in _OPTIONS_WITH_VALUE
    return options, overrides
