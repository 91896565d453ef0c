#include "cuda/voxel_driven/run_plan.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace backlit::cuda {
namespace {

/// Calls set(i, item) to fill place i of `part`, and start(sampling, slab) to launch the part.
template <class Part, class Set, class Start>
void split(const PackedViews& views, bool weighted, VolumeSlab slab, Part& part, Set&& set, Start&& start) {
  constexpr std::int64_t per_array = LayeredTextures::layers_per_array;
  const LayeredTextures& t = views.textures;
  const auto total = static_cast<std::int64_t>(views.items.size());
  for (std::int64_t done = 0; done < total; done += part.count) {
    const std::int64_t layer = views.first + done, array = layer / per_array;
    part.first_layer = static_cast<int>(layer - array * per_array);
    part.count = static_cast<int>(std::min<std::int64_t>({total - done, per_array - part.first_layer, Part::capacity}));
    for (int i = 0; i < part.count; ++i)
      set(i, static_cast<std::size_t>(views.items[static_cast<std::size_t>(done + i)]));
    start(Sampling{t.texture(array), t.unit(array * per_array), static_cast<float>(t.columns()),
                   static_cast<float>(t.rows()), weighted},
          slab);
    slab.accumulate = true;
  }
}

void run(Stream& stream, const GeneralPlan& plan, const PackedViews& views, bool weighted, const VolumeSlab& slab) {
  const auto part = std::make_unique<GeneralViews>();
  part->behind = plan.behind;
  split(
      views, weighted, slab, *part, [&](int i, std::size_t view) { part->view[i] = plan.views[view]; },
      [&](const Sampling& s, const VolumeSlab& to) { backproject_general(stream, s, *part, to); });
}

void run(Stream& stream, const ColumnPlan& plan, const PackedViews& views, bool weighted, const VolumeSlab& slab) {
  const auto part = std::make_unique<ColumnViews>();
  split(
      views, weighted, slab, *part, [&](int i, std::size_t view) { part->view[i] = plan.views[view]; },
      [&](const Sampling& s, const VolumeSlab& to) { backproject_columns(stream, s, plan.detector, *part, to); });
}

void run(Stream& stream, const OrbitPlan& plan, const PackedViews& views, bool weighted, const VolumeSlab& slab) {
  const auto part = std::make_unique<OrbitGroups>();
  split(
      views, weighted, slab, *part,
      [&](int i, std::size_t group) {
        const double angle = plan.turns.groups[group].angle;
        part->direction[i] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
      },
      [&](const Sampling& s, const VolumeSlab& to) { plan.launch(stream, s, plan.scan, *part, to); });
}

}  // namespace

void run_plan(Stream& stream, const BackprojectionPlan& plan, const PackedViews& views, bool weighted,
              const VolumeSlab& slab) {
  std::visit([&](const auto& kernel) { run(stream, kernel, views, weighted, slab); }, plan.kernel);
}

std::int64_t layer_count(const BackprojectionPlan& plan) {
  if (const auto* orbit = std::get_if<OrbitPlan>(&plan.kernel))
    return static_cast<std::int64_t>(orbit->turns.groups.size());
  if (const auto* columns = std::get_if<ColumnPlan>(&plan.kernel))
    return static_cast<std::int64_t>(columns->views.size());
  return static_cast<std::int64_t>(std::get<GeneralPlan>(plan.kernel).views.size());
}

std::vector<std::int64_t> views_of_layer(const BackprojectionPlan& plan, std::int64_t item) {
  const auto* orbit = std::get_if<OrbitPlan>(&plan.kernel);
  if (!orbit) return {item};
  const auto& views = orbit->turns.groups[static_cast<std::size_t>(item)].views;
  return {views.begin(), views.end()};
}

}  // namespace backlit::cuda
