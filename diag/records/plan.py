"""From blocks and arms to a plan: every unit, its order, seed and checkpoint, fixed and hashed before any outcome.

Order. Blocks come in library order. The arms of each block have an order of their own, seeded and balanced over a
cohort's blocks (`diag.records.order`). Repeats follow after all arms, in the next order of the block's square.
Seeds are hashes of stable keys, never draws of one advancing generator: leaving a unit out re-seeds nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from diag.errors import CorruptRecord, IdentityError
from diag.records import SCHEMA_VERSION, Plan, Unit
from diag.records.order import Order, Square, squares
from games.contract import JsonObject
from games.digest import canonical_json, sha256_of

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+=,-]{0,199}")


STABILITY, AVERAGES = "stability", "averages"
"""What the repeats of a cell serve, as a plan with repeats states it (`study.repeats_serve` of its identity)."""


@dataclass(frozen=True)
class Block:
    """Everything that shares one checkpoint: its conditions differ in the intervention alone."""

    block_id: str
    cohort: str
    checkpoint_id: str
    checkpoint_digest: str
    cluster: str
    arms: tuple[str, ...]


def derive_seed(study: str, unit: str, purpose: str, *, seed: int) -> int:
    """Return 64 bits from SHA-256 over (study, seed, unit, purpose). Seed 0 is a seed like any other."""
    text = canonical_json([study, seed, unit, purpose])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def schedule(
    blocks: Sequence[Block], *, study: str, seed: int, repeats: int, shift: int = 0, stability_units: int = 0
) -> tuple[Unit, ...]:
    """Return all units in their fixed order.

    Args:
        blocks: in plan order.
        study: its name, part of every unit's seed.
        seed: the study's seed.
        repeats: units per block and arm.
        shift: takes an order so many places further on in each square.
        stability_units: so many cells get one more unit, after all others, one block and arm after the other.

    Raises:
        CorruptRecord: a block's name cannot be a file's name.
    """
    _require_file_names([block.block_id for block in blocks], study)
    units: list[Unit] = []
    for block, orders in zip(blocks, _orders(blocks, study=study, seed=seed), strict=True):
        for repeat in range(1, repeats + 1):
            for arm in orders[(repeat - 1 + shift) % len(orders)]:
                units.append(_unit(block, arm, repeat, len(units), study=study, seed=seed))
    for block, arm in _diagonal(blocks)[:stability_units]:
        units.append(_unit(block, arm, repeats + 1, len(units), study=study, seed=seed))
    return tuple(units)


def _diagonal(blocks: Sequence[Block]) -> list[tuple[Block, str]]:
    """Return all cells so that any first few of them are spread over blocks and arms alike."""
    most = max((len(block.arms) for block in blocks), default=0)
    places = [(block, place, turn) for turn in range(most) for place, block in enumerate(blocks)]
    return [
        (block, block.arms[(place + turn) % len(block.arms)]) for block, place, turn in places if turn < len(block.arms)
    ]


def _orders(blocks: Sequence[Block], *, study: str, seed: int) -> list[Square]:
    """Return the square of orders of each block, turned so that the block's own order is the first."""
    found: dict[tuple[str, Order], list[Square]] = {}
    alike = Counter((block.cohort, block.arms) for block in blocks)
    for (cohort, arms), n in alike.items():

        def key(draw: int, arm: str, cohort: str = cohort) -> int:
            return derive_seed(study, f"{cohort}/{draw}/{arm}", "order", seed=seed)

        size = len(arms)
        every = squares(arms, -(-n // size), key=key)
        found[cohort, arms] = [(*square[turn:], *square[:turn]) for square in every for turn in range(size)][::-1]
    return [found[block.cohort, block.arms].pop() for block in blocks]


def as_begun(stored: Plan, wanted: Plan) -> Plan:
    """Return the stored plan if only the order of its units differs: a study keeps the order it began in."""
    held, asked = (
        (plan.study, plan.identity, len(plan.units), {replace(unit, order=0) for unit in plan.units})
        for plan in (stored, wanted)
    )
    return stored if held == asked else wanted


def make_plan(study: str, units: tuple[Unit, ...], identity: JsonObject) -> Plan:
    """Hash the units and the identity into a plan."""
    return Plan(study, units, identity, plan_digest(study, units, identity))


def plan_digest(study: str, units: Sequence[Unit], identity: JsonObject) -> str:
    """Return the SHA-256 that every later record carries."""
    return sha256_of({"study": study, "units": [asdict(unit) for unit in units], "identity": identity})


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """Return the plan as it is written."""
    return asdict(plan)


def plan_from_json(data: Mapping[str, Any], origin: str) -> Plan:
    """Read a plan back and check its hash.

    Raises:
        CorruptRecord: it is not a plan, or a unit or an identity value is not the one that was hashed.
    """
    try:
        units = tuple(Unit(**unit) for unit in data["units"])
        plan = Plan(data["study"], units, data["identity"], data["plan_hash"])
        version = data["schema_version"]
        names = [name for unit in units for name in (unit.unit_id, unit.block_id)]
    except (KeyError, TypeError) as error:
        raise CorruptRecord(f"{origin}: not a plan: {error!r}") from error
    if version != SCHEMA_VERSION:
        raise CorruptRecord(f"{origin}: schema version {version!r}, wanted {SCHEMA_VERSION}")
    _require_file_names(names, origin)
    found = plan_digest(plan.study, plan.units, plan.identity)
    if found != plan.plan_hash:
        raise CorruptRecord(f"{origin}: its units and identity have hash {found[:12]}, wanted {plan.plan_hash[:12]}")
    return plan


def require_same(stored: Plan, wanted: Plan, folder: str) -> None:
    """Refuse to go on under another identity.

    Raises:
        IdentityError: one line naming the first field that differs, what the folder holds and what was asked for.
    """
    if stored.plan_hash == wanted.plan_hash:
        return
    name, found, asked = _first_difference(stored, wanted)
    raise IdentityError(
        f"{folder} holds another study: {name} is {found} there and {asked} now; "
        "give this one another name with study.name=NAME, or ask for what the folder holds"
    )


def _first_difference(stored: Plan, wanted: Plan) -> tuple[str, str, str]:
    found = {**flatten(stored.identity), **_unit_facts(stored)}
    asked = {**flatten(wanted.identity), **_unit_facts(wanted)}
    for name in [*asked, *found]:
        if found.get(name, "nothing") != asked.get(name, "nothing"):
            return name, _shown(found.get(name, "nothing")), _shown(asked.get(name, "nothing"))
    return "plan_hash", stored.plan_hash[:12], wanted.plan_hash[:12]


def flatten(value: Any, prefix: str = "") -> dict[str, Any]:
    """Return nested mappings as one, with dotted keys in sorted order; lists stay values."""
    if not isinstance(value, Mapping) or not value:
        return {prefix: value}
    flat: dict[str, Any] = {}
    for key in sorted(value):
        flat.update(flatten(value[key], f"{prefix}.{key}" if prefix else str(key)))
    return flat


def _unit_facts(plan: Plan) -> dict[str, Any]:
    return {"number of units": len(plan.units), "units": sha256_of([asdict(unit) for unit in plan.units])[:12]}


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else canonical_json(value)
    return repr(text[:77] + "..." if len(text) > 80 else text) if isinstance(value, str) else text[:80]


def _require_file_names(names: Sequence[Any], origin: str) -> None:
    """Names come from a library or a plan on disk and become folders: none may lead out of the study's."""
    for name in names:
        if not isinstance(name, str) or not _FILE_NAME.fullmatch(name):
            raise CorruptRecord(f"{origin}: block or unit {name!r:.80}: wanted letters, digits, '.', '_', '@' and '-'")


def _unit(block: Block, arm: str, repeat: int, order: int, *, study: str, seed: int) -> Unit:
    unit_id = f"{block.block_id}-{arm}-r{repeat}"
    return Unit(
        unit_id=unit_id,
        block_id=block.block_id,
        cohort=block.cohort,
        arm=arm,
        repeat=repeat,
        checkpoint_id=block.checkpoint_id,
        checkpoint_digest=block.checkpoint_digest,
        cluster=block.cluster,
        seed=derive_seed(study, unit_id, "agent", seed=seed),
        order=order,
    )
