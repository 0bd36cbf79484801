"""The typed configuration: every field classified, identity without runtime."""

from dataclasses import dataclass, field

from diag.config import Config, ExecutionConfig, SuiteConfig, TextConfig, identity_values, unclassified
from diag.studies.registry import kinds

STUDIES = tuple(kind.config for kind in kinds().values())
NODES = (Config, *STUDIES, TextConfig, *(keys for kind in kinds().values() for keys in kind.arm_configs.values()))


def test_every_field_is_identity_or_runtime():
    assert [name for node in NODES for name in unclassified(node)] == []


def test_an_unclassified_field_is_found_however_deep():
    @dataclass
    class Inner:
        forgotten: int = 0

    @dataclass
    class Outer:
        inner: Inner = field(default_factory=Inner, metadata={"role": "identity"})

    assert unclassified(Outer) == ["Inner.forgotten"]


def test_identity_leaves_runtime_out():
    values = identity_values(ExecutionConfig(n_jobs=7, max_attempts=2))
    assert values == {"max_attempts": 2}
    assert "port" not in identity_values(SuiteConfig(port=8080))
