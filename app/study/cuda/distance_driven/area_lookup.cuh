// Lookups in summed areas on the device, with texture units and in software.
#pragma once

#include <type_traits>

#include "study/cuda/distance_driven/areas.hpp"
#include "study/cuda/distance_driven/summed_areas.hpp"

namespace backlit::cuda {

/// Reads stored entries.
__device__ inline float read(const float* at) { return __ldg(at); }
__device__ inline TwoFloats read(const TwoFloats* at) {
  const float2 both = __ldg(reinterpret_cast<const float2*>(at));
  TwoFloats entry;
  entry.high = both.x;
  entry.low = both.y;
  return entry;
}

template <class Entry>
struct LookUp {
  using Sum = Entry;
  Areas<Entry> areas;
  __device__ float mean() const { return areas.mean; }
  __device__ Sum level(float i, int image) const {
    const int i0 = min(static_cast<int>(i), areas.across);
    const Entry* at = areas.line(image, areas.along + 1) + i0;
    return between(read(at), read(at + 1), i - static_cast<float>(i0));
  }
};

struct InHardware : LookUp<float> {
  static constexpr bool rounds = true;
  __device__ float at(float i, float k, int image) const {
    return tex2DLayered<float>(areas.texture, i + 0.5f, k + 0.5f, image);
  }
};

template <class Entry>
struct InSoftware : LookUp<Entry> {
  using LookUp<Entry>::areas;
  static constexpr bool rounds = false;
  __device__ Entry at(float i, float k, int image) const {
    const int i0 = min(static_cast<int>(i), areas.across), k0 = min(static_cast<int>(k), max(areas.along - 1, 0));
    const Entry *low = areas.line(image, k0) + i0, *high = low + areas.across + 2;
    const float x = i - static_cast<float>(i0), y = k - static_cast<float>(k0);
    return between(between(read(low), read(low + 1), x), between(read(high), read(high + 1), x), y);
  }
};

/// Calls run with a lookup.
template <class Entry, class Run>
void with_lookup(const Areas<Entry>& areas, Run run) {
  if constexpr (std::is_same_v<Entry, float>)
    if (areas.texture) return run(InHardware{{areas}});
  run(InSoftware<Entry>{{areas}});
}

/// Position of the slices of voxel column i of a slab in the summed areas `image` of a view.
template <class Lookup>
__device__ inline VoxelLine line_in_view(const DistanceDrivenPlan& plan, const SeenView& view, int axis,
                                         const Lookup& lookup, int image, int i, int slab, int first, int slices) {
  const ViewMap<float>& map = plan.maps[view.view];
  const bool plane = plan.rows == 1 && plan.size[2] == 1;  // 2-D: the row is the slice
  const auto depth = static_cast<float>(slab);
  const auto seen = [&](float across, float k, float span) {
    return see_line(map, axis == 0 ? depth : across, axis == 0 ? across : depth, k, span);
  };
  return voxel_line(lookup, image, plan.columns, plan.rows, view.reversed, plane, static_cast<float>(i), first, slices,
                    seen);
}

/// Voxel (i, slab, k) of a volume with x fastest.
__device__ inline float& voxel_at(const DistanceDrivenPlan& plan, int axis, int i, int slab, int k, float* volume) {
  const std::int64_t nx = plan.size[0], ny = plan.size[1];
  return volume[k * nx * ny + (axis == 0 ? i * nx + slab : slab * nx + i)];
}

}  // namespace backlit::cuda
