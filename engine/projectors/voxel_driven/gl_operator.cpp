#include "projectors/voxel_driven/gl_operator.hpp"

#include <algorithm>

#include <backlit/core/error.hpp>
#include "projectors/gl_variants.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/gl/view_table.hpp"
#include "projectors/voxel_driven/gl_kill_mask.hpp"

namespace backlit::gl {
namespace {

/// Packing filters in hardware, so it is not used where interpolation in software is asked for.
bool may_pack(const CtOptions& o, const BackprojectionVariant& variant) {
  if (o.packing == Packing::orbit) return true;
  return o.packing == Packing::automatic && o.precision != Precision::exact && !variant.unpacked;
}

/// The quarter turns to pack; none where views stay unpacked. Throws Unsupported where packing was asked for by name
/// and is not possible.
std::optional<QuarterTurns> turns_to_pack(const Context& context, const VolumeGrid& grid, const Scan& scan,
                                          const CtOptions& options, const BackprojectionVariant& variant) {
  if (!may_pack(options, variant)) return {};
  if (options.precision == Precision::exact)
    throw Unsupported("packing orbit", "precision exact interpolates in software", "use `precision` fast or half");
  // Packing needs all views at once, or in its own order. OpenGL does not report the size of memory, so scans larger
  // than this are streamed unpacked, unless packing is asked for by name.
  constexpr std::int64_t most_bytes = std::int64_t{4} << 30;
  const std::int64_t bytes =
      scan.view_count() * scan.detector.pixels() * (options.precision == Precision::half ? 2 : 4);
  if (options.packing == Packing::automatic && bytes > most_bytes) return {};
  QuarterTurns turns = find_quarter_turns(scan, grid);
  const std::string refusal = OrbitBackprojection::refusal(context, turns, grid, scan.view_count());
  if (refusal.empty()) return turns;
  if (options.packing == Packing::orbit) throw Unsupported("packing orbit", refusal, "use `packing` auto");
  return {};
}

}  // namespace

void require_voxel_driven(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  const Context& context = current_gl(backend).context();
  const BackprojectionVariant variant = BackprojectionVariant::of(options);
  require_textures(context, grid, scan);
  turns_to_pack(context, grid, scan, options, variant);
  if (variant.kill != BackprojectionVariant::Kill::none) KillMask::require(scan);
}

GlVoxelDriven::GlVoxelDriven(GlBackend& device, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                             const BackprojectionVariant& variant)
    : GlCt(device.shared_context(), grid, scan, options, GL_R32F),
      views_(scan.view_count()),
      weighted_(options.weighting == Weighting::fdk) {
  if (const auto turns = turns_to_pack(device.context(), grid, scan, options, variant))
    orbit_.emplace(device.shared_context(), device.timings(), grid, scan, options, variant, *turns);
  constexpr std::int64_t part = 64;  // views; calls with all views use the packed plan
  CtOptions single = options;
  BackprojectionVariant of_single = variant;
  if (orbit_) {
    single.packing = Packing::none;
    of_single.texel.clear();
  }
  backprojection_.emplace(device.shared_context(), device.timings(), grid, scan, single, of_single,
                          orbit_ ? std::min(part, views_) : views_);
}

std::string GlVoxelDriven::variant_name() const { return orbit_ ? orbit_->name() : backprojection_->name(); }

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

OperatorPtr make_voxel_driven(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                              const BackprojectionVariant& variant) {
  return std::make_unique<GlVoxelDriven>(current_gl(backend), grid, scan, options, variant);
}

}  // namespace backlit::gl

namespace backlit {

ProjectorInfo voxel_driven_gl() {
  ProjectorInfo info;
  info.model = Model::voxel_driven;
  info.device = "gl";
  info.packings = {Packing::automatic, Packing::none, Packing::slices, Packing::orbit};
  info.fdk_weights = true;
  info.options = {"pipeline", "shader", "accumulate", "early_kill", "interpolation"};
  info.require = gl::require_voxel_driven;
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return gl::make_voxel_driven(backend, grid, scan, options, gl::BackprojectionVariant::of(options));
  };
  return info;
}

}  // namespace backlit
