// The layers of an array that hold the views of a subset.
#pragma once

#include <cstddef>
#include <cstdint>

#include <backlit/projectors/linear_operator.hpp>
#include "device/gl/gl_array.hpp"

namespace backlit::gl {

/// Some views of a plan and their layers in one texture: views first_view + i * view_stride, layers first_layer + i *
/// layer_stride.
struct ViewRun {
  std::int64_t first_view, view_stride;
  std::size_t texture;
  std::int64_t first_layer, layer_stride;
  std::int64_t count;
};

/// The layers of an array that hold the views of a subset: layer = first + i * stride for the subset's i-th view.
struct Layers {
  std::int64_t first = 0, stride = 1;
};

/// The views of the subset from its `done`-th on that lie in one texture of the array, at most `most`.
ViewRun next_run(const GlArray&, Layers, const Subset&, std::int64_t done, std::int64_t most);

}  // namespace backlit::gl
