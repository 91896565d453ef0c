// The tiles of the image that a line of response crosses.
#pragma once

#include <cmath>
#include <cstdint>

#include "cuda/lines_of_response/tiling.hpp"

namespace backlit::cuda {

/// A Lor<float> in 32 bytes, one transaction.
struct alignas(32) LineRecord {
  float a, da, b, db, start, end, tof;
  std::uint32_t axis_and_kernel;  ///< axis + 4 kernel
};

/// Kind of lines: a tube by table (or a Gaussian without one), or a thin line.
struct TubeTable {
  float radius = 0;         ///< mm; 0: thin lines (thin_line.hpp)
  float entry_per_mm2 = 0;  ///< entries of the table
  float gauss_per_mm2 = 0;  ///< f = peak 2^(-gauss_per_mm2 r^2) when positive, and there is no table
  float peak = 0;
};

/// All kinds of tubes of a list, as a kernel's argument.
struct Tubes {
  TubeTable tube[16];
  int count;
};

/// Time of flight's factor by distance.
struct TofTable {
  static constexpr int entries = 512;
  float entry_per_mm = 0;  ///< 0: no time of flight
  float reach_mm = -1;
};

/// Reach of a line, in voxels and slices.
struct Reach {
  float a, b, window;
  int taps;
};

BACKLIT_HD inline Reach reach_of(const Lor<float>& l, const Tiling& t, const TubeTable& tube, const TofTable& tof) {
  Reach r;
  if (tube.radius > 0) {
    const float sa = l.da * t.spacing[1] / t.spacing[0], sb = l.db * t.spacing[2] / t.spacing[0];
    r.a = tube.radius / t.spacing[1] * sqrtf(1 + sa * sa);
    r.b = tube.radius / t.spacing[2] * sqrtf(1 + sb * sb);
  } else {
    r.a = r.b = float(0.9999995);
  }
  r.taps = static_cast<int>(2 * fmaxf(r.a, r.b)) + 1;
  r.window = tof.entry_per_mm > 0 ? tof.reach_mm / l.step : -1.0f;
  return r;
}

/// Calls f(tile number, first slice in the tile, number of slices, class) for every tile that a line crosses.
template <class F>
BACKLIT_HD void each_tile(const LineRecord& r, const Tilings& tilings, const Tubes& tubes, const TofTable& tof, F&& f) {
  const int axis = r.axis_and_kernel & 3;
  const Tiling& t = tilings.axis[axis];
  Lor<float> l{axis, r.a, r.da, r.b, r.db, r.start, r.end, 0, r.tof};
  const float wa = r.da * t.spacing[1], wb = r.db * t.spacing[2];
  l.step = sqrtf(t.spacing[0] * t.spacing[0] + wa * wa + wb * wb);
  const Reach reach = reach_of(l, t, tubes.tube[r.axis_and_kernel >> 2], tof);
  const int c = class_of(reach.taps);
  const SliceRange all = slices_within(l, 0.0f, float(t.size[0] - 1), 0.0f, float(t.size[1] - 1), 0.0f,
                                       float(t.size[2] - 1), reach.a, reach.b, reach.window);
  if (all.last < all.first) return;
  for (int k = all.first / t.tile[0]; k <= all.last / t.tile[0]; ++k) {
    const int low = std::max(all.first, k * t.tile[0]), high = std::min(all.last, (k + 1) * t.tile[0] - 1);
    const float a0 = l.a + low * l.da, a1 = l.a + high * l.da, b0 = l.b + low * l.db, b1 = l.b + high * l.db;
    const int ka0 = std::max(0, int(ceilf(fminf(a0, a1) - reach.a))) / t.tile[1];
    const int ka1 = std::min(t.size[1] - 1, int(floorf(fmaxf(a0, a1) + reach.a))) / t.tile[1];
    const int kb0 = std::max(0, int(ceilf(fminf(b0, b1) - reach.b))) / t.tile[2];
    const int kb1 = std::min(t.size[2] - 1, int(floorf(fmaxf(b0, b1) + reach.b))) / t.tile[2];
    for (int kb = kb0; kb <= kb1; ++kb)
      for (int ka = ka0; ka <= ka1; ++ka) {
        const float ta = ka * t.tile[1], tb = kb * t.tile[2];
        const SliceRange in = slices_within(l, float(low), float(high), ta, ta + t.tile[1] - 1, tb, tb + t.tile[2] - 1,
                                            reach.a, reach.b, reach.window);
        if (in.last < in.first) continue;
        f(t.first + (k * t.tiles[2] + kb) * t.tiles[1] + ka, in.first - k * t.tile[0], in.last - in.first + 1, c);
      }
  }
}

}  // namespace backlit::cuda
