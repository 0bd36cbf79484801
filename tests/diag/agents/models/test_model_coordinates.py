"""The coordinate contract: corners, extremes, resized images, device scale; nothing clamped, nothing lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shown import UNHURRIED

from diag.agents.models import CoordinateContract, FitWithin, Multiples
from diag.agents.models.coordinates import OutsideSpace
from diag.session.actions import ActionError, parse_action

resizes = st.one_of(
    st.builds(FitWithin, st.integers(64, 4096), st.none() | st.integers(10_000, 4_000_000)),
    st.builds(Multiples, st.sampled_from((14, 28, 32)), st.integers(3_136, 200_000), st.integers(200_000, 13_000_000)),
)
contracts = st.one_of(
    st.builds(
        CoordinateContract, st.just("pixels"), send=resizes, seen=resizes, device_scale=st.sampled_from((1, 1.5, 2))
    ),
    st.builds(CoordinateContract, st.just("grid"), st.sampled_from((100, 999, 1000, 10_000)), send=resizes),
)  # fmt: skip


@UNHURRIED
@given(contracts, st.data())
def test_every_point_of_the_space_is_a_pixel_of_the_screen(contract, data):
    x_max, y_max = contract.limits
    x, y = data.draw(st.floats(0, x_max)), data.draw(st.floats(0, y_max))
    column, row = contract.to_screen(x, y)
    assert parse_action({"name": "click", "x": column, "y": row}).x == column


@UNHURRIED
@given(contracts)
def test_corners_of_the_space_lie_at_the_corners_of_the_screen(contract):
    (x_max, y_max), (width, height) = contract.limits, contract.size_seen
    for x, column in ((0, 0), (x_max, 1279)):
        for y, row in ((0, 0), (y_max, 899)):
            found = contract.to_screen(x, y)
            within = (0, 0) if contract.space == "grid" else (640 / width, 450 / height)  # half a pixel of the model's
            assert abs(found[0] - column) <= within[0]
            assert abs(found[1] - row) <= within[1]


@UNHURRIED
@given(contracts, st.sampled_from((-1e-9, -1, -1000, 1e9, float("nan"), float("inf"), 10**400)))
def test_a_number_outside_the_space_is_refused_and_not_moved(contract, wrong):
    for point in ((wrong, 0), (0, wrong)):
        with pytest.raises(OutsideSpace, match="must be from 0 to"):
            contract.to_screen(*point)


@UNHURRIED
@given(contracts)
def test_one_beyond_the_edge_is_refused(contract):
    x_max, y_max = contract.limits
    for point in ((x_max + 1, 0), (0, y_max + 1)):
        with pytest.raises(OutsideSpace):
            contract.to_screen(*point)


@UNHURRIED
@given(contracts, st.integers(0, 1279), st.integers(0, 899))
def test_a_pixel_shown_to_the_model_means_itself_up_to_its_resolution(contract, column, row):
    back = contract.to_screen(*contract.to_model(column, row))
    units = contract.limits
    assert abs(back[0] - column) <= 0.5 + 0.5 * 1280 / units[0] + 1e-9
    assert abs(back[1] - row) <= 0.5 + 0.5 * 900 / units[1] + 1e-9


@UNHURRIED
@given(contracts, st.data())
def test_order_is_kept(contract, data):
    x_max, _ = contract.limits
    first, second = sorted((data.draw(st.integers(0, x_max)), data.draw(st.integers(0, x_max))))
    assert contract.to_screen(first, 0)[0] <= contract.to_screen(second, 0)[0]


@UNHURRIED
@given(st.integers(0, 1279), st.integers(0, 899))
def test_pixels_of_an_unresized_screenshot_are_themselves(column, row):
    contract = CoordinateContract()
    assert contract.to_screen(column, row) == contract.to_model(column, row) == (column, row)


@pytest.mark.parametrize(
    ("contract", "point", "pixel"),
    [
        (CoordinateContract("grid"), (0, 0), (0, 0)),
        (CoordinateContract("grid"), (1000, 1000), (1279, 899)),
        (CoordinateContract("grid"), (500, 500), (640, 450)),  # 639.5 and 449.5, halves up
        (CoordinateContract(seen=FitWithin(1024)), (0, 0), (0, 0)),
        (CoordinateContract(seen=FitWithin(1024)), (1023, 719), (1279, 899)),
        (CoordinateContract(seen=FitWithin(1568)), (1279, 899), (1279, 899)),  # never enlarged
        (CoordinateContract(seen=FitWithin(1568), device_scale=2), (1567, 1101), (1279, 898)),
        (CoordinateContract(seen=Multiples(28)), (1287, 895), (1279, 899)),  # 1288 x 896
        (CoordinateContract(device_scale=2), (2559, 1799), (1279, 899)),
    ],
)
def test_known_points(contract, point, pixel):
    assert contract.to_screen(*point) == pixel


@pytest.mark.parametrize(
    ("rule", "size"),
    [
        (FitWithin(1024), (1024, 720)),
        (FitWithin(1568), (1280, 900)),
        (FitWithin(1568, 1_000_000), (1193, 839)),
        (Multiples(28), (1288, 896)),
        (Multiples(28, 3_136, 1_003_520), (1176, 840)),
        (Multiples(32, 2_000_000, 4_000_000), (1696, 1216)),
    ],
)
def test_sizes_after_resizing(rule, size):
    assert rule.apply((1280, 900)) == size


@pytest.mark.parametrize(
    "wrong", [{"space": "percent"}, {"grid_max": 0}, {"device_scale": 0.0}, {"device_scale": float("nan")}]
)
def test_a_contract_without_meaning_is_refused(wrong):
    with pytest.raises(ValueError, match="space is pixels or grid"):
        CoordinateContract(**wrong)


def test_the_dispatcher_would_refuse_what_is_just_outside():
    with pytest.raises(ActionError):
        parse_action({"name": "click", "x": CoordinateContract().meant(1280, 0)[0], "y": 0})
