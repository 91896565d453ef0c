#include "projectors/shared/gl/gl_ct.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/device/unsupported.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "projectors/distance_driven/gl.hpp"
#include "projectors/joseph/gl.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/gl/line_projection.hpp"
#include "projectors/shared/gl/variant_text.hpp"

namespace backlit::gl {
namespace {

/// Packing filters in hardware, so not where interpolation is asked for in software.
bool may_pack(const CtOptions& o) {
  if (o.packing == Packing::orbit) return true;
  return o.packing == Packing::automatic && o.precision != Precision::exact &&
         !BackprojectionVariant::names_unpacked(o.variant);
}

/// The options for parts of the views of a packed scan: the same but for what is packed.
CtOptions unpacked(CtOptions o) {
  std::string text;
  for_items(o.variant, [&](const std::string& key, const std::string& value) {
    if (key != "texel") text += (text.empty() ? "" : ",") + key + "=" + value;
  });
  o.variant = text;
  o.packing = Packing::none;
  return o;
}

}  // namespace

GlCt::GlCt(std::shared_ptr<Context> context, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
           GLenum range_format)
    : context_(context),
      grid_(grid),
      detector_(scan.detector),
      views_(scan.view_count()),
      options_(options),
      range_format_(range_format),
      ones_(context, "view of ones", shape_of(scan.detector, 1)) {
  ones_.textures()[0].clear(1);
}

ArrayPtr GlCt::make_domain() { return std::make_unique<GlArray>(context_, "volume", domain()); }

ArrayPtr GlCt::make_range(std::int64_t rows) {
  return std::make_unique<GlArray>(context_, "projections", shape_of(detector_, rows), range_format_);
}

Layers GlCt::layers(const DeviceArray& projections, const Subset& s) const {
  const SubsetRows rows(range(), s, projections.shape());
  return {rows.slot(0), rows.slot(1) - rows.slot(0)};
}

void GlCt::check_volume(const DeviceArray& x) const {
  if (!(x.shape() == domain()))
    throw Failure("projection", "the volume's array has another shape than the plan's grid");
}

void GlCt::back(const DeviceArray& y, DeviceArray& x, const Subset& s, Write write) {
  check_volume(x);
  add_back(as_gl(y), layers(y, s), s, as_gl(x), write);
}

void GlCt::sensitivity(DeviceArray& x, const Subset& s) {
  check_volume(x);
  SubsetRows(range(), s, range());
  add_back(ones_, {0, 0}, s, as_gl(x), Write::overwrite);
}

std::string GlCt::variant() const {
  return fmt::format("model={},precision={},packing={},{}", name(options_.model), name(options_.precision),
                     name(packing()), way());
}

GlVoxelDriven::GlVoxelDriven(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                             const Scan& scan, const CtOptions& options)
    : GlCt(context, grid, scan, options, GL_R32F),
      views_(scan.view_count()),
      weighted_(options.weighting == Weighting::fdk) {
  if (may_pack(options)) pack(context, timings, grid, scan, options);
  constexpr std::int64_t part = 64;  // views; all of them go through packed
  backprojection_.emplace(context, timings, grid, scan, orbit_ ? unpacked(options) : options,
                          orbit_ ? std::min(part, views_) : views_);
}

void GlVoxelDriven::pack(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                         const Scan& scan, const CtOptions& options) {
  if (options.precision == Precision::exact)
    throw Unsupported("packing orbit", "precision exact interpolates in software", "use --precision fast or half");
  const QuarterTurns turns = find_quarter_turns(scan, grid);
  const std::string refusal = OrbitBackprojection::refusal(*context, turns, grid, views_);
  // Packing needs all views at once, or in an order of its own. OpenGL does not tell how much memory there is, so scans
  // beyond this are streamed unpacked unless packing is asked for by name.
  constexpr std::int64_t most_bytes = std::int64_t{4} << 30;
  const std::int64_t bytes = range().count() * (options.precision == Precision::half ? 2 : 4);
  if (options.packing == Packing::automatic && bytes > most_bytes) return;
  if (refusal.empty())
    orbit_.emplace(context, timings, grid, scan, options, turns);
  else if (options.packing == Packing::orbit)
    throw Unsupported("packing orbit", refusal, "use --packing auto");
}

std::string GlVoxelDriven::way() const { return orbit_ ? orbit_->name() : backprojection_->name(); }

void GlVoxelDriven::forward(const DeviceArray&, DeviceArray&, const Subset&, Write) {
  throw Unsupported("model", "voxel_driven only backprojects on the gl backend", "choose joseph");
}

bool GlVoxelDriven::relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset& s) {
  check_volume(x);
  return !weighted_ && s.count > 0 &&
         backprojection_->relax(as_gl(y), view_of_ones(), layers(y, s), s, as_gl(x), factor, least);
}

void GlVoxelDriven::add_back(const GlArray& y, Layers layers, const Subset& s, GlArray& x, Write write) {
  if (orbit_ && orbit_->takes(layers, s))
    orbit_->run(y, layers, s, x, write);
  else
    backprojection_->run(y, layers, s, x, write);
}

Packing GlVoxelDriven::packing() const {
  return orbit_ ? Packing::orbit : backprojection_->packs_slices() ? Packing::slices : Packing::none;
}

namespace {

/// The quarter turns that projection shall pack; none where packing is neither asked for nor worth while.
QuarterTurns turns_to_pack(const Context& context, const VolumeGrid& grid, const Scan& scan, const CtOptions& o) {
  const bool asked = o.packing == Packing::orbit;
  if (!asked && (o.packing != Packing::automatic || o.precision != Precision::half)) return {};
  if (o.precision == Precision::exact)
    throw Unsupported("packing orbit", "precision exact interpolates in software", "use --precision fast or half");
  if (ProjectionVariant::names_ray_stacks(o.variant)) {
    if (!asked) return {};
    throw Unsupported("packing orbit", "quarter turns go through the stacks of views, not of rays",
                      "leave stack=ray out");
  }
  QuarterTurns turns = find_quarter_turns(scan, grid);
  const std::string refusal = SliceProjection::refusal(context, turns, grid, scan);
  if (refusal.empty()) return turns;
  if (asked) throw Unsupported("packing orbit", refusal, "use --packing auto");
  return {};
}

std::unique_ptr<RayProjection> make_slice_projection(std::shared_ptr<Context> context, TimingTable& timings,
                                                     const VolumeGrid& grid, const Scan& scan, CtOptions o) {
  if (o.packing == Packing::slices)
    if (const std::string why = SliceProjection::rows_refusal(*context, grid, scan, o); !why.empty())
      throw Unsupported("packing slices", why, "use --packing none");
  QuarterTurns turns;
  if (o.model == Model::joseph) turns = turns_to_pack(*context, grid, scan, o);
  if (!turns.groups.empty()) {
    // As packed views go, so do those without their partners, and transposes: it is one operator.
    o.variant += o.variant.empty() ? "stack=view" : ",stack=view";
  }
  return std::make_unique<SliceProjection>(context, timings, grid, scan, o, turns);
}

std::unique_ptr<RayProjection> make_projection(std::shared_ptr<Context> context, TimingTable& timings,
                                               const VolumeGrid& grid, const Scan& scan, const CtOptions& o) {
  require_sound(grid, o);
  if (o.packing == Packing::orbit && o.model != Model::joseph)
    throw Unsupported("packing orbit", "it goes with joseph and voxel_driven", "use --packing auto");
  if (o.model == Model::joseph || o.model == Model::siddon)
    return make_slice_projection(context, timings, grid, scan, o);
  if (o.model == Model::branchless_dd) return std::make_unique<AreaProjection>(context, timings, grid, scan, o);
  return std::make_unique<LineProjection>(context, timings, grid, scan, o);
}

/// Whether the transpose is that of what projects. Tables of areas look at rectangles in slabs one way and on the
/// detector the other.
bool is_matched(const CtOptions& o) {
  if (o.model == Model::branchless_dd) return false;
  const bool filters = o.model == Model::joseph || o.model == Model::raycast;
  return o.precision == Precision::exact || (o.precision == Precision::fast && !filters);
}

}  // namespace

// Line integrals are kept in fp32 whatever the precision: only what they sample is stored in half.
GlRayDriven::GlRayDriven(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                         const Scan& scan, const CtOptions& options)
    : GlCt(context, grid, scan, options, GL_R32F),
      matched_(is_matched(options)),
      projection_(make_projection(context, timings, grid, scan, options)) {}

void GlRayDriven::forward(const DeviceArray& x, DeviceArray& y, const Subset& s, Write write) {
  check_volume(x);
  projection_->forward(as_gl(x), as_gl(y), layers(y, s), s, write);
}

void GlRayDriven::add_back(const GlArray& y, Layers layers, const Subset& s, GlArray& x, Write write) {
  projection_->back(y, layers, s, x, write);
}

}  // namespace backlit::gl

namespace backlit {

ProjectorInfo voxel_driven_gl() {
  ProjectorInfo info;
  info.model = Model::voxel_driven;
  info.device = "gl";
  info.packings = {Packing::automatic, Packing::none, Packing::slices, Packing::orbit};
  info.fdk_weights = true;
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    gl::GlBackend& device = gl::current_gl(backend);
    return std::make_unique<gl::GlVoxelDriven>(device.shared_context(), device.timings(), grid, scan, options);
  };
  info.variants = gl::backprojection_variants;
  return info;
}

namespace gl {

ProjectorInfo ray_driven_info(Model model) {
  ProjectorInfo info;
  info.model = model;
  info.device = "gl";
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    GlBackend& device = current_gl(backend);
    return std::make_unique<GlRayDriven>(device.shared_context(), device.timings(), grid, scan, options);
  };
  return info;
}

}  // namespace gl

}  // namespace backlit
