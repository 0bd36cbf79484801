"""A study's language is one setting, `suite.language`: a text may be given per language; labels come from the screen.

A value whose keys are languages, `{en: ..., zh: ...}`, stands for the one text that is told. `{label:restart}` in a
text stands for what the suite's own texts call that control: an arm quotes what the agent can see.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from diag.errors import ConfigError
from games.suite.texts import LANGUAGES, Language, suite_text

_LABEL = re.compile(r"\{label:([^{}]*)\}")


def in_language(value: Any, language: Language, name: str) -> Any:
    """Return a composed value with every text in one language and every label as the screen has it.

    Args:
        value: plain mappings, lists and values.
        language: of the study.
        name: dotted key of the value, for messages.

    Raises:
        ConfigError: a text is given per language but not in this one, or a label is none of the suite's texts.
    """
    if isinstance(value, Mapping):
        if value and set(value) <= set(LANGUAGES):
            if language not in value:
                raise ConfigError(
                    f"{name}: found a text in {', '.join(value)}, wanted one in {language} (suite.language)"
                )
            return in_language(value[language], language, name)
        return {key: in_language(one, language, f"{name}.{key}") for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(in_language(one, language, f"{name}[{place}]") for place, one in enumerate(value))
    return _with_labels(value, language, name) if isinstance(value, str) else value


def _with_labels(text: str, language: Language, name: str) -> str:
    def label(found: re.Match[str]) -> str:
        try:
            return suite_text(language, found[1])
        except KeyError as error:
            raise ConfigError(
                f"{name}: found {found[0]}, wanted a text of the suite, as in {{label:restart}} or {{label:undo}}"
            ) from error

    return _LABEL.sub(label, text)
