"""The geometry that projections show, and corrections of scans."""

import inspect

import backlit as bl
import numpy as np
import pytest

FAN = dict(views=180, detector=(1, 120), pixel=3.2, source_to_axis=600.0, source_to_detector=900.0)


@pytest.fixture(scope="module")
def fan():
    """A sinogram whose geometry says nothing of its offset."""
    y = bl.simulate("forbild-head", bl.circular(**FAN, offset_u=3.4), supersampling=2)
    return bl.scan(bl.circular(**FAN), y, bl.volume((1, 40, 40), voxel=6.0))


@pytest.fixture(scope="module")
def found(fan):
    return bl.calibrate(fan)


def test_an_offset_comes_back(fan, found):
    offset = found["column_offset_px"]
    assert offset.determined and offset.value == pytest.approx(3.4, abs=0.05) and offset.change == offset.value
    assert 0 < offset.uncertainty < 0.1
    assert found.geometry.center_px == pytest.approx(fan.geometry.center_px + 3.4, abs=0.05)
    assert not found.reversed and found.after < 0.5 * found.before
    axis = found.parameters["source_to_axis_mm"]
    assert not axis.determined and "scale" in axis.reason and axis.value == pytest.approx(600)
    assert set(found.parameters) >= {"row_offset_px", "in_plane_deg", "tilt_u_deg", "tilt_v_deg", "source_to_detector_mm"}


def test_it_prints_a_table(found):
    lines = repr(found).splitlines()
    line = next(line for line in lines if line.startswith("column_offset_px"))
    assert "3.4" in line and "+-" in line
    assert any(line.startswith("tilt_u_deg") and "left alone: " in line for line in lines)
    assert any(line.startswith("direction") and "as given" in line for line in lines)


def test_methods_take_it(fan, found):
    truth = bl.phantom("forbild-head", fan.volume)
    wrong, right = (np.linalg.norm(bl.fdk(what, device="cpu") - truth) for what in (fan, found))
    assert right < 0.8 * wrong
    np.testing.assert_array_equal(bl.fdk(found, device="cpu"), bl.fdk(found.scan, device="cpu"))
    assert found.scan.volume == fan.volume and fan.geometry == bl.circular(**FAN)


def test_it_comes_back_from_a_file(found, tmp_path):
    found.save(tmp_path / "found.scan.toml")
    again = bl.load(tmp_path / "found.scan.toml")
    np.testing.assert_allclose(again.geometry.vectors(), found.geometry.vectors(), atol=1e-9)
    np.testing.assert_array_equal(again.projections, found.scan.projections)


def test_plot(found, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = found.plot()
    titles = [ax.get_title() for ax in figure.axes]
    assert titles[:2] == ["before", "calibrated"] and "column_offset" in titles
    figure.savefig(tmp_path / "found.png")


def test_cone_beams_show_rotation_offsets_and_direction():
    shape = dict(views=40, detector=(64, 80), pixel=6.0, source_to_axis=1000.0, source_to_detector=1500.0)
    y = bl.simulate("forbild-head", bl.circular(**shape, offset_u=2.6, tilt=(0, 0, 1.2)), supersampling=2)
    found = bl.calibrate(bl.circular(**shape, arc=-360.0), y, curves=False)
    assert found["column_offset_px"].value == pytest.approx(2.6, abs=0.1)
    assert found["in_plane_deg"].value == pytest.approx(1.2, abs=0.1)
    assert found["in_plane_deg"].determined and found["in_plane_deg"].at.size == 0
    assert found.direction_determined and found.reversed


def test_views_that_moved_come_back():
    shape = dict(views=72, detector=(1, 97), pixel=3.2)
    straight = bl.parallel(**shape, offset_u=1.5)
    shifts = 2 * np.sin(np.arange(72.0) ** 2)
    vectors = straight.vectors()
    vectors[:, 3:6] += shifts[:, None] * vectors[:, 6:9]
    y = bl.simulate("forbild-head", bl.vectors(vectors, (1, 97), beam="parallel"), supersampling=2)
    found = bl.calibrate(straight, y, align_views=True, device="cpu", curves=False)
    assert found.view_shifts.shape == (72, 2) and found.view_changes[-1] < found.view_changes[0]
    rest = np.einsum("ij,ij->i", found.geometry.vectors()[:, 3:6] - vectors[:, 3:6], vectors[:, 6:9]) / 3.2**2
    angles = np.deg2rad(np.arange(72) * 2.5)  # a translation of the object is no error
    motions = np.stack([np.cos(angles), np.sin(angles)], 1)
    rest -= motions @ np.linalg.lstsq(motions, rest, rcond=None)[0]
    assert np.sqrt((rest**2).mean()) < 0.15
    assert "shifts of views" in repr(found)


def test_defaults_are_the_engines():
    declared = inspect.signature(bl.calibrate).parameters
    for p in bl._core.calibration_parameters():
        assert declared[p["name"]].default == p["default"], p["name"]
        assert p["name"] in bl.calibrate.__doc__


@pytest.mark.parametrize("options, names", [({"views": 3}, "views"), ({"columns": 8}, "columns"),
                                            ({"align_rounds": 3}, "align_views")])
def test_bad_options_are_named(fan, options, names):
    with pytest.raises(bl.InputError, match=names):
        bl.calibrate(fan, **options)


def test_helices_are_refused(fan):
    helix = bl.helical(180, (1, 120), 3.2, 600.0, 900.0, pitch=100.0)
    with pytest.raises(bl.InputError, match="helix"):
        bl.calibrate(helix, fan.projections)


CONE = bl.circular(36, (20, 36), 11.0, 500.0, 900.0)


@pytest.fixture(scope="module")
def clean():
    return bl.simulate("shepp-logan-3d", CONE, photons=1e5)


def test_zingers_are_taken_away(clean):
    hurt = clean.copy()
    hurt[7, 5, 9] -= 1.0  # a bright reading
    scan = bl.scan(CONE, hurt).corrected(zingers=8)
    assert abs(scan.projections[7, 5, 9] - clean[7, 5, 9]) < 0.1
    assert len(scan.corrections) == 1 and scan.corrections[0].startswith("zingers: ")
    assert bl.scan(CONE, hurt).corrected().corrections == []
    with pytest.raises(bl.InputError, match="stripe_method: it does nothing without `stripes`"):
        bl.scan(CONE, hurt).corrected(stripe_method="mean")


def test_faults_are_looked_for(clean):
    hurt = clean.copy()
    hurt[:, :, 20] += 0.3
    scan = bl.scan(CONE, hurt).corrected("auto")
    assert scan.notes and any("stripes" in note for note in scan.notes)


def test_hardening_is_a_polynomial(clean):
    scan = bl.scan(CONE, clean).corrected(hardening=(0.05, 0.01))
    np.testing.assert_allclose(scan.projections, clean + 0.05 * clean**2 + 0.01 * clean**3, rtol=1e-5, atol=1e-6)


def test_files_name_their_corrections(clean, tmp_path):
    path = tmp_path / "s.scan.toml"
    bl.scan(CONE, clean).save(path)
    path.write_text(path.read_text() + '\n[corrections]\nhardening = "0.05"\n')
    np.testing.assert_allclose(bl.load(path).projections, clean + 0.05 * clean**2, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(bl.load(path, correct="none").projections, clean)
    np.testing.assert_allclose(bl.load(path, hardening=[0.1]).projections, clean + 0.1 * clean**2, rtol=1e-5, atol=1e-6)


def test_flats_that_drift_are_fitted():
    wide = bl.circular(36, (20, 60), 11.0, 500.0, 900.0)  # air beside the object
    pattern = np.sin(np.arange(60)) * np.cos(np.arange(20))[:, None]
    random = np.random.default_rng(1)

    def drifting(n):
        return 5e4 * (1 + 0.05 * random.standard_normal((n, 1, 1)) * pattern)

    flats, y = drifting(12), bl.simulate("shepp-logan-3d", wide)
    counts = drifting(36) * np.exp(-y)
    plain, fitted = bl.correct(wide, counts, flats), bl.correct(wide, counts, flats, flat_components=1)
    wrong, right = (abs(scan.projections - y).mean() for scan in (plain, fitted))
    assert right < 0.5 * wrong and len(fitted.corrections) == 1


def test_corrections_that_need_a_volume(clean):
    scan = bl.scan(CONE, clean).corrected(flatten=True, device="cpu")
    assert scan.projections.shape == clean.shape and scan.corrections


def test_documented_corrections():
    for function in (bl.load, bl.correct, bl.Scan.corrected):
        text = inspect.getdoc(function)
        for c in bl._core.corrections():
            for p in c["parameters"]:
                assert f"{p['name']}: " in text
    assert "Vo" in inspect.getdoc(bl.Scan.corrected)
    with pytest.raises(bl.InputError, match="zinger"):
        bl.scan(CONE, np.zeros(CONE.shape)).corrected(zinger=8)
