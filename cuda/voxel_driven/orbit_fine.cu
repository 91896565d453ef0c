#include "cuda/voxel_driven/orbit_fine.cuh"

namespace backlit::cuda {

void backproject_orbit_fine(Stream& stream, const Sampling& s, const OrbitScan& g, const OrbitGroups& groups,
                            const VolumeSlab& slab) {
  backproject_rows<false>(stream, "backproject orbit fine", s, g, groups, slab);
}

}  // namespace backlit::cuda
