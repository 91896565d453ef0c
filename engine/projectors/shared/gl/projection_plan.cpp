#include "projectors/shared/gl/projection_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "projectors/joseph/slice_steps.hpp"

namespace backlit::gl {
namespace {

/// Samples fetched at the same time: enough to hide a fetch behind others.
constexpr int unrolled = 8;

constexpr std::int64_t slab_bytes = std::int64_t{32} << 20;

float real(std::int64_t n) { return static_cast<float>(n); }

/// Drivers without hardware use one fragment a ray; elsewhere compute shaders are never slower.
ProjectionVariant with_defaults(ProjectionVariant v, const CtOptions& o, const Context& context) {
  using Fetch = ProjectionVariant::Fetch;
  if (o.model == Model::raycast && v.fetch == Fetch::best)
    v.fetch = o.precision == Precision::exact ? Fetch::slices : Fetch::texture3d;
  if (v.draw != ProjectionVariant::Draw::best) return v;
  v.draw = context.limits().software ? ProjectionVariant::Draw::rays : ProjectionVariant::Draw::compute;
  return v;
}

}  // namespace

ProjectionPlan::ProjectionPlan(std::shared_ptr<Context> c, TimingTable& t, const VolumeGrid& g, const Scan& scan,
                               const CtOptions& options, const ProjectionVariant& v)
    : context(std::move(c)),
      timings(t),
      grid(g),
      detector(scan.detector),
      model(options.model),
      variant(with_defaults(v, options, *context)),
      exact(options.precision == Precision::exact),
      half(options.precision == Precision::half),
      layer_from_vertex(context->limits().layer_from_vertex_shader),
      rays(RayTable::make(grid, scan, variant.stack)),
      pixels(ViewTable::make(grid, scan, Weighting::none, PositionUnit::pixel)) {
  if (draws_slices()) fractions = ViewTable::make(grid, scan, Weighting::none, PositionUnit::fraction);
}

/// The first file of a folder counts, so `more` comes before the plan's own choices.
Choices ProjectionPlan::choices(Choices more) const {
  const bool boxes = model == Model::siddon;
  const auto add = [&](std::initializer_list<const char*> files) {
    more.insert(more.end(), files.begin(), files.end());
  };
  for (std::string& file : ViewTable::choices(pixels.parallel, pixels.curved, rays.source_inside))
    more.push_back(std::move(file));
  add({pixels.curved ? "shared/detector/curved.glsl" : "shared/detector/flat.glsl",
       variant.stack == StackChoice::view ? "shared/stack/by_view.glsl" : "shared/stack/by_ray.glsl",
       exact ? "shared/sample/software.glsl" : "shared/sample/hardware.glsl",
       exact ? "shared/box/software.glsl" : "shared/box/hardware.glsl",
       layer_from_vertex ? "shared/layer/from_vertex.glsl" : "shared/layer/from_geometry.glsl",
       exact ? "joseph/sample/software.glsl" : "joseph/sample/hardware.glsl",
       exact ? "joseph/four/software.glsl" : "joseph/four/hardware.glsl",
       boxes ? "joseph/slab/boxes.glsl" : "joseph/slab/bilinear.glsl",
       boxes ? "joseph/share/boxes.glsl" : "joseph/share/bilinear.glsl"});
  // Where hardware filters, a fragment computes its own place, because the rasteriser's is rounded otherwise.
  const bool interpolated = !exact && context->limits().software && !all_pixels();
  add({interpolated ? "joseph/place/interpolated.glsl" : "joseph/place/along_ray.glsl"});
  return more;
}

Program ProjectionPlan::make_program(const char* name, std::vector<std::string> stages, Choices more, Defines d) const {
  if (stages.size() > 1 && !layer_from_vertex) stages.push_back(stages[0].substr(0, stages[0].rfind('.')) + ".geom");
  d.emplace_back("VIEWS", std::to_string(views_per_group));
  d.emplace_back("UNROLLED", std::to_string(computes() ? unrolled : 1));
  Program p(name, stages, d, choices(std::move(more)));
  p.set("most_sideways", static_cast<float>(1.001 * most_sideways));  // above plans' limit, for rounding
  p.set("all_pixels", all_pixels() ? 1 : 0);
  p.set("skips_views", 1);
  p.set("middle", static_cast<float>(detector.middle_column()), static_cast<float>(detector.middle_row()));
  p.set("size", real(grid.size[0]), real(grid.size[1]));
  p.set("middle_voxel", 0.5f * real(grid.size[0] - 1), 0.5f * real(grid.size[1] - 1), 0.5f * real(grid.size[2] - 1));
  return p;
}

void ProjectionPlan::set_axis(Program& p, std::size_t axis) const {
  const std::size_t u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
  const auto mm = [&](std::size_t i) { return static_cast<float>(grid.spacing[static_cast<int>(i)]); };
  p.set("axis", static_cast<int>(axis));
  p.set("first_ray", static_cast<int>(axis) * static_cast<int>(rays.views));
  p.set("spacing", mm(u), mm(v), mm(axis));
  p.set("slice_size", real(grid.size[u]), real(grid.size[v]));
  p.set("middle_slice", 0.5f * real(grid.size[axis] - 1));
}

void ProjectionPlan::set_views(Program& p, const ViewRun& run) const {
  p.set("first_view", static_cast<int>(run.first_view));
  p.set("view_stride", static_cast<int>(run.view_stride));
  p.set("view_count", static_cast<int>(run.count));
}

std::int64_t ProjectionPlan::slab_slices(const Texture& slices) {
  const GLenum f = slices.format();
  const std::int64_t texel = f == GL_RGBA32F ? 16 : f == GL_RGBA16F ? 8 : f == GL_R16F ? 2 : 4;
  return std::clamp<std::int64_t>(slab_bytes / (slices.width() * slices.height() * texel), 1, slices.depth());
}

}  // namespace backlit::gl
