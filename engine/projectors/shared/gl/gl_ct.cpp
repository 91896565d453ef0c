#include "projectors/shared/gl/gl_ct.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/projectors/subset_rows.hpp>

namespace backlit::gl {

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
                     name(packing()), variant_name());
}

GlRayDriven::GlRayDriven(GlBackend& device, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                         std::unique_ptr<RayProjection> projection, bool matched)
    : GlCt(device.shared_context(), grid, scan, options, GL_R32F),
      matched_(matched),
      projection_(std::move(projection)) {}

void GlRayDriven::forward(const DeviceArray& x, DeviceArray& y, const Subset& s, Write write) {
  check_volume(x);
  projection_->forward(as_gl(x), as_gl(y), layers(y, s), s, write);
}

void GlRayDriven::add_back(const GlArray& y, Layers layers, const Subset& s, GlArray& x, Write write) {
  projection_->back(y, layers, s, x, write);
}

}  // namespace backlit::gl
