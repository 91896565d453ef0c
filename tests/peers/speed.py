"""Prints the table of speed in docs/peers.md: RTK, plastimatch and Backlit on the CPU, all in this one run.

Usage: speed.py [--threads 2] [--repeats 3] BACKLIT. Run it while nothing else works. Seconds are medians; they hold
what computes, not reading and writing. FDK: 128^3 voxels from 180 views of 192 x 160 pixels.
"""

import argparse
import os
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

N, VOXEL, COLUMNS, ROWS, PIXEL, VIEWS, SID, SDD = 128, 1.5, 192, 160, 2.0, 180, 1000, 1500


def median_of(repeats, work):
    return statistics.median(work() for _ in range(repeats))


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def backlit_seconds(folder, words, stages):
    import json

    from harness import backlit

    seconds = json.loads(backlit(folder, *words, "--json", "-q"))["seconds"]
    return sum(seconds.get(stage, 0) for stage in stages)


def rtk_fdk(geometry, stack):
    import rtk_scan as rtk

    return timed(lambda: rtk.fdk(geometry, stack, N, VOXEL, displaced=False))


def rtk_rows(repeats):
    import itk
    import rtk_scan as rtk

    geometry = rtk.geometry([dict(sid=SID, sdd=SDD, angle=360 * i / VIEWS) for i in range(VIEWS)])
    stack = rtk.projections(geometry, COLUMNS, ROWS, PIXEL)
    yield "FDK", "RTK 2.7", median_of(repeats, lambda: rtk_fdk(geometry, stack))
    with tempfile.TemporaryDirectory() as folder:
        from harness import backlit, scan_file

        rtk.write_xml(geometry, Path(folder) / "g.xml")
        itk.imwrite(stack, str(Path(folder) / "p.mha"))
        scan_file(folder, COLUMNS, ROWS, PIXEL, 'geometry = "g.xml"', "p.mha")
        recon = ["recon", "s.scan.toml", "--grid", f"{N}x{N}x{N}", "--voxel", VOXEL, "-o", "v.mha"]
        for backend in ("cpu", "gl"):
            yield "FDK", f"Backlit, {backend}", median_of(repeats, lambda: backlit_seconds(
                folder, [*recon, "--backend", backend], ("setup", "upload", "filter", "backproject", "download")))
        volume = rtk.phantom(N, VOXEL, 1)
        yield "Joseph's projection", "RTK 2.7", median_of(
            repeats, lambda: timed(lambda: rtk.joseph(geometry, volume, VOXEL, COLUMNS, ROWS, PIXEL)))
        for backend in ("cpu", "gl"):
            # All of the program, with reading the volume and writing the views: it states no stages.
            yield "Joseph's projection", f"Backlit, {backend}", median_of(repeats, lambda: timed(
                lambda: backlit(folder, "project", "v.mha", "--scan", "s.scan.toml", "--backend", backend, "--model",
                                "joseph", "-o", "q.npy", "-q")))


def plastimatch_rows(repeats):
    from harness import Skipped
    from plastimatch_cases import plastimatch, project, require

    try:
        require()
    except Skipped:
        return
    with tempfile.TemporaryDirectory() as folder:
        project(folder, VIEWS, ROWS, COLUMNS, ROWS * PIXEL, COLUMNS * PIXEL)

        def once():
            said = plastimatch(folder, "fdk", "-I", ".", "-O", "f.mha", "-r", f"{N} {N} {N}", "-z",
                               " ".join([str(N * VOXEL)] * 3))
            return sum(map(float, re.findall(r"(?:Filter|Backprojection) time = ([\d.]+)", said)))

        yield "FDK", "plastimatch", median_of(repeats, once)


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("program", metavar="BACKLIT")
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = os.environ["LP_NUM_THREADS"] = str(options.threads)
    os.environ["ITK_GLOBAL_DEFAULT_NUMBER_OF_THREADS"] = str(options.threads)

    import harness

    harness.program = str(Path(options.program).resolve())
    version = subprocess.run([harness.program, "--version"], capture_output=True, text=True).stdout.strip()
    print(f"{processor()}, {options.threads} threads, {version}, {time.strftime('%Y-%m-%d')}, load "
          f"{os.getloadavg()[0]:.1f} before the run\n")
    rows = [*rtk_rows(options.repeats), *plastimatch_rows(options.repeats)]
    print("| Work | Program | s |\n| --- | --- | --- |")
    for work, program, seconds in sorted(rows, key=lambda row: (row[0], row[2])):
        print(f"| {work} | {program} | {seconds:.2f} |")


if __name__ == "__main__":
    main()
