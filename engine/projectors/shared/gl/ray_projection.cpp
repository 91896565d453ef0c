#include "projectors/shared/gl/ray_projection.hpp"

namespace backlit::gl {

void clear_views(GlArray& projections, Layers layers, const Subset& subset) {
  std::vector<Texture>& images = projections.textures();
  for_runs(projections, layers, subset, subset.count, [&](const ViewRun& run) {
    if (run.layer_stride == 1) return images[run.texture].clear_layers(0, run.first_layer, run.count);
    for (std::int64_t i = 0; i < run.count; ++i)
      images[run.texture].clear_layers(0, run.first_layer + i * run.layer_stride, 1);
  });
}

}  // namespace backlit::gl
