"""YAML files keep the words of text keys as typed: `name: 0.10`, `1_0`, `0x1F`, `on` and `~` are names there.

YAML makes a value of a bare word before anything knows what the key holds, and `0.10` comes back as `0.1`. So the nodes
are looked at before values are made of them. Names of keys (arms, models, cohorts) are words everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, ClassVar

import yaml  # type: ignore[import-untyped]  # PyYAML comes with omegaconf, without types
from hydra._internal.core_plugins.file_config_source import FileConfigSource
from hydra._internal.sources_registry import SourcesRegistry
from hydra.core.plugins import Plugins
from hydra.plugins.config_source import ConfigLoadError, ConfigResult
from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf._utils import get_yaml_loader

from diag.config.quoting import null_of_text
from diag.config.text_keys import ANY

_TEXT, _NULL, _MERGE = (f"tag:yaml.org,2002:{name}" for name in ("str", "null", "merge"))
_VALUES = {f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null", "value")}
_PLACES = {"intervention": f"study.arms.{ANY}"}
"""Group -> where its options go, if they do not say so and it is not the group's own name."""
_OPTIONS = [f"defaults{depth * f'.{ANY}'}" for depth in (1, 2, 3)]
"""Where a file names the options that it is made from."""


def install(text_keys: Mapping[str, bool]) -> None:
    """Have Hydra read YAML files in this way.

    Args:
        text_keys: dotted key -> whether null is a value of it (`diag.config.text_keys`).
    """
    _Words.text_keys = text_keys
    Plugins.instance()  # registers Hydra's own sources
    SourcesRegistry.instance().types[_Words.scheme()] = _Words


def load_words(
    stream: IO[str], place: str = "", text_keys: Mapping[str, bool] | None = None
) -> DictConfig | ListConfig:
    """Return what a YAML file holds, as `OmegaConf.load` does, with the words of text keys as typed.

    Args:
        stream: the open file.
        place: the dotted place of its contents among the keys.
        text_keys: as for `install`; None: the names of keys alone are kept.
    """
    loader = get_yaml_loader()(stream)
    try:
        root = loader.get_single_node()
        if root is None:
            return OmegaConf.create()
        _keep(root, place, text_keys or {})
        found = loader.construct_document(root)
    finally:
        loader.dispose()
    if not isinstance(found, dict | list):
        raise yaml.YAMLError(f"{getattr(stream, 'name', 'a YAML file')}: found {found!r:.50}, wanted keys and values")
    return OmegaConf.create(found)


class _Words(FileConfigSource):
    """Hydra's source of configuration files."""

    text_keys: ClassVar[Mapping[str, bool]] = {}

    def load_config(self, config_path: str) -> ConfigResult:
        path = Path(self.path, self._normalize_file_name(config_path))
        if not path.exists():
            raise ConfigLoadError(f"Config not found : {path}")
        with path.open(encoding="utf-8") as stream:
            header = self._get_header_dict(stream.read(512))
            stream.seek(0)
            place = _place(config_path, header.get("package"))
            options = {f"{place}.{option}".lstrip("."): True for option in _OPTIONS}
            config = load_words(stream, place, {**self.text_keys, **options})
        return ConfigResult(config=config, path=f"{self.scheme()}://{self.path}", provider=self.provider, header=header)


def _place(config_path: str, package: str | None) -> str:
    """Return where among the keys a file's contents go: as its first line says, or by its group."""
    group = config_path.strip("/").rpartition("/")[0].partition("/")[0]
    named = (package or "_group_").replace("_group_", _PLACES.get(group, group))
    return named.replace("_global_", "").strip(".")


def _keep(node: yaml.Node, place: str, text_keys: Mapping[str, bool]) -> None:
    """Make words of what a text key holds, and of all names of keys, from `place` downwards."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.tag == _MERGE:
                _keep(value, place, text_keys)
                continue
            if _is_bare(key):
                key.tag = _TEXT
            name = str(key.value).replace(".", "-")  # a name with a dot is one name still
            _keep(value, f"{place}.{name}".lstrip("."), text_keys)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _keep(item, f"{place}.{ANY}", text_keys)
    elif _is_bare(node) and node.value:
        null_is_a_value = null_of_text(place, text_keys)
        if null_is_a_value is not None and not (null_is_a_value and node.tag == _NULL):
            node.tag = _TEXT


def _is_bare(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style is None and node.tag in _VALUES
