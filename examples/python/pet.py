"""PET: simulated events, list-mode OSEM with and without time of flight, and an operator of one's own: pet.py [--counts 2e5]"""

import argparse

import backlit as bl
import numpy as np

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--counts", type=float, default=2e5, help="events")
arguments.add_argument("--pairs", type=int, default=300_000, help="pairs of crystals for the sensitivity")
options = arguments.parse_args()

grid = bl.volume((16, 40, 40), voxel=7.5)
events = bl.simulate_events("spheres", "gemini_tf", counts=options.counts, tof_fwhm_ps=400, seed=1)
print(f"{len(events)} events of {events.scanner}")
truth = bl.phantom("spheres", grid)

for tof in ("on", "off"):
    image = bl.osem(events, volume=grid, iterations=2, subsets=8, tof=tof, sensitivity_pairs=options.pairs)
    match = np.corrcoef(image.ravel(), truth.ravel())[0, 1]
    print(f"time of flight {tof}: correlation with the phantom {match:.3f}")
bl.save("spheres.mha", image)

# The same events as arrays, and their lines as an operator: one EM iteration by hand.
xyz1, xyz2 = events.ends()
mine = bl.listmode(xyz1[:20000], xyz2[:20000])
A = bl.operator(grid, mine)
x = np.ones(A.domain_shape, np.float32)
seen = A.T(np.ones(A.range_shape, np.float32))
x *= A.T(1 / np.maximum(A(x), 1e-6)) / np.maximum(seen, 1e-3 * seen.max())
print(f"by hand: {A.range_shape[0]} lines, mean {x.mean():.3g}")
