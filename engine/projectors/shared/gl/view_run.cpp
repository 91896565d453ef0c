#include "projectors/shared/gl/view_run.hpp"

#include <algorithm>

namespace backlit::gl {

ViewRun next_run(const GlArray& array, Layers layers, const Subset& subset, std::int64_t done, std::int64_t most) {
  const std::int64_t layer = layers.first + done * layers.stride, size = array.layers_per_texture();
  const std::int64_t texture = layer / size, end = (texture + 1) * size;
  std::int64_t count = std::min(subset.count - done, most);
  if (layers.stride > 0) count = std::min(count, (end - layer + layers.stride - 1) / layers.stride);
  return {subset.first + done * subset.stride,
          subset.stride,
          static_cast<std::size_t>(texture),
          layer % size,
          layers.stride,
          count};
}

}  // namespace backlit::gl
