"""Grids and geometries: what they say, and how other toolkits' become ours."""

import itertools
import warnings

import backlit as bl
import numpy as np
import pytest

CONE = dict(views=12, detector=(9, 14), pixel=(0.6, 0.5), source_to_axis=120.0, source_to_detector=200.0)


def makers():
    yield "circular", bl.circular(**CONE, offset_u=2.5, tilt=(1, 2, 3))
    yield "helical", bl.helical(**CONE, pitch=-7.0)
    yield "parallel", bl.parallel(12, (9, 14), 0.5)
    yield "fan", bl.fan(12, 14, 0.5, 120.0, 200.0)
    yield "laminographic", bl.laminographic(12, (9, 14), 0.5, elevation=30)
    yield "curved", bl.circular(**CONE, curved=True)


@pytest.mark.parametrize("name, g", list(makers()), ids=lambda v: v if isinstance(v, str) else "")
def test_says_what_it_is(name, g):
    assert g.shape == (12, 1 if name == "fan" else 9, 14)
    assert "12 views" in repr(g) and "x 14 pixels" in repr(g)
    assert g.vectors().shape == (12, 12)
    assert g.default_volume().shape[2] > 1
    assert len(g[::5]) == 3 and np.array_equal(g[::5].vectors(), g.vectors()[::5])
    assert g[[3, 1]].curved == g.curved


def test_vectors_and_matrices_come_back():
    for name, g in makers():
        if name == "curved":
            continue
        again = bl.vectors(g.vectors(), g.detector_shape, g.beam)
        np.testing.assert_allclose(again.vectors(), g.vectors(), atol=1e-12)
        assert again.pixel == pytest.approx(g.pixel)
    g = bl.circular(**CONE, offset_u=2.5)
    again = bl.matrices(g.matrices(), g.detector_shape, g.pixel)
    np.testing.assert_allclose(again.vectors(), g.vectors(), atol=1e-9)


def test_matrices_project_points():
    g = bl.circular(**CONE)
    source, middle, u, v = g.vectors()[5].reshape(4, 3)
    column, row = 3.25, 6.5
    point = source + 0.4 * (middle + (column - 6.5) * u + (row - 4) * v - source)
    a = g.matrices()[5] @ [*point, 1]
    assert a[:2] / a[2] == pytest.approx([column, row])


@pytest.mark.parametrize("extension", ["xml", "txt", "matrices", "scan.toml"])
def test_files_come_back(tmp_path, extension):
    g = bl.circular(**CONE, offset_u=1.5)
    path = tmp_path / f"g.{extension}"
    g.save(path)
    again = bl.geometry(path, g.detector_shape, g.pixel)
    np.testing.assert_allclose(again.vectors(), g.vectors(), atol=1e-6)


@pytest.mark.parametrize("name, words", [
    ("circular", "circular cone beam: 12 views, from 0 to 330 degrees, source to axis 120 mm, to detector 200 mm, detector of "
                 "9 x 14 pixels (row, column) of 0.6 x 0.5 mm"),
    ("helical", "-7 mm a turn"), ("parallel", "parallel beam: 12 views, from 0 to 165 degrees"), ("fan", "circular fan beam"),
    ("laminographic", "free views, parallel beam"), ("curved", "curved detector")])
def test_files_say_what_they_are(tmp_path, name, words):
    path = tmp_path / "g.scan.toml"
    (bl.circular(**CONE, offset_u=2.5) if name == "circular" else dict(makers())[name]).save(path)
    assert words in repr(bl.geometry(path))
    assert "free" not in repr(bl.geometry(path)) or name == "laminographic"


def test_views_that_jump_are_called_free(tmp_path):
    g = bl.circular(**CONE)
    vectors = g.vectors()
    vectors[5, :3] *= 1.1
    bl.vectors(vectors, (9, 14)).save(tmp_path / "g.txt")
    assert repr(bl.geometry(tmp_path / "g.txt", (9, 14))).startswith("free views, cone beam")


def astra_cone(angles):
    return {"type": "cone", "DetectorSpacingX": 0.5, "DetectorSpacingY": 0.75, "DetectorRowCount": 9,
            "DetectorColCount": 14, "ProjectionAngles": angles, "DistanceOriginSource": 120.0,
            "DistanceOriginDetector": 80.0}


def test_astra_cone_is_what_its_manual_says():
    # The manual's conversion: source (sin, -cos) DSO, detector (-sin, cos) DOD, u = (cos, sin) dx, v = (0, 0, dy).
    angles = np.linspace(0, 2 * np.pi, 7, endpoint=False)
    vectors = bl.from_astra(astra_cone(angles)).vectors()
    for t, v in zip(angles, vectors):
        s, c = np.sin(t), np.cos(t)
        expected = [120 * s, -120 * c, 0, -80 * s, 80 * c, 0, 0.5 * c, 0.5 * s, 0, 0, 0, 0.75]
        assert v == pytest.approx(expected)


def test_astra_dicts_come_back():
    for g in (bl.circular(**CONE), bl.parallel(12, (9, 14), 0.5)):
        again = bl.from_astra(g.to_astra())
        np.testing.assert_allclose(again.vectors(), g.vectors(), atol=1e-12)
    grid = bl.volume((5, 6, 7), (0.5, 1, 2), (1, 2, 3))
    assert bl.volume(grid.to_astra()) == grid


def test_astra_in_two_dimensions():
    g = bl.from_astra({"type": "parallel", "DetectorWidth": 0.5, "DetectorCount": 14, "ProjectionAngles": [0.0, 0.3]})
    assert g.shape == (2, 1, 14) and g.beam == "parallel"
    fan = {"type": "fanflat", "DetectorWidth": 0.5, "DetectorCount": 14, "ProjectionAngles": [0.0, 0.3],
           "DistanceOriginSource": 100.0, "DistanceOriginDetector": 50.0}
    flat = bl.from_astra(fan).vectors().reshape(-1, 4, 3)[:, :3, :2].reshape(-1, 6)
    again = bl.from_astra({"type": "fanflat_vec", "DetectorCount": 14, "Vectors": flat})
    np.testing.assert_allclose(again.vectors(), bl.from_astra(fan).vectors())


def test_grid():
    grid = bl.volume((4, 5, 6), (1, 2, 3), center=(1, 0, -1))
    cone = bl.circular(**CONE)
    assert bl.volume(bl.operator(grid, cone)) == grid == bl.volume(bl.phantom("spheres", grid))
    scan = bl.scan(cone, np.zeros(cone.shape, np.float32), volume=grid)
    assert bl.volume(scan) == scan.volume == grid
    assert grid.shape == (4, 5, 6) == np.zeros(grid.shape).shape and grid.size == 120
    assert grid.extent == ((-3, 1), (-5, 5), (-8, 10))
    assert "4 x 5 x 6 voxels" in repr(grid) and "centred on (1, 0, -1) mm" in repr(grid)


def test_centre_moves():
    g = bl.circular(**CONE)
    assert g.center_px == pytest.approx(6.5)
    assert g.with_center(9.25).center_px == pytest.approx(9.25)


@pytest.mark.parametrize("wrong, names", [
    (lambda: bl.circular(12, (9, 14)), "source_to_axis"),
    (lambda: bl.circular(**CONE, angles=[1, 2]), "views"),
    (lambda: bl.circular(**{**CONE, "detector": (9.5, 14)}), "detector"),
    (lambda: bl.circular(**{**CONE, "detector": (0, 14)}), "detector"),
    (lambda: bl.vectors(np.zeros((3, 12)), (9, 14)), "pixels of 0"),
    (lambda: bl.vectors(np.zeros((3, 11)), (9, 14)), "vectors"),
    (lambda: bl.volume((4, 5)), "shape"),
    (lambda: bl.volume((4, 5, 0)), "0 voxels"),
    (lambda: bl.volume(4, voxel=-1), "voxel"),
    (lambda: bl.from_astra({"type": "helix"}), "helix"),
    (lambda: bl.from_astra({"type": "cone"}), "cone has no ProjectionAngles"),
    (lambda: bl.volume({"GridRowCount": 4}), "GridColCount"),
    (lambda: bl.geometry(3.5), "float"),
    (lambda: bl.circular(**CONE)[20:], "views"),
    (lambda: bl.circular(**{**CONE, "views": "many"}), "views"),
    (lambda: bl.circular(**{**CONE, "pixel": "wide"}), "pixel"),
    (lambda: bl.circular(**{**CONE, "source_to_axis": "far"}), "source_to_axis"),
    (lambda: bl.circular(**{**CONE, "source_to_axis": -1}), "source_to_axis"),
    (lambda: bl.circular(**{**CONE, "source_to_detector": 100}), "source_to_detector: 100 mm.*exchanged"),
    (lambda: bl.helical(**CONE, pitch="steep"), "pitch"),
    (lambda: bl.parallel(angles=["a"], detector=(9, 14)), "angles"),
    (lambda: bl.volume(bl.circular(**CONE)), "geometry"),
    (lambda: bl.geometry(bl.volume(3)), "volume"),
])
def test_bad_input_is_named(wrong, names):
    with pytest.raises(bl.InputError, match=names) as error:
        wrong()
    assert isinstance(error.value, ValueError) and isinstance(error.value, bl.Error)
    assert "\n" not in str(error.value)


def test_radians_are_noticed():
    for angles in (np.linspace(0, np.pi, 60, endpoint=False), np.linspace(0, -2 * np.pi, 60)):
        with pytest.warns(UserWarning, match="radians"):
            bl.parallel(angles=angles, detector=(9, 14))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bl.parallel(angles=np.degrees(angles), detector=(9, 14))
        bl.parallel(angles=np.linspace(0, 6, 60), detector=(9, 14))


def test_draws():
    pytest.importorskip("matplotlib").use("agg")
    for _, g in itertools.islice(makers(), 4):
        assert g.plot() is not None
