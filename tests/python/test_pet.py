"""PET: events from arrays, operators on their lines, list-mode EM."""

import backlit as bl
import numpy as np
import pytest

GRID = bl.volume((20, 32, 32), voxel=1.5)


@pytest.fixture(scope="module")
def events():
    return bl.simulate_events("water-cylinder", "small_animal", counts=20000, seed=2)


def test_events_from_arrays_come_back(events):
    xyz1, xyz2 = events.ends()
    again = bl.listmode(xyz1, xyz2, scanner="small_animal")
    assert len(again) == len(events) == 20000
    np.testing.assert_array_equal(again.ends()[0], xyz1)


def test_simulations_take_all_options_of_the_command_line(events):
    other = bl.simulate_events("water-cylinder", "small_animal", counts=20000, seed=2, positron=2.0, acollinearity=0.5)
    assert len(other) == 20000 and not np.array_equal(other.ends()[0], events.ends()[0])
    drawn = bl.simulate_events("water-cylinder", "small_animal", counts=20000, seed=2, poisson=True)
    assert len(drawn) != 20000 and abs(len(drawn) - 20000) < 1000
    with pytest.raises(bl.InputError, match="positrons"):
        bl.simulate_events("water-cylinder", "small_animal", positrons=2.0)
    with pytest.raises(bl.InputError, match="acollinearity"):
        bl.simulate_events("water-cylinder", "small_animal", acollinearity=40)
    assert "acollinearity: deg" in bl.simulate_events.__doc__


@pytest.mark.parametrize("line", ["tube", "joseph"])
def test_lines_are_an_operator(events, line):
    xyz1, xyz2 = (ends[:500] for ends in events.ends())
    A = bl.operator(GRID, bl.listmode(xyz1, xyz2), line=line, device="cpu")
    assert A.range_shape == (500,) and A.adjoint_error() < 1e-9
    x = np.random.default_rng(1).random(GRID.shape)
    np.testing.assert_allclose(A[::5](x), A(x)[::5], rtol=1e-12)
    assert A(np.stack([x, x])).shape == (2, 500)


def test_a_thin_line_measures_its_length():
    A = bl.operator(GRID, bl.listmode([[-100, 0.2, 0.3]], [[100, 0.2, 0.3]]), line="joseph", device="cpu")
    assert A(np.ones(GRID.shape))[0] == pytest.approx(32 * 1.5, rel=0.05)


def test_time_of_flight_finds_the_place():
    # 1 - 2 arrival difference of +200 ps: 30 mm from the middle towards the second end
    A = bl.operator(GRID, bl.listmode([[-200, 0, 0]], [[200, 0, 0]], [100.0], tof_fwhm_ps=50), device="cpu")
    back = A.T(np.ones(1))
    assert np.unravel_index(back.argmax(), back.shape)[2] == pytest.approx(15.5 + 15 / 1.5, abs=1.01)


def test_osem_of_a_scanner(events):
    image = bl.osem(events, volume=GRID, iterations=2, subsets=4, sensitivity_pairs=200000, device="cpu")
    assert image.shape == (20, 32, 32) and image.grid == GRID and image.min() >= 0
    assert image.mean() > 0
    seen = []
    bl.mlem(events, volume=GRID, iterations=2, sensitivity_pairs=200000, likelihood=True, device="cpu",
            callback=lambda s: seen.append(s.iteration))
    assert seen == [1, 2]


def test_osem_of_arrays_needs_a_sensitivity(events):
    xyz1, xyz2 = events.ends()
    mine = bl.listmode(xyz1, xyz2, duration_s=60)
    with pytest.raises(bl.InputError, match="sensitivity"):
        bl.osem(mine, volume=GRID)
    sensitivity = bl.operator(GRID, mine, device="cpu").T(np.ones(len(mine))) + 1e-3
    image = bl.osem(mine, volume=GRID, iterations=1, subsets=2, sensitivity=sensitivity, device="cpu")
    assert np.isfinite(image).all() and image.max() > 0


@pytest.mark.parametrize("wrong, names", [
    (lambda e: bl.listmode([[0, 0, 0]], [[1, 0, 0], [2, 0, 0]]), "xyz2"),
    (lambda e: bl.listmode([[0, 0]], [[1, 0]]), "xyz1"),
    (lambda e: bl.listmode([[0, 0, 0]], [[1, 0, 0]], [5.0]), "tof"),
    (lambda e: bl.listmode([[0, 0, 0]], [[1, 0, 0]], scanner="none such"), "none such"),
    (lambda e: bl.fdk(e, volume=GRID), "fdk"),
    (lambda e: bl.mlem(e, volume=GRID, subsets=3), "subsets"),
    (lambda e: bl.osem(e, volume=GRID, magic=3), "magic"),
    (lambda e: bl.operator(GRID, e, line="thick"), "thick"),
])
def test_bad_input_is_named(events, wrong, names):
    with pytest.raises(bl.InputError, match=names):
        wrong(events)
