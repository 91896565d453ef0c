"""Pictures of a running reconstruction, and the viewer on its result: viewer.py [--size 48] [--no-window]"""

import argparse

import backlit as bl

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--size", type=int, default=48, help="voxels along an axis")
arguments.add_argument("--no-window", action="store_true", help="only the pictures")
options = arguments.parse_args()
n = options.size

grid = bl.volume((n, n, n), voxel=280 / n)
geometry = bl.circular(60, (n, n), 440 / n, 1000, 1500)
y = bl.simulate("forbild-head", geometry)


def look(step):
    bl.save(f"slice_{step.iteration:02}.png", bl.render(step.volume, "slice", window=(0, 0.04)))
    print(step)


volume = bl.ossart(bl.operator(grid, geometry, precision="fast"), y, iterations=3, subsets=10, callback=look)
bl.save("head.png", bl.render(volume, "dvr", size=2 * n, transfer="bone", elevation=15))
bl.save("bone.png", bl.render(volume, "iso", size=2 * n, iso=0.03))
print("wrote slice_*.png, head.png and bone.png")
if not options.no_window:
    bl.show(volume)
