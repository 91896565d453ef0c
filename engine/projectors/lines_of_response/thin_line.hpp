// The thin line model (Joseph, IEEE Trans. Med. Imaging 1 (1982) 192) for lines of response: a slice adds its bilinear
// value where the line meets it, times the line's length in the slice's slab. Values outside the grid are zero.
#pragma once

#include <backlit/projectors/lines_of_response/lor.hpp>

namespace backlit {

/// Distance from the line within which voxels have a share.
inline constexpr double joseph_reach = 1;

/// The share of a voxel at `distance` along one of the two axes.
template <class T>
BACKLIT_HD inline T joseph_share(T distance) {
  const T share = T(1) - fabs(distance);
  return share > T(0) ? share : T(0);
}

}  // namespace backlit
