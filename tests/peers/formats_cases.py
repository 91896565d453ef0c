"""Files of other programs' libraries: what Backlit writes is read by them, what they write is read by Backlit."""

import json
import os
import tempfile
from pathlib import Path

import numpy as np

from harness import Result, Skipped, backlit, case, relative

SPACING, ORIGIN = (0.5, 0.75, 1.25), (10.0, -20.0, 30.0)  # x, y, z; of the middle of the first voxel


def uneven(shape=(70, 67, 131)):
    """A volume without symmetry, z, y, x."""
    z, y, x = np.indices(shape, dtype=np.float32)
    return (x + 1000 * y + 0.25 * z * x).astype(np.float32)


def save_mha(path, volume):
    """MetaImage, so that Backlit knows where voxels are."""
    sizes = " ".join(map(str, volume.shape[::-1]))
    header = (f"ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
              f"Offset = {' '.join(map(str, ORIGIN))}\nElementSpacing = {' '.join(map(str, SPACING))}\n"
              f"DimSize = {sizes}\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n")
    Path(path).write_bytes(header.encode() + volume.astype("<f4").tobytes())


def require(value, wanted, what):
    if not np.allclose(value, wanted, rtol=1e-6, atol=1e-9):
        raise AssertionError(f"{what} is {value}, not {wanted}")


def described(folder, name):
    return json.loads(backlit(folder, "info", name, "--json"))


@case("formats-zarr-read", "OME-Zarr of Backlit, read by zarr-python", 0)
def zarr_reads():
    import zarr

    with tempfile.TemporaryDirectory() as folder:
        volume = uneven()
        save_mha(Path(folder) / "v.mha", volume)
        backlit(folder, "convert", "v.mha", "-o", "v.zarr", "-q")
        group = zarr.open_group(Path(folder) / "v.zarr", mode="r")
        scales = group.attrs["multiscales"][0]
        if [a["name"] for a in scales["axes"]] != ["z", "y", "x"]:
            raise AssertionError(f"axes are {scales['axes']}")
        for level, dataset in enumerate(scales["datasets"]):
            scale, shift = dataset["coordinateTransformations"]
            step = np.array(SPACING[::-1]) * 2**level
            require(scale["scale"], step, "scale")
            require(shift["translation"], np.array(ORIGIN[::-1]) + (step - SPACING[::-1]) / 2, "translation")
        half = group[scales["datasets"][1]["path"]][:]
        even = volume[:, :66, :130].reshape(35, 2, 33, 2, 65, 2).mean(axis=(1, 3, 5))
        require(half[:, :33, :65], even, "the second level")
        return Result(relative(group["0"][:], volume))


@case("formats-zarr-napari", "OME-Zarr of Backlit, opened by napari's reader: values, axes, scale (it leaves out places)", 0)
def zarr_napari():
    from napari_ome_zarr import napari_get_reader

    with tempfile.TemporaryDirectory() as folder:
        volume = uneven()
        save_mha(Path(folder) / "v.mha", volume)
        backlit(folder, "convert", "v.mha", "-o", "v.zarr", "-q")
        path = str(Path(folder) / "v.zarr")
        levels, layer, kind = napari_get_reader(path)(path)[0]
        if kind != "image" or len(levels) != 3 or tuple(layer["axis_labels"]) != ("z", "y", "x"):
            raise AssertionError(f"opened as {kind} of {len(levels)} levels: {layer}")
        require(layer["scale"], SPACING[::-1], "scale")
        return Result(relative(np.asarray(levels[0]), volume))


@case("formats-zarr-write", "arrays of zarr-python in version 2 and 3 and its codecs, read by Backlit", 0)
def zarr_writes():
    import numcodecs
    import zarr

    volume, worst = uneven((9, 20, 31)), 0.0
    ways = [(2, numcodecs.Blosc("zstd", shuffle=numcodecs.Blosc.BITSHUFFLE)), (2, numcodecs.GZip(1)),
            (2, numcodecs.Zstd(1)), (2, None), (3, zarr.codecs.BloscCodec()), (3, zarr.codecs.GzipCodec()),
            (3, zarr.codecs.ZstdCodec()), (3, None)]
    for version, codec in ways:
        with tempfile.TemporaryDirectory() as folder:
            group = zarr.open_group(Path(folder) / "v.zarr", mode="w", zarr_format=version)
            array = group.create_array("full", shape=volume.shape, chunks=(4, 8, 16), dtype="f4", compressors=codec)
            array[:] = volume
            scales = [{"axes": [{"name": n, "type": "space", "unit": "micrometer"} for n in "zyx"], "datasets": [
                {"path": "full", "coordinateTransformations": [{"type": "scale", "scale": [3.0, 2.0, 1.0]}]}]}]
            group.attrs.put({"multiscales": scales} if version == 2 else {"ome": {"version": "0.5", "multiscales": scales}})
            backlit(folder, "convert", "v.zarr", "-o", "v.npy", "-q")
            worst = max(worst, relative(np.load(Path(folder) / "v.npy"), volume))
            require(described(folder, "v.zarr")["spacing_mm"], [1e-3, 2e-3, 3e-3], f"spacing of version {version}")
    return Result(worst)


@case("formats-dicom-read", "DICOM CT images of Backlit, read by pydicom", 1e-5, "16 bits a slice")
def dicom_reads():
    import pydicom

    pydicom.config.settings.reading_validation_mode = pydicom.config.RAISE  # values that the standard forbids
    with tempfile.TemporaryDirectory() as folder:
        volume = uneven((5, 20, 31)) - 1000
        save_mha(Path(folder) / "v.mha", volume)
        backlit(folder, "convert", "v.mha", "-o", "v.dicom", "-q")
        slices = [pydicom.dcmread(f) for f in sorted(Path(folder, "v.dicom").iterdir())]
        found = np.stack([float(s.RescaleSlope) * s.pixel_array + float(s.RescaleIntercept) for s in slices])
        for k, s in enumerate(slices):
            for element in s.iterall():  # an element is checked when it is read
                element.value
            require(s.ImagePositionPatient, np.array(ORIGIN) + [0, 0, k * SPACING[2]], "position")
            require(s.PixelSpacing, SPACING[1::-1], "pixel spacing")
        if len({s.SOPInstanceUID for s in slices}) != 5 or len({s.SeriesInstanceUID for s in slices}) != 1:
            raise AssertionError("UIDs of slices and of their series")
        if {s.SOPClassUID.name for s in slices} != {"CT Image Storage"}:
            raise AssertionError("SOP class")
        return Result(relative(found, volume))


def dicom_slice(values, k, series):
    """A CT image, from the head down: its position falls as its number grows."""
    from pydicom.dataset import FileDataset, FileMetaDataset
    from pydicom.uid import CTImageStorage, ExplicitVRLittleEndian, generate_uid

    meta = FileMetaDataset()
    meta.TransferSyntaxUID, meta.MediaStorageSOPClassUID = ExplicitVRLittleEndian, CTImageStorage
    meta.MediaStorageSOPInstanceUID = generate_uid()
    s = FileDataset(None, {}, file_meta=meta, preamble=b"\0" * 128)
    s.SOPClassUID, s.SOPInstanceUID, s.SeriesInstanceUID = CTImageStorage, meta.MediaStorageSOPInstanceUID, series
    s.Modality, s.InstanceNumber = "CT", k + 1
    s.ImagePositionPatient, s.ImageOrientationPatient = [ORIGIN[0], ORIGIN[1], ORIGIN[2] - 2 * k], [1, 0, 0, 0, 1, 0]
    s.PixelSpacing, s.RescaleSlope, s.RescaleIntercept = [0.75, 0.5], 2, -1024
    s.Rows, s.Columns = values.shape
    s.SamplesPerPixel, s.PhotometricInterpretation = 1, "MONOCHROME2"
    s.BitsAllocated, s.BitsStored, s.HighBit, s.PixelRepresentation = 16, 12, 11, 0
    s.PixelData = values.astype("<u2").tobytes()
    return s


@case("formats-dicom-write", "DICOM CT images of pydicom, read by Backlit", 0)
def dicom_writes():
    from pydicom.uid import generate_uid

    with tempfile.TemporaryDirectory() as folder:
        stored = np.random.default_rng(1).integers(0, 4096, (6, 10, 13))
        series = generate_uid()
        Path(folder, "ct").mkdir()
        for k in range(6):
            dicom_slice(stored[k], k, series).save_as(Path(folder) / f"ct/{k}.dcm", enforce_file_format=True)
        backlit(folder, "convert", "ct", "-o", "v.npy", "-q")
        info = described(folder, "ct")
        require(info["spacing_mm"], [0.5, 0.75, 2], "spacing")
        require(info["center_mm"], [ORIGIN[0] + 3, ORIGIN[1] + 0.75 * 4.5, ORIGIN[2] - 5], "centre")
        return Result(relative(np.load(Path(folder) / "v.npy"), 2.0 * stored[::-1] - 1024))


@case("formats-mrc", "a tilt series of mrcfile in half floats with its .rawtlt, read by Backlit", 0)
def mrc():
    import mrcfile

    with tempfile.TemporaryDirectory() as folder:
        stack = np.random.default_rng(2).random((5, 11, 8)).astype(np.float16)
        with mrcfile.new(Path(folder) / "tilts.mrc") as file:
            file.set_data(stack)
            file.voxel_size = 13.5
        Path(folder, "tilts.rawtlt").write_text("-40\n-20.5\n0\n21\n40\n")
        backlit(folder, "convert", "tilts.mrc", "-o", "v.npy", "-q")
        info = described(folder, "tilts.mrc")
        require(info["pixel_mm"], [13.5e-7, 13.5e-7], "pixels")
        if info["views"] != 5 or "-40" not in json.dumps(info["facts"]):
            raise AssertionError(f"described as {info}")
        return Result(relative(np.load(Path(folder) / "v.npy"), stack.astype(np.float32)))


@case("formats-edf", "images of fabio as EDF, read by Backlit", 0)
def edf():
    from fabio.edfimage import EdfImage

    with tempfile.TemporaryDirectory() as folder:
        image = uneven((1, 11, 8))[0]
        for name, values in (("f.edf", image), ("i.edf", image.astype(np.uint16))):
            EdfImage(data=values, header={"PSize_1": "6.5e-6"}).write(str(Path(folder) / name))
            backlit(folder, "convert", name, "-o", "v.npy", "-q")
            found = np.load(Path(folder) / "v.npy")
            if name == "f.edf":
                difference = relative(found.reshape(image.shape), image)
            else:
                require(found.reshape(image.shape), values, "integers")
        return Result(difference)


@case("formats-nxtomo", "NXtomo of nxtomo, read by Backlit", 2e-6, "single precision")
def nexus():
    import pint
    from nxtomo import NXtomo
    from nxtomo.nxobject.nxdetector import ImageKey

    with tempfile.TemporaryDirectory() as folder:
        counts = np.random.default_rng(3).integers(100, 60000, (20, 6, 17)).astype(np.uint16)
        units = pint.get_application_registry()
        scan = NXtomo()
        keys = [ImageKey.DARK_FIELD, ImageKey.FLAT_FIELD] + [ImageKey.PROJECTION] * 18
        scan.instrument.detector.data = counts
        scan.instrument.detector.image_key_control = keys
        scan.sample.rotation_angle = np.concatenate([[0, 0], np.arange(18) * 10.0]) * units.degree
        scan.instrument.detector.x_pixel_size = scan.instrument.detector.y_pixel_size = 2.5 * units.micrometer
        scan.instrument.detector.distance = 10 * units.cm
        scan.save(str(Path(folder) / "s.nx"), data_path="entry0000")
        info = described(folder, "s.nx")
        require(info["pixel_mm"], [2.5e-3, 2.5e-3], "pixels")
        if info["size"] != [17, 6, 18] or info["beam"] != "parallel":
            raise AssertionError(f"described as {info}")
        values = counts[2:].astype(np.float64)
        return Result(abs(info["mean"] - values.mean()) / values.mean())


SCANNER = """name = "ring"
[ring]
modules = 12
module_crystals = 4
axial_modules = 2
module_rings = 3
face_radius_mm = 50
pitch_mm = 6
ring_spacing_mm = 5
layers_mm = [20]
mean_depth_mm = 8
[coincidence]
field_of_view_mm = 60
[tof]
fwhm_ps = 400
"""


def castor_events(folder):
    """Times in ms, crystals' places (event, end, xyz) and times of flight in ps, decoded here."""
    record = np.dtype([("time", "<u4"), ("norm", "<f4"), ("dt", "<f4"), ("crystals", "<u4", 2)])
    events = np.fromfile(Path(folder) / "l.cdf", record)
    places = np.fromfile(Path(folder) / "l.lut", "<f4").reshape(-1, 6)[:, :3]
    return events["time"], places[events["crystals"]].astype(float), events["dt"].astype(float)


def petsird_events(path):
    """The same from PETSIRD: the beginnings of its blocks, and of each time of flight the edges of its bin."""
    import petsird
    from petsird.helpers import expand_detection_bins
    from petsird.helpers.geometry import get_detecting_box

    times, ends, edges, efficiencies, middles = [], [], [], [], {}
    with petsird.BinaryPETSIRDReader(str(path)) as reader:
        scanner = reader.read_header().scanner
        require([len(b.edges) for b in scanner.event_energy_bin_edges], [2], "energy bins")
        bins = np.array(scanner.tof_bin_edges[0][0].edges) / 0.149896229  # mm of (t1 - t2) c / 2
        for block in reader.read_time_blocks():
            for event in block.value.prompt_events[0][0]:
                for bin in event.detection_bins:
                    if bin not in middles:
                        box = get_detecting_box(scanner, 0, expand_detection_bins(scanner, 0, [bin])[0])
                        middles[bin] = np.mean([c.c for c in box.corners], axis=0)
                if len(efficiencies) % 50 == 0:
                    pair = petsird.TypeOfModulePair((0, 0))
                    efficiencies.append(petsird.helpers.get_detection_efficiency(scanner, pair, event))
                else:
                    efficiencies.append(1)
                times.append(block.value.time_interval.start)
                ends.append([middles[bin] for bin in event.detection_bins])
                edges.append(bins[event.tof_idx:event.tof_idx + 2])
    return np.array(times), np.array(ends), np.array(edges), np.array(efficiencies)


@case("formats-petsird", "a list of Backlit in PETSIRD, read by petsird: times, crystals, times of flight, efficiencies",
      1e-6)
def petsird_reads():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "ring.scanner.toml").write_text(SCANNER)
        for file in ("l.cdh", "l.petsird"):  # the same events
            backlit(folder, "simulate", "nema-iq", "--listmode", "--scanner", "ring.scanner.toml", "-o", file,
                    "--counts", 2000, "-q")
        time, ends, dt = castor_events(folder)
        began, found, edges, efficiencies = petsird_events(Path(folder) / "l.petsird")
        if len(found) != len(ends):
            raise AssertionError(f"{len(found)} events of {len(ends)}")
        # Either crystal may be first, which turns the sign of the time; within a block the order is the list's.
        turned = np.linalg.norm(found[:, 0] - ends[:, 0], axis=1) > 1e-2
        found[turned] = found[turned, ::-1]
        if np.abs(found - ends).max() > 1e-2:
            raise AssertionError(f"a crystal lies {np.abs(found - ends).max()} mm away")
        if not ((began <= time) & (time < began + 100)).all():
            raise AssertionError("times of blocks")
        signed = np.where(turned, -dt, dt).clip(edges.min(), edges.max())
        outside = np.maximum(edges[:, 0] - signed, signed - edges[:, 1])
        if outside.max() > 1e-2:
            raise AssertionError(f"a time of flight lies {outside.max()} ps outside its bin")
        return Result(float(np.abs(efficiencies - 1).max()))


def small_petsird_scanner(seed):
    """A header of the package's own scanner of two types of modules, with efficiencies that all differ."""
    import random

    import petsird.helpers.generator as made

    rng = np.random.default_rng(seed)
    random.seed(seed)
    for which, shape in zip((made.mtype0_def, made.mtype1_def), (((1, 2, 3), 6, 2, 5, 2), ((1, 2, 2), 4, 1, 3, 3))):
        (which.num_crystals_per_module, which.num_modules_along_ring, which.num_modules_along_axis,
         which.number_of_tof_bins, which.number_of_event_energy_bins) = shape
    header = made.get_header()
    efficiencies = header.scanner.detection_efficiencies
    for values in efficiencies.detection_bin_efficiencies:
        values[:] = rng.uniform(0.5, 1.5, len(values))
    for row in efficiencies.module_pair_efficiencies_vectors:
        for tables in row:
            for table in tables:
                table.values[:] = rng.uniform(0.2, 2, np.shape(table.values))
    return header


def keep_first_type(scanner):
    """One type of modules, with time of flight and without efficiencies."""
    import petsird

    for name in ("tof_bin_edges", "tof_resolution", "event_energy_bin_edges", "energy_resolution_at_511"):
        del getattr(scanner, name)[1:]
    del scanner.scanner_geometry.replicated_modules[1:]
    scanner.detection_efficiencies = petsird.DetectionEfficiencies()


def write_petsird(path, header, prompts):
    import petsird

    with petsird.BinaryPETSIRDWriter(str(path)) as writer:
        writer.write_header(header)
        writer.write_time_blocks((petsird.TimeBlock.EventTimeBlock(petsird.EventTimeBlock(
            time_interval=petsird.TimeInterval(start=0, stop=10), prompt_events=prompts)),))


@case("formats-petsird-tof", "times of flight of a PETSIRD list of petsird, read by Backlit", 0)
def petsird_tof():
    import petsird

    header = small_petsird_scanner(6)
    scanner = header.scanner
    keep_first_type(scanner)
    wanted = [40, 10, 70, 20, 5]
    events = [petsird.CoincidenceEvent(detection_bins=[72 + i % 60, i % 60], tof_idx=k)
              for k, n in enumerate(wanted) for i in range(n)]
    with tempfile.TemporaryDirectory() as folder:
        write_petsird(Path(folder) / "l.petsird", header, [[events]])
        info = described(folder, "l.petsird")
    edges = np.array(scanner.tof_bin_edges[0][0].edges) / 0.149896229
    require(info["tof_range_ps"], edges[-1] - edges[0], "range")
    require(info["tof_fwhm_ps"], scanner.tof_resolution[0][0] / 0.149896229, "resolution")
    histogram = info["tof_ps"]
    middles = histogram["first"] + histogram["width"] * (np.arange(len(histogram["counts"])) + 0.5)
    found, _ = np.histogram(middles, edges, weights=histogram["counts"])
    return Result(float(np.abs(found - wanted).max()))


@case("formats-petsird-place", "points of a PETSIRD list of petsird: how far from their places they come back", 0.5,
      "voxels")
def petsird_place():
    import petsird
    import petsird.helpers.generator as made
    from petsird.helpers import expand_detection_bins
    from petsird.helpers.geometry import get_detecting_box

    rng = np.random.default_rng(8)
    for which, shape in ((made.mtype0_def, ((1, 10, 6), 40, 1, 41, 1)), (made.mtype1_def, ((1, 2, 2), 4, 1, 3, 3))):
        (which.num_crystals_per_module, which.num_modules_along_ring, which.num_modules_along_axis,
         which.number_of_tof_bins, which.number_of_event_energy_bins) = shape
    header = made.get_header()
    scanner = header.scanner
    keep_first_type(scanner)
    bins = range(40 * 60)
    boxes = (get_detecting_box(scanner, 0, b) for b in expand_detection_bins(scanner, 0, bins))
    crystals = np.array([np.mean([c.c for c in box.corners], axis=0) for box in boxes])
    edges = np.array(scanner.tof_bin_edges[0][0].edges)  # (t1 - t2) c / 2, mm
    voxel = np.array([8.0, 8.0, 4.0])
    points = np.array([(60.0, 30.0, 6.0), (-40.0, 80.0, -2.0), (24.0, -90.0, 2.0)])
    events = []
    for point in points:
        for first in rng.integers(0, len(crystals), 600):
            towards = (point - crystals[first]) / np.linalg.norm(point - crystals[first])
            beyond = crystals - point
            aside = np.linalg.norm(beyond - np.outer(beyond @ towards, towards), axis=1)
            second = np.argmin(np.where(beyond @ towards > 0, aside, np.inf))
            if aside[second] > 4 or second == first:
                continue
            pair = [max(first, second), min(first, second)]
            later = 0.5 * np.subtract(*(np.linalg.norm(point - crystals[k]) for k in pair))
            events.append(petsird.CoincidenceEvent(detection_bins=[int(k) for k in pair],
                                                   tof_idx=int(np.searchsorted(edges, later)) - 1))
    if len(events) < 1000:
        raise AssertionError(f"{len(events)} events")
    with tempfile.TemporaryDirectory() as folder:
        write_petsird(Path(folder) / "l.petsird", header, [[events]])
        backlit(folder, "pet", "l.petsird", "-o", "v.npy", "--grid", "31x31x3", "--grid-center", "0,0,2", "--voxel",
                "8,8,4", "--iterations", 5, "--backend", "cpu", "-q")
        volume = np.load(Path(folder) / "v.npy").astype(float)  # z, y, x
    z, y, x = np.indices(volume.shape)
    places = np.stack([8.0 * (x - 15), 8.0 * (y - 15), 4.0 * (z - 1) + 2], axis=-1)
    worst = 0.0
    for point in points:
        near = np.linalg.norm((places - point) / voxel, axis=-1) < 3
        weight = volume * near
        if not weight.sum() > 0.2 * volume.sum():
            raise AssertionError(f"{weight.sum() / volume.sum():.3f} of the activity is at {point}")
        centre = np.einsum("zyx,zyxc->c", weight, places) / weight.sum()
        worst = max(worst, np.linalg.norm((centre - point) / voxel))
    return Result(worst)


@case("formats-petsird-sensitivity", "the sensitivity of a pair of crystals: petsird's get_detection_efficiency", 1e-6)
def petsird_sensitivity():
    import itertools

    import petsird
    from petsird.helpers import get_detection_efficiency

    header = small_petsird_scanner(7)
    scanner = header.scanner
    energies = [len(b.edges) - 1 for b in scanner.event_energy_bin_edges]
    full = [np.array(values) for values in scanner.detection_efficiencies.detection_bin_efficiencies]
    worst = 0.0
    for types, crystals in (((0, 0), (45, 3)), ((1, 0), (9, 20)), ((0, 0), (60, 25))):
        # Of all crystals only two count, and one image per energy's share: all of it, and one bin of each.
        images, sums = [], []
        for shares in ([range(energies[t]) for t in types], [[0], [energies[types[1]] - 1]]):
            bins = [[crystals[k] * energies[types[k]] + e for e in shares[k]] for k in range(2)]
            for t, values in enumerate(scanner.detection_efficiencies.detection_bin_efficiencies):
                alive = [b for k in range(2) if types[k] == t for b in bins[k]]
                values[:] = np.where(np.isin(np.arange(len(full[t])), alive), full[t], 0)
            events = [petsird.CoincidenceEvent(detection_bins=list(pair)) for pair in itertools.product(*bins)]
            pair = petsird.TypeOfModulePair(types)
            sums.append(sum(float(get_detection_efficiency(scanner, pair, e, with_calibration_factor=False))
                            for e in events))
            prompts = [[events if (i, j) == types else [] for j in range(i + 1)] for i in range(2)]
            with tempfile.TemporaryDirectory() as folder:
                write_petsird(Path(folder) / "l.petsird", header, prompts)
                backlit(folder, "pet", "l.petsird", "-o", "a.npy", "--sensitivity-output", "s.npy", "--grid", "9x9x9",
                        "--voxel", 60, "--iterations", 1, "--sensitivity-pairs", 0, "--backend", "cpu", "-q")
                images.append(np.load(Path(folder) / "s.npy").astype(float))
        if not images[0].max() > 0:
            raise AssertionError(f"no sensitivity of crystals {crystals}")
        lit = images[0] > 1e-3 * images[0].max()
        worst = max(worst, float(np.abs(images[1][lit] / images[0][lit] / (sums[1] / sums[0]) - 1).max()))
    return Result(worst)


@case("formats-ct-pd", "DICOM-CT-PD of pydicom with private elements, read by Backlit", 1e-4, "16 bits")
def ct_pd():
    from pydicom.dataset import FileDataset, FileMetaDataset
    from pydicom.uid import ImplicitVRLittleEndian, generate_uid

    with tempfile.TemporaryDirectory() as folder:
        rng = np.random.default_rng(4)
        values, views = rng.random((12, 6, 20)), 12
        Path(folder, "ct").mkdir()
        for k in range(views):
            meta = FileMetaDataset()
            meta.TransferSyntaxUID, meta.MediaStorageSOPInstanceUID = ImplicitVRLittleEndian, generate_uid()
            meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.4"
            s = FileDataset(None, {}, file_meta=meta, preamble=b"\0" * 128)
            s.SOPClassUID, s.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
            s.InstanceNumber, s.Rows, s.Columns = k + 1, 20, 6  # a column of the detector is a row of the image
            s.SamplesPerPixel, s.PhotometricInterpretation = 1, "MONOCHROME2"
            s.BitsAllocated, s.BitsStored, s.HighBit, s.PixelRepresentation = 16, 16, 15, 0
            s.RescaleSlope, s.RescaleIntercept = 1 / 32768, 0
            s.PixelData = np.round(values[k].T * 32768).astype("<u2").tobytes()
            for tag, kind, value in [(0x70291002, "FL", 1.25), (0x70291006, "FL", 1.0), (0x7029100b, "CS", "CYLINDRICAL"),
                                     (0x70291010, "US", 6), (0x70291011, "US", 20),
                                     (0x70311001, "FL", 2 * np.pi * k / views), (0x70311002, "FL", 0.5 * k),
                                     (0x70311003, "FL", 595.0), (0x70311031, "FL", 1085.5),
                                     (0x70311033, "FL", [10.5, 3.5]), (0x70411001, "DS", "0.0193")]:
                s.add_new(tag, kind, value)
            s.save_as(Path(folder) / f"ct/{k + 1}.dcm", enforce_file_format=True)
        info = described(folder, "ct")
        require([info["source_to_axis_mm"], info["source_to_detector_mm"]], [595, 1085.5], "distances")
        require(info["pixel_mm"], [1.25, 1], "pixels")
        run = ["recon", "ct", "--method", "hfdk", "--backend", "cpu", "--grid", "6x6x3", "--voxel", 2, "-q"]
        backlit(folder, *run, "-o", "a.npy")
        backlit(folder, *run, "-o", "hu.npy", "--hu")
        attenuation, hu = (np.load(Path(folder) / f).astype(np.float64) for f in ("a.npy", "hu.npy"))
        if not np.allclose(hu, 1000 * (attenuation / 0.0193 - 1), atol=1e-2):
            raise AssertionError("Hounsfield units")
        return Result(abs(info["mean"] - values.mean()) / values.mean())


@case("formats-petsird-efficiencies", "efficiencies of a PETSIRD list of petsird: its get_detection_efficiency", 1e-6)
def petsird_efficiencies():
    import petsird
    import petsird.helpers.generator as made
    from petsird.helpers import get_detection_efficiency

    header = small_petsird_scanner(5)
    worst = 0.0
    for types in ((0, 0), (1, 0), (1, 1)):
        pair, inverse = petsird.TypeOfModulePair(types), []
        events = [petsird.CoincidenceEvent(detection_bins=list(e.detection_bins), tof_idx=e.tof_idx)
                  for e in made.get_events(header, pair, 400)]
        for event in events:
            found = get_detection_efficiency(header.scanner, pair, event, with_calibration_factor=False)
            inverse.append(1 / float(found))
        # Two lists whose means weigh events differently: swapped values would not go unnoticed.
        for keep in (slice(None), slice(0, None, 7)):
            prompts = [[events[keep] if (i, j) == types else [] for j in range(i + 1)] for i in range(2)]
            with tempfile.TemporaryDirectory() as folder:
                write_petsird(Path(folder) / "l.petsird", header, prompts)
                info = described(folder, "l.petsird")
            if info["prompts"] != len(events[keep]):
                raise AssertionError(f"{info['prompts']} events")
            wanted = np.mean(inverse[keep])
            worst = max(worst, abs(info["mean_norm"] / wanted - 1))
    return Result(worst)


@case("formats-cera", "a CERA configuration of ctsimu: balls lie where its geometry has them", 5e-3, "voxels")
def cera():
    from ctsimu.geometry import Geometry, create_CERA_config
    from PIL import Image

    def vector(v):
        return np.array([v.x(), v.y(), v.z()])

    columns, rows, pitch, views = 80, 60, 0.5, 60
    geometry = Geometry()
    geometry.detector.set_size(columns, rows, pitch, pitch)
    geometry.detector.center.set_x(300), geometry.detector.center.set_y(1.5), geometry.stage.center.set_x(150)
    geometry.detector.rotate_around_u(0.05), geometry.update(), geometry.store()
    # mm, in the frame of the stage; CERA's is turned by 180 degrees about w
    balls = [((3, 1, 2), 1.0), ((-2, 3, -1.5), 0.6), ((1, -3.5, -2.5), 0.8)]
    column, row = np.meshgrid(np.arange(columns), np.arange(rows))
    matrices = []
    with tempfile.TemporaryDirectory() as folder:
        for view in range(views):
            geometry.restore()
            geometry.stage.rotate_around_w(2 * np.pi * view / views)
            geometry.update()
            matrices.append(geometry.projection_matrix(mode="CERA"))
            source, middle = vector(geometry.source.center), vector(geometry.detector.center)
            u, v, w = (vector(getattr(geometry.detector, name).unit_vector()) for name in "uvw")
            stage = np.array([vector(getattr(geometry.stage, name).unit_vector()) for name in "uvw"])
            line = np.zeros((rows, columns))
            for place, value in balls:
                point = vector(geometry.stage.center) + np.array(place) @ stage
                at = source + (point - source) * (w @ (middle - source)) / (w @ (point - source)) - middle
                away = (column - u @ at / pitch - (columns - 1) / 2) ** 2 + (row - v @ at / pitch - (rows - 1) / 2) ** 2
                line += value * np.exp(-away / 8)
            counts = (60000 * np.exp(-line)).astype(np.float32)
            Image.fromarray(counts).save(Path(folder) / f"p_{view:04d}.tif")
            Path(folder, f"p_{view:04d}.raw").write_bytes(bytes(64) + counts.astype(">f4").tobytes())
        geometry.restore()
        create_CERA_config(geometry, "p_%04d.tif", "scan", folder, n_projections=views, matrices=matrices)
        create_CERA_config(geometry, "p_%04d.raw", "raw", folder, n_projections=views, matrices=matrices,
                           projection_filetype="raw", projection_byteorder="big", projection_headersize=64)
        values = [[described(folder, f"{scan}.config")[key] for key in ("min", "max", "mean")] for scan in ("scan", "raw")]
        require(values[1], values[0], "values of raw images")
        voxel, n = 0.25, 49
        backlit(folder, "recon", "scan.config", "-o", "v.npy", "--grid", f"{n}x{n}x{n}", "--voxel", voxel,
                "--backend", "cpu", "-q")
        volume, worst = np.load(Path(folder) / "v.npy"), 0.0
        axes = (np.arange(n) - n // 2) * voxel
        for (x, y, z), _ in balls:
            place = (-x, -y, z)
            near = [np.abs(axes - p) < 1.5 for p in place]
            part = np.clip(volume[np.ix_(near[2], near[1], near[0])], 0, None)
            centre = [np.average(axes[near[i]], weights=part.sum(axis=tuple(a for a in range(3) if a != 2 - i)))
                      for i in range(3)]
            worst = max(worst, np.linalg.norm(np.array(centre) - place) / np.linalg.norm(place))
            if part.max() < 0.5 * volume.max():
                raise AssertionError(f"no ball at {place}")
        return Result(worst)


@case("formats-txrm", "the images and angles of a Zeiss file, read by txrm2tiff", 1e-6, "single precision")
def txrm():
    from txrm2tiff import open_txrm

    path = Path(os.environ.get("BACKLIT_DATA_DIR", "")) / "vendor/txrm_test_chip_tomo.txrm"
    if not path.is_file():
        raise Skipped(f"no {path}")
    with open_txrm(str(path)) as file, tempfile.TemporaryDirectory() as folder:
        theirs = np.asarray(file.get_images(), dtype=np.float64)
        angles = np.asarray(file.image_info["Angles"])
        backlit(folder, "convert", path, "-o", "v.npy", "-q")
        ours = np.load(Path(folder) / "v.npy").astype(np.float64)
        info = described(folder, path)
        if info["views"] != len(angles) or ours.shape != theirs.shape:
            raise AssertionError(f"{len(angles)} angles, {theirs.shape}; described as {info}")
        return Result(min(relative(ours, theirs), relative(ours, theirs[:, ::-1])))  # rows are stored upwards
