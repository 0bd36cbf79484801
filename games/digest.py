"""One canonical JSON and one digest for everything that is compared by name: states, layouts, plans, contexts."""

from __future__ import annotations

import hashlib
import json

from games.contract import JsonValue, LevelId


def canonical_json(value: JsonValue) -> str:
    """Return JSON with sorted keys and no spaces: equal values give equal text. Raises ValueError on NaN, infinity."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def sha256_of(value: JsonValue) -> str:
    """Return the SHA-256 (hex) of the canonical JSON of a value."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def state_digest(level: LevelId, state: JsonValue) -> str:
    """Return the name of a state: a digest over its level and every field of its JSON form."""
    return sha256_of({"level": str(level), "state": state})
