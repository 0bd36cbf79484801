"""Plans: the published design, order, seeds, hash, and what a resume refuses."""

from collections import Counter
from dataclasses import replace

import pytest

from diag.errors import CorruptRecord, IdentityError
from diag.records.plan import (
    Block,
    derive_seed,
    make_plan,
    plan_from_json,
    plan_to_json,
    require_same,
    rotated,
    schedule,
)

BLOCKS = tuple(Block(f"d{i}", "D", f"d{i}", "0" * 64, f"level{i % 7}", ("A", "B", "C")) for i in range(24))


def units(**changes):
    return schedule(BLOCKS, **{"study": "rq2", "seed": 0, "repeats": 1, **changes})


def test_every_arm_is_equally_often_at_every_place():
    places = Counter((unit.order % 3, unit.arm) for unit in units())
    assert set(places.values()) == {8}


def test_a_block_stays_together():
    blocks = [unit.block_id for unit in units()]
    assert blocks == sorted(blocks, key=blocks.index)


def test_rotation_by_hand():
    assert [rotated(("A", "B", "C"), i) for i in range(4)] == [
        ("A", "B", "C"), ("B", "C", "A"), ("C", "A", "B"), ("A", "B", "C"),
    ]  # fmt: skip


def test_leaving_a_block_out_reseeds_nothing():
    seeds = {unit.unit_id: unit.seed for unit in units()}
    fewer = schedule(BLOCKS[5:], study="rq2", seed=0, repeats=1)
    assert all(seeds[unit.unit_id] == unit.seed for unit in fewer)


def test_seeds_differ_between_units_purposes_and_seeds():
    assert len({unit.seed for unit in units()}) == 72
    assert len({derive_seed("s", "u", purpose, seed=seed) for purpose in ("agent", "x") for seed in (0, 1)}) == 4


def test_a_seed_is_pinned():
    assert derive_seed("rq2", "d0-A-r1", "agent", seed=0) == 10863461584206740813


def test_the_hash_covers_units_and_identity():
    plan = make_plan("rq2", units(), {"a": 1})
    others = [
        make_plan("rq2", units(seed=1), {"a": 1}),
        make_plan("rq2", units(), {"a": 2}),
        make_plan("rq3", units(), {"a": 1}),
    ]
    assert len({plan.plan_hash, *(other.plan_hash for other in others)}) == 4
    assert make_plan("rq2", units(), {"a": 1}) == plan


def test_a_plan_reads_back_equal():
    plan = make_plan("rq2", units(), {"a": [1, 2]})
    assert plan_from_json(plan_to_json(plan), "here") == plan


def test_a_changed_unit_is_refused():
    plan = make_plan("rq2", units(), {"a": 1})
    data = plan_to_json(plan)
    data["units"][3]["arm"] = "C"
    with pytest.raises(CorruptRecord, match="its units and identity have hash"):
        plan_from_json(data, "here")


def test_the_first_difference_is_named():
    plan = make_plan("rq2", units(), {"agent": {"skill": 0.5}, "clock": "wall"})
    other = make_plan("rq2", units(), {"agent": {"skill": 0.6}, "clock": "wall"})
    with pytest.raises(IdentityError, match=r"agent\.skill is 0\.5 there and 0\.6 now"):
        require_same(plan, other, "folder")


def test_more_units_are_named():
    plan = make_plan("rq2", units()[:4], {"a": 1})
    with pytest.raises(IdentityError, match="number of units is 4 there and 72 now"):
        require_same(plan, make_plan("rq2", units(), {"a": 1}), "folder")


def test_equal_plans_pass():
    plan = make_plan("rq2", units(), {"a": 1})
    require_same(plan, replace(plan), "folder")
