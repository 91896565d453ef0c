"""A misaligned scanner, found from its projections: calibration.py [--size 96] [--plot found.png]

The detector is 2.6 pixels aside and turned by 1.2 degrees, which the scan does not say. bl.calibrate() finds both, without
a start value or a calibration phantom. What the views do not determine is left alone, and the table says why.
"""

import argparse

import backlit as bl
import numpy as np

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--size", type=int, default=96, help="columns of the detector")
arguments.add_argument("--views", type=int, default=90)
arguments.add_argument("--plot", metavar="FILE", help="slices before and after, and the criterion; needs matplotlib")
options = arguments.parse_args()

n = options.size
shape = dict(views=options.views, detector=(4 * n // 5, n), pixel=480 / n, source_to_axis=1000.0,
             source_to_detector=1500.0)

# What was measured, and what the scanner's file says.
measured = bl.simulate("forbild-head", bl.circular(**shape, offset_u=2.6, tilt=(0, 0, 1.2)), supersampling=2,
                       photons=1e5)
scan = bl.scan(bl.circular(**shape), measured)

found = bl.calibrate(scan, curves=bool(options.plot))
print(found)

grid = scan.volume
truth = bl.phantom("forbild-head", grid)
for name, what in (("before", scan), ("calibrated", found)):
    volume = bl.fdk(what, volume=grid, filter="hann")
    print(f"{name}: off by {np.linalg.norm(volume - truth) / np.linalg.norm(truth):.3f}")
if options.plot:
    found.plot().savefig(options.plot)
