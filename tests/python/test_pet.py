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


def test_events_are_saved_and_loaded(events, tmp_path):
    bl.save_events(tmp_path / "list.cdh", events)
    again = bl.load_events(tmp_path / "list.cdh")
    assert len(again) == len(events) and again.scanner == "list"  # its crystals lie beside it
    np.testing.assert_allclose(again.ends()[1], events.ends()[1], atol=0.02)
    timed = bl.simulate_events("water-cylinder", "small_animal", counts=2000, tof_fwhm_ps=200)
    bl.save_events(tmp_path / "timed.cdh", timed)
    ways = [bl.operator(GRID, bl.load_events(tmp_path / "timed.cdh", flip_tof=flip), device="cpu") for flip in (0, 1)]
    ones = np.ones(2000)
    assert not np.allclose(ways[0].T(ones), ways[1].T(ones))  # each event on its line's other side
    with pytest.raises(bl.InputError, match="scanner"):
        bl.save_events(tmp_path / "arrays.cdh", bl.listmode(*events.ends()))


def test_a_normalisation_file_is_what_the_sensitivity_is_made_of(events, tmp_path):
    def write(factor, mode="normalization"):
        pairs = np.zeros(6400, dtype=[("norm", "<f4"), ("one", "<u4"), ("other", "<u4")])
        pairs["norm"], pairs["one"] = factor, np.arange(6400)
        pairs["other"] = (pairs["one"] + 3200) % 6400
        pairs.tofile(tmp_path / f"{factor}.cdf")
        header = tmp_path / f"{factor}.cdh"
        header.write_text(f"Scanner name: small_animal\nData filename: {factor}.cdf\nNumber of events: 6400\n"
                          f"Data mode: {mode}\nData type: PET\nNormalization correction flag: 1\n")
        return header

    once, twice = (bl.mlem(events, volume=GRID, iterations=1, normalisation=write(factor), sensitivity_pairs=0,
                           device="cpu") for factor in (1, 2))
    seen = once > 0
    assert seen.any()
    np.testing.assert_allclose(twice[seen], 2 * once[seen], rtol=1e-3)  # pairs half as efficient
    with pytest.raises(bl.InputError, match="mode"):
        bl.mlem(events, volume=GRID, normalisation=write(3, "list-mode"))


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


def test_a_sensitivity_serves_several_runs(events):
    how = {"sensitivity_pairs": 20000, "device": "cpu"}
    image = bl.sensitivity(events, GRID, **how)
    assert image.grid == GRID and image.shape == GRID.shape and image.min() >= 0 and image.max() > 0
    own = bl.osem(events, volume=GRID, iterations=1, subsets=2, **how)
    given = bl.osem(events, volume=GRID, iterations=1, subsets=2, sensitivity=image, **how)
    np.testing.assert_allclose(given, own, rtol=1e-5, atol=1e-6 * own.max())
    darker = bl.sensitivity(events, GRID, attenuation=np.full(GRID.shape, 0.01, np.float32), **how)
    assert 0.3 < darker.sum() / image.sum() < 0.95
    with pytest.raises(bl.InputError, match="scanner"):
        bl.sensitivity(bl.listmode([[0, -90, 1]], [[0, 90, 1]]), GRID)
    with pytest.raises(bl.InputError, match="events"):
        bl.sensitivity(GRID)
