// What an isosurface may fail at, in the same words on every device.
#pragma once

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit {

[[noreturn]] inline void refuse_value(double value) {
  throw InputError("surface", fmt::format("no voxel is larger than {}", value),
                   "choose a value within the volume: backlit info shows its range");
}

/// Indices of vertices have 32 bits.
[[noreturn]] inline void refuse_vertices() {
  throw InputError("surface", "it has more than 4,294,967,295 vertices", "make the volume smaller");
}

}  // namespace backlit
