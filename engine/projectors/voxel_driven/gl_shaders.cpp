#include "projectors/voxel_driven/gl_shaders.hpp"

#include <algorithm>
#include <span>

#include <backlit/core/error.hpp>

namespace backlit::gl {

using V = BackprojectionVariant;
namespace {

struct Drawing {
  SliceWork work;
  V::Transform transform;
  const char *vertex, *geometry, *fragment;
};

constexpr auto ag = V::Transform::vertex, mp = V::Transform::fragment;
constexpr const char *slice = "shared/slice.vert", *layer = "shared/slice.geom";

constexpr Drawing slices[] = {
    {SliceWork::sum, ag, "voxel_driven/ag_gpu.vert", "voxel_driven/ag_gpu.geom", "voxel_driven/ag_gpu.frag"},
    {SliceWork::sum, mp, slice, layer, "voxel_driven/mp_gpu.frag"},
    {SliceWork::sum_packed, ag, "voxel_driven/ag_gpu.vert", "voxel_driven/ag_gpu.geom",
     "voxel_driven/ag_gpu_packed.frag"},
    {SliceWork::sum_packed, mp, slice, layer, "voxel_driven/mp_gpu_packed.frag"},
    {SliceWork::relax, ag, "voxel_driven/ag_gpu.vert", "voxel_driven/ag_gpu.geom", "voxel_driven/relax_ag_gpu.frag"},
    {SliceWork::relax, mp, slice, layer, "voxel_driven/relax_mp_gpu.frag"},
    {SliceWork::mark, ag, slice, layer, "voxel_driven/early_kill.frag"},
    {SliceWork::mark, mp, slice, layer, "voxel_driven/early_kill.frag"},
};

constexpr Drawing orbits[] = {
    {SliceWork::sum, ag, "voxel_driven/orbit/orbit.vert", "voxel_driven/orbit/orbit.geom",
     "voxel_driven/orbit/orbit.frag"},
    {SliceWork::sum, mp, slice, layer, "voxel_driven/orbit/orbit_mp.frag"},
    {SliceWork::mark, ag, slice, layer, "voxel_driven/orbit/early_kill_orbit.frag"},
    {SliceWork::mark, mp, slice, layer, "voxel_driven/orbit/early_kill_orbit.frag"},
};

std::vector<std::string> stages_of(std::span<const Drawing> drawings, SliceWork work, V::Transform transform,
                                   bool geometry) {
  const auto row =
      std::ranges::find_if(drawings, [&](const Drawing& d) { return d.work == work && d.transform == transform; });
  if (row == drawings.end()) throw Failure("voxel_driven", "no shaders draw this");
  std::vector<std::string> stages{row->vertex, row->fragment};
  if (geometry) stages.emplace_back(row->geometry);
  return stages;
}

const char* accumulation(const V& v) {
  if (v.target == V::Target::image) return "voxel_driven/accumulate/image.glsl";
  return v.accumulate == V::Accumulate::ping_pong ? "voxel_driven/accumulate/ping_pong.glsl"
                                                  : "voxel_driven/accumulate/blend.glsl";
}

const char* weight(Weighting w) {
  return w == Weighting::fdk ? "voxel_driven/weight/fdk.glsl" : "voxel_driven/weight/none.glsl";
}

const char* layer_choice(const Limits& limits) {
  return limits.layer_from_vertex_shader ? "shared/layer/from_vertex.glsl" : "shared/layer/from_geometry.glsl";
}

}  // namespace

std::vector<std::string> slice_stages(SliceWork work, V::Transform transform, bool geometry) {
  return stages_of(slices, work, transform, geometry);
}

Choices slice_choices(const V& v, const ViewTable& views, Weighting weighting, bool exact, bool packs,
                      const Limits& limits) {
  // A CPU filters with full weights. FDK's filtered views are small near the border, so weights of 8 bits do no harm
  // there.
  const bool filters = !exact && v.interpolation == V::Interpolation::linear && !limits.software;
  Choices files = views.choices();
  files.insert(files.end(), {weight(weighting), accumulation(v),
                             exact ? "shared/sample/software.glsl" : "shared/sample/hardware.glsl",
                             filters && weighting == Weighting::none ? "voxel_driven/fetch/exact_border.glsl"
                                                                     : "voxel_driven/fetch/plain.glsl",
                             v.target == V::Target::slice ? "shared/layer/only.glsl" : layer_choice(limits),
                             packs ? "voxel_driven/columns/packed.glsl" : "voxel_driven/columns/slices.glsl"});
  return files;
}

std::vector<std::string> orbit_stages(SliceWork work, V::Transform transform, bool geometry) {
  return stages_of(orbits, work, transform, geometry);
}

Choices orbit_choices(bool parallel, Weighting weighting, const Limits& limits) {
  return {parallel ? "voxel_driven/orbit_beam/parallel.glsl" : "voxel_driven/orbit_beam/cone.glsl", weight(weighting),
          layer_choice(limits)};
}

}  // namespace backlit::gl
