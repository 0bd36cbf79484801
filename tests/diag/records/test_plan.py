"""Plans: the published design, order, seeds, hash, and what a resume refuses."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise, permutations

import pytest

from diag.errors import CorruptRecord, IdentityError
from diag.records.plan import (
    Block,
    as_begun,
    derive_seed,
    make_plan,
    plan_from_json,
    plan_to_json,
    require_same,
    schedule,
)

PINNED = [["BCA", "CAB", "ABC", "ACB", "BAC", "CBA"]]
BLOCKS = tuple(Block(f"d{i}", "D", f"d{i}", "0" * 64, f"level{i % 7}", ("A", "B", "C")) for i in range(24))


def units(**changes):
    return schedule(BLOCKS, **{"study": "rq2", "seed": 0, "repeats": 1, **changes})


def orders(arms, n, *, repeats=1, **changes):
    """Return the order of the arms in each block, for each repeat."""
    blocks = [Block(f"d{i}", "D", f"d{i}", "0" * 64, "level", tuple(arms)) for i in range(n)]
    planned = schedule(blocks, **{"study": "s", "seed": 0, "repeats": repeats, **changes})
    rows = ["".join(unit.arm for unit in planned[at : at + len(arms)]) for at in range(0, len(planned), len(arms))]
    return [rows[repeat::repeats] for repeat in range(repeats)]


@pytest.mark.parametrize("arms", ["A", "AB", "ABC", "ABCD", "ABCDE"])
def test_orders_are_balanced_over_places_and_neighbours_for_any_number_of_blocks(arms):
    k = len(arms)
    for n in [*range(1, 4 * k + 1), 24, 120]:
        for rows in orders(arms, n, repeats=3):
            assert all(sorted(row) == list(arms) for row in rows)
            places = Counter((place, arm) for row in rows for place, arm in enumerate(row))
            after = Counter(pair for row in rows for pair in pairwise(row))
            at = [places[place, arm] for place in range(k) for arm in arms]
            pairs = [after[pair] for pair in permutations(arms, 2)] or [0]
            assert max(at) - min(at) == (n % k > 0)
            assert max(pairs) - min(pairs) <= (2 if k % 2 else 1)
            if n % (2 * k if k % 2 else k) == 0:
                assert min(pairs) == max(pairs)


@pytest.mark.parametrize(("arms", "n"), [("AB", 24), ("ABC", 24), ("ABCD", 24), ("ABCDE", 120)])
def test_every_order_is_used_equally_often(arms, n):
    (rows,) = orders(arms, n)
    assert set(Counter(rows).values()) == {n // len(list(permutations(arms)))}
    assert len(set(rows)) == len(list(permutations(arms)))


def test_cohorts_of_other_arms_are_balanced_apart():
    solvable = [Block(f"n{i}", "N", f"n{i}", "0" * 64, "level", ("A", "B")) for i in range(12)]
    mixed = schedule(
        [one for pair in zip(BLOCKS, solvable, strict=False) for one in pair], study="s", seed=0, repeats=1
    )
    for cohort, arms in (("D", "ABC"), ("N", "AB")):
        rows = [unit.arm for unit in mixed if unit.cohort == cohort]
        assert set(Counter(rows[:: len(arms)]).values()) == {12 // len(arms)}


def test_the_order_is_seeded_and_pinned():
    assert orders("ABC", 6) == PINNED
    assert orders("ABC", 24, seed=1) != orders("ABC", 24)
    assert orders("AB", 4, shift=1)[0] == [row[::-1] for row in orders("AB", 4)[0]]


def test_a_study_begun_in_another_order_keeps_it():
    now = units()
    cyclic = tuple(replace(unit, order=place) for place, unit in enumerate(sorted(now, key=lambda unit: unit.unit_id)))
    begun, wanted = make_plan("rq2", cyclic, {"a": 1}), make_plan("rq2", now, {"a": 1})
    assert begun.plan_hash != wanted.plan_hash
    assert as_begun(begun, wanted) is begun
    assert as_begun(begun, make_plan("rq2", now, {"a": 2})).identity == {"a": 2}
    assert len(as_begun(begun, make_plan("rq2", now[:9], {"a": 1})).units) == 9


def test_a_block_stays_together():
    blocks = [unit.block_id for unit in units()]
    assert blocks == sorted(blocks, key=blocks.index)


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
