// Joseph's method on the graphics pipeline as a LinearOperator, and its descriptor.
#include <algorithm>

#include <backlit/core/error.hpp>
#include "projectors/gl_variants.hpp"
#include "projectors/joseph/gl.hpp"
#include "projectors/joseph/main_axes.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/gl/gl_ct.hpp"
#include "projectors/shared/gl/view_table.hpp"

namespace backlit::gl {
namespace {

/// The quarter turns to pack; none where packing is neither asked for nor faster.
QuarterTurns turns_to_pack(const Context& context, const VolumeGrid& grid, const Scan& scan, const CtOptions& o,
                           StackChoice stack) {
  const bool asked = o.packing == Packing::orbit;
  if (!asked && (o.packing != Packing::automatic || o.precision != Precision::half)) return {};
  if (o.precision == Precision::exact)
    throw Unsupported("packing orbit", "precision exact interpolates in software", "use `precision` fast or half");
  if (stack == StackChoice::ray) {
    if (!asked) return {};
    throw Unsupported("packing orbit", "quarter turns go through the stacks of views, not of rays",
                      "leave `stack` ray out");
  }
  QuarterTurns turns = find_quarter_turns(scan, grid);
  const std::string refusal = SliceProjection::refusal(context, turns, grid, scan);
  if (refusal.empty()) return turns;
  if (asked) throw Unsupported("packing orbit", refusal, "use `packing` auto");
  return {};
}

void require_slices_packed(const Context& context, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                           StackChoice stack) {
  if (options.packing != Packing::slices) return;
  if (const std::string why = SliceProjection::rows_refusal(context, grid, scan, stack); !why.empty())
    throw Unsupported("packing slices", why, "use `packing` none");
}

}  // namespace

void require_joseph(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  const Context& context = current_gl(backend).context();
  const StackChoice stack = ProjectionVariant::of(options).stack;
  require_textures(context, grid, scan);
  require_slices_packed(context, grid, scan, options, stack);
  turns_to_pack(context, grid, scan, options, stack);
  if (stack == StackChoice::view) view_axes(scan, grid);
}

OperatorPtr make_joseph(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                        const ProjectionVariant& asked) {
  GlBackend& device = current_gl(backend);
  ProjectionVariant variant = asked;
  require_slices_packed(device.context(), grid, scan, options, asked.stack);
  const QuarterTurns turns = turns_to_pack(device.context(), grid, scan, options, asked.stack);
  // Views without partners, and transposes, use the same stacks as packed views: they are one operator.
  if (!turns.groups.empty()) variant.stack = StackChoice::view;
  auto plan =
      std::make_unique<SliceProjection>(device.shared_context(), device.timings(), grid, scan, options, variant, turns);
  const bool matched = options.precision == Precision::exact;
  return std::make_unique<GlRayDriven>(device, grid, scan, options, std::move(plan), matched);
}

}  // namespace backlit::gl

namespace backlit {

ProjectorInfo joseph_gl() {
  ProjectorInfo info;
  info.model = Model::joseph;
  info.device = "gl";
  info.packings = {Packing::automatic, Packing::none, Packing::slices, Packing::orbit};
  info.options = {"pipeline", "accumulate", "stack"};
  info.require = gl::require_joseph;
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return gl::make_joseph(backend, grid, scan, options, gl::ProjectionVariant::of(options));
  };
  info.bytes = [](const Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                  std::int64_t views) {
    return std::max(usual_plan_bytes(grid, scan, views), gl::SliceProjection::packed_bytes(grid, scan, options, views));
  };
  return info;
}

}  // namespace backlit
