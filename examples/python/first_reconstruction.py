"""A head phantom, scanned by a cone beam and reconstructed: first_reconstruction.py [--size 96]"""

import argparse

import backlit as bl

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--size", type=int, default=96, help="voxels along x and y")
n = arguments.parse_args().size

# Where things are: 240 views on a circle, a detector that sees all of the head.
geometry = bl.circular(views=240, detector=(n, n), pixel=440 / n, source_to_axis=1000, source_to_detector=1500)
print(geometry)

# What a detector would measure, with the noise of a million photons a pixel.
views = bl.simulate("forbild-head", geometry, photons=1e6)
scan = bl.scan(geometry, views, volume=bl.volume((n // 2, n, n), voxel=280 / n))

# Filtered backprojection, and how close it comes to the phantom itself (1/mm; water is 0.02).
volume = bl.fdk(scan, filter="hann")
truth = bl.phantom("forbild-head", scan.volume)
print({name: round(value, 5) for name, value in bl.compare(volume, truth).items()})

bl.save("head.mha", volume)
bl.save("head.png", bl.render(volume, "slice", window=(0.0, 0.04)))
print("wrote head.mha and head.png")
