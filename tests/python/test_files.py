"""Scans and volumes in files of every format, units, and what a clinical scan says beside its projections."""

import ast
import inspect
import os
import pathlib
import struct
import subprocess
import sys
import warnings

import backlit as bl
import numpy as np
import pytest

GRID = bl.volume((6, 10, 12), (6.0, 5.0, 4.0), (1.0, 2.0, 3.0))
CONE = bl.circular(8, (6, 12), 16.0, 500.0, 900.0)


@pytest.fixture(scope="module")
def truth():
    return bl.phantom("shepp-logan-3d", GRID)


@pytest.fixture(scope="module")
def y(truth):
    return bl.operator(GRID, CONE, device="cpu")(np.asarray(truth))


@pytest.mark.parametrize("extension", bl._core.volume_extensions())
def test_volumes_come_back_in_every_format(tmp_path, truth, extension):
    path = tmp_path / f"v{extension}"
    values = bl.hounsfield(truth, 0.02).round() if bl._core.holds_hounsfield(str(path)) else truth
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bl.save(path, values)
    again = bl.load_volume(path)
    np.testing.assert_allclose(again, values, atol=1e-3 if values is not truth else 0)
    if bl._core.keeps_grid(str(path)):
        assert again.grid.voxel == pytest.approx(GRID.voxel) and again.grid.center == pytest.approx(GRID.center, abs=1e-4)


def test_formats_that_are_none_are_named(tmp_path, truth):
    with pytest.raises(bl.InputError, match="format.*[.]nrrd"):
        bl.save(tmp_path / "v.xyz", truth)


def test_attenuations_in_dicom_are_warned_of(tmp_path, truth):
    with pytest.warns(UserWarning, match="bl.hounsfield"):
        bl.save(tmp_path / "v.dicom", truth)


def test_hounsfield_units(truth):
    units = bl.hounsfield(truth, 0.02)
    assert units.grid == GRID and units.dtype == np.float32
    np.testing.assert_allclose(units, 1000 * (np.asarray(truth) - 0.02) / 0.02, rtol=1e-5, atol=1e-3)
    for water in (None, 0, -1.0, float("nan")):
        with pytest.raises(bl.InputError, match="water"):
            bl.hounsfield(truth, water)


def test_archives_of_numpy(tmp_path, y):
    np.savez_compressed(tmp_path / "one.npz", y)
    np.savez(tmp_path / "two.npz", views=y, others=2 * y)
    np.testing.assert_array_equal(bl.load_volume(tmp_path / "one.npz"), y)
    np.testing.assert_array_equal(bl.load_volume(f"{tmp_path}/two.npz:/others"), 2 * y)
    with pytest.raises(bl.InputError, match="/views, /others"):
        bl.load_volume(tmp_path / "two.npz")
    bl.save(tmp_path / "s.scan.toml", bl.scan(CONE, y, GRID))
    text = (tmp_path / "s.scan.toml").read_text()
    assert text.count("s.npy") == 1
    (tmp_path / "t.scan.toml").write_text(text.replace("s.npy", "two.npz:/views"))
    np.testing.assert_array_equal(bl.load(tmp_path / "t.scan.toml").projections, y)


def test_whole_numbers_may_be_floats(y):
    a = bl.operator(GRID, CONE, device="cpu")
    np.testing.assert_array_equal(bl.sirt(a, y, iterations=2.0), bl.sirt(a, y, iterations=2))
    with pytest.raises(bl.InputError, match="iterations"):
        bl.sirt(a, y, iterations=2.5)


class ClinicalView:
    """A view of DICOM-CT-PD: elements by their tags, implicit types."""

    def __init__(self):
        self.bytes = b""

    def add(self, tag, value):
        self.bytes += struct.pack("<HHI", tag >> 16, tag & 0xFFFF, len(value)) + value

    def text(self, tag, value):
        self.add(tag, (value + " " * (len(value) % 2)).encode())

    def numbers(self, tag, kind, *values):
        self.add(tag, struct.pack(f"<{len(values)}{kind}", *values))

    def save(self, path):
        syntax = b"1.2.840.10008.1.2\0"
        meta = struct.pack("<HH2sH", 2, 0x10, b"UI", len(syntax)) + syntax
        path.write_bytes(bytes(128) + b"DICM" + meta + self.bytes)


@pytest.fixture(scope="module")
def clinical(tmp_path_factory):
    """A folder of a helix of two turns, whose columns 10 to 12 see few photons and hold noise."""
    folder, random = tmp_path_factory.mktemp("clinical"), np.random.default_rng(1)
    rows, columns, turns = 6, 25, 2
    bad = slice(10, 13)
    for i in range(24 * turns):
        phi, z = 2 * np.pi * i / 24, 12.0 * (i / 24 - turns / 2)
        values = np.full((rows, columns), 0.5)
        values[:, bad] = random.uniform(0, 3, (rows, 3))
        photons = np.full(columns, 1e5)
        photons[bad] = 0.01
        view = ClinicalView()
        view.text(0x00080070, "SIEMENS")
        view.text(0x0020000E, "1.2.3")
        view.text(0x00200013, str(i + 1))
        for tag, n in ((0x00280002, 1), (0x00280010, rows), (0x00280011, columns), (0x00280100, 16), (0x00280101, 16),
                       (0x00280103, 0)):
            view.numbers(tag, "H", n)
        view.text(0x00281052, "0")
        view.text(0x00281053, "1e-4")
        view.text(0x70290010, "DetectorSystemArrangementModule")
        view.numbers(0x70291002, "f", 6.0)
        view.numbers(0x70291006, "f", 5.0)
        view.text(0x7029100B, "CYLINDRICAL")
        view.numbers(0x70291010, "H", rows)
        view.numbers(0x70291011, "H", columns)
        for tag, n in ((0x70311001, phi % (2 * np.pi)), (0x70311002, z), (0x70311003, 300.0), (0x70311031, 520.0)):
            view.numbers(tag, "f", n)
        view.numbers(0x70311033, "f", 13.0, 3.5)
        for tag in (0x7033100B, 0x7033100C, 0x7033100D):
            view.numbers(tag, "f", 0.0)
        view.text(0x7033100E, "FFSNONE")
        view.numbers(0x70331065, "f", *photons)
        view.text(0x70371009, "HELICAL")
        view.text(0x70411001, "0.192")
        view.numbers(0x7FE00010, "H", *np.round(values / 1e-4).astype(int).ravel())
        view.save(folder / f"{i + 1}.dcm")
    return folder


def test_a_scan_tells_what_its_file_says(tmp_path):
    views = bl.simulate("shepp-logan-3d", bl.circular(12, (31, 37), 0.5, 60.0, 120.0), scale=0.06)
    for i, view in enumerate(views):
        bl.save(tmp_path / f"part_{i:04}.tif", 60000 * np.exp(-view[None]))
    (tmp_path / "part.xtekct").write_text(
        "[XTekCT]\nName=part\nVoxelsX=37\nSrcToObject=60\nSrcToDetector=120\nDetectorPixelsX=37\nDetectorPixelsY=31\n"
        "DetectorPixelSizeX=0.5\nDetectorPixelSizeY=0.5\nWhiteLevel=60000\nProjections=12\nInitialAngle=0\n"
        "AngularStep=30\nInputSeparator=_\nInputFolderName=part\n[Xrays]\nXraykV=225\n")
    scan = bl.load(tmp_path / "part.xtekct")
    for one in (scan, scan[::2], scan.with_center(17.5)):
        fact = next(f for f in one.facts if f.meaning == "source to axis")
        assert fact.value == "60 mm" and fact.source == "part.xtekct line 4, XTekCT.SrcToObject"
        assert "Xrays.XraykV = 225" in one.unused
        assert len(one.directions) == len(scan.directions) > 0
    told = str(scan).splitlines()
    assert told[0] == repr(scan) and all(any(said in line for line in told) for said in scan.directions)
    assert f"  {next(f for f in scan.facts if f.meaning == 'source to axis')!r}" in told
    plain = bl.scan(CONE, np.zeros(CONE.shape))
    assert plain.facts == plain.unused == plain.directions == [] and str(plain) == repr(plain)


def test_a_clinical_scan_keeps_its_water(clinical):
    scan = bl.load(clinical)
    assert scan.geometry.shape == (48, 6, 25) and scan.geometry.curved
    for one in (scan, scan[::2], scan.with_center(12.5), scan.corrected(stripes=5)):
        assert one.water == pytest.approx(0.0192)
    assert bl.scan(CONE, np.zeros(CONE.shape)).water is None


def test_pwls_weighs_by_the_photons_of_a_scan(clinical):
    how = dict(volume=bl.volume((4, 20, 20), 6.0), iterations=4, weights="transmission", device="cpu")
    for scan in (bl.load(clinical), bl.load(clinical)[1::2], bl.load(clinical).with_center(12.0)):
        views = np.array(scan.projections)
        other = views.copy()
        other[:, :, 10:13] = 0.5  # other values where there are no photons
        weighed = bl.pwls(scan, **how)
        np.testing.assert_array_equal(bl.pwls(scan, **{**how, "weights": "auto"}), weighed)
        plain, also = (bl.pwls(bl.scan(scan.geometry, v), **how) for v in (views, other))
        assert np.linalg.norm(plain - also) > 0.2 * np.linalg.norm(also)
        assert np.linalg.norm(weighed - plain) > 0.2 * np.linalg.norm(plain)


def test_a_helix_is_reconstructed_by_hfdk(clinical):
    how = dict(volume=bl.volume((4, 20, 20), 6.0), device="cpu")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice
        np.testing.assert_array_equal(bl.reconstruct(clinical, **how), bl.hfdk(clinical, **how))


def test_public_functions_say_their_types():
    public = {n: getattr(bl, n) for n in vars(bl) if not n.startswith("_") and n not in bl.method_names()}
    for name, thing in public.items():
        if inspect.isfunction(thing):
            assert inspect.signature(thing).return_annotation is not inspect.Signature.empty, name
        if inspect.isclass(thing) and thing.__module__.startswith("backlit.") and "_core" not in thing.__module__:
            for member, value in vars(thing).items():
                value = value.fget if isinstance(value, property) else value
                if not member.startswith("_") and inspect.isfunction(value):
                    assert inspect.signature(value).return_annotation is not inspect.Signature.empty, f"{name}.{member}"
    source = pathlib.Path(bl.__file__).with_name("torch.py").read_text()
    functions = [n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]
    assert {f.name for f in functions} >= {"operator", "project"}
    assert all(f.returns for f in functions)


def test_type_checkers_know_what_comes_back(tmp_path):
    """The same kind of array, and in the examples nothing is wrong."""
    mypy = pytest.importorskip("mypy.api")
    examples = os.environ.get("BACKLIT_EXAMPLES", pathlib.Path(__file__).parents[2] / "examples" / "python")
    code = tmp_path / "code.py"
    code.write_text("""
import numpy as np
import backlit as bl
class Tensor: ...
A, y, x = bl.operator(), Tensor(), np.zeros((2, 3, 4))
reveal_type(bl.sirt(A, y, iterations=3))
reveal_type(bl.sirt(A, x))
reveal_type(bl.fdk("tooth.scan.toml", filter="hann"))
reveal_type(bl.reconstruct(A, y))
reveal_type(A(y))
reveal_type(A(bl.load_volume("a.mha")))
reveal_type(A.T(x, out=y))
reveal_type(bl.compare(x, x)["rmse"])
reveal_type(bl.load("part.xtekct").facts[0].value)
bl.sirt(A, y, iteration=3)
""")
    # Large packages, read for minutes, whose types play no part.
    config = tmp_path / "mypy.ini"
    skipped = (f"[mypy-{package}.*]\nfollow_imports = skip\n" for package in ("torch", "scipy", "matplotlib"))
    config.write_text("[mypy]\n" + "".join(skipped))
    told, errors, _ = mypy.run(["--config-file", str(config), "--cache-dir", str(tmp_path), "--disable-error-code",
                                "import-untyped", "--disable-error-code", "import-not-found", str(code),
                                *map(str, pathlib.Path(examples).glob("*.py"))])
    lines = [line for line in told.splitlines() if "code.py" in line]
    wrong = [line for line in told.splitlines() if ": error:" in line]
    assert not errors and wrong and all('code.py:15: ' in line for line in wrong), told
    kinds = [line.split('"')[1].partition("[")[0].rpartition(".")[2] for line in lines if "Revealed" in line]
    assert kinds == ["Tensor", "VolumeArray", "VolumeArray", "Tensor", "Tensor", "ndarray", "Tensor", "float", "str"]


def test_all_that_is_public_is_described():
    for name in (n for n in vars(bl) if not n.startswith("_")):
        thing = getattr(bl, name)
        assert inspect.getdoc(thing) or inspect.ismodule(thing), name
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            assert member.startswith("_") or not callable(value) and not isinstance(value, property) or value.__doc__, \
                f"{name}.{member}"


def test_names_are_completed():
    assert {"torch", "compat", "operator", "sirt"} <= set(dir(bl))


def test_a_missing_script_is_named_in_one_line(tmp_path):
    result = subprocess.run([sys.executable, "-m", "backlit", "nowhere.py"], cwd=tmp_path, capture_output=True, text=True,
                            timeout=100)
    assert result.returncode == 2
    assert result.stderr.startswith("nowhere.py: ") and result.stderr.count("\n") == 1


def test_pwls_weighs_rays_of_counts():
    views = bl.simulate("shepp-logan-3d", CONE)
    counts = bl.correct(CONE, 1000 * np.exp(-views), np.full(CONE.shape[1:], 1000.0))
    how = dict(volume=bl.volume((4, 20, 20), 6.0), iterations=2, device="cpu")
    for scan, weights in ((counts, "transmission"), (counts.with_center(12.0), "transmission"),
                          (bl.scan(CONE, views), "none")):
        np.testing.assert_array_equal(bl.pwls(scan, **how), bl.pwls(scan, weights=weights, **how))
