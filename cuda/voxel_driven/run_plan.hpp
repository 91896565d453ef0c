// Runs the kernel that a plan chose over layers of packed views.
#pragma once

#include <span>

#include "cuda/voxel_driven/plan.hpp"

namespace backlit::cuda {

/// Layers [first, first + items.size()) of `textures`, to be backprojected into `slab`: layer first + i holds the
/// plan's view (orbit plans: group) items[i]. Launches are split by texture arrays and by the capacity of their
/// parameters.
struct PackedViews {
  const LayeredTextures& textures;
  std::int64_t first;
  std::span<const std::int64_t> items;
};
void run_plan(Stream&, const BackprojectionPlan&, const PackedViews&, bool weighted, const VolumeSlab& slab);

/// Number of views (orbit plans: groups of four) in the plan; each has one texture layer.
std::int64_t layer_count(const BackprojectionPlan&);
/// The scan's views in layer `item`, one per channel.
std::vector<std::int64_t> views_of_layer(const BackprojectionPlan&, std::int64_t item);

}  // namespace backlit::cuda
