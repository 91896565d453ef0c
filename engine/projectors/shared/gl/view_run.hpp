// Which layers of an array hold the views of a subset.
#pragma once

#include <cstddef>
#include <cstdint>

#include <backlit/projectors/linear_operator.hpp>
#include "device/gl/gl_array.hpp"

namespace backlit::gl {

/// Some views of a plan and the layers of one texture that hold them: views first_view + i * view_stride, layers
/// first_layer + i * layer_stride.
struct ViewRun {
  std::int64_t first_view, view_stride;
  std::size_t texture;
  std::int64_t first_layer, layer_stride;
  std::int64_t count;
};

/// Which layers of an array hold the views of a subset: layer = first + i * stride for the subset's i-th view.
struct Layers {
  std::int64_t first = 0, stride = 1;
};

/// The views of the subset from its `done`-th on, at most `most`, that lie in one texture of the array.
ViewRun next_run(const GlArray&, Layers, const Subset&, std::int64_t done, std::int64_t most);

}  // namespace backlit::gl
