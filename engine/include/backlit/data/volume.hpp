// A volume in host memory.
#pragma once

#include <backlit/data/host_array.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// Values [z][y][x], x fastest: linear attenuation in 1/mm (CT) or activity (PET).
struct Volume {
  VolumeGrid grid;
  HostArray<float> values;

  Volume() = default;
  /// All zero.
  explicit Volume(const VolumeGrid& g) : grid(g), values(g.voxels()) {}
  Volume(const VolumeGrid& g, HostArray<float> v) : grid(g), values(std::move(v)) {}

  float& at(std::int64_t i, std::int64_t j, std::int64_t k) { return values[index(i, j, k)]; }
  float at(std::int64_t i, std::int64_t j, std::int64_t k) const { return values[index(i, j, k)]; }
  std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (k * grid.size[1] + j) * grid.size[0] + i;
  }
};

}  // namespace backlit
