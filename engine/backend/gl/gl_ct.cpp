#include "backend/gl/gl_ct.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/error.hpp"

namespace backlit::gl {

GlCt::GlCt(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
           const CtOptions& options)
    : context_(context),
      grid_(grid),
      detector_(scan.detector),
      views_(scan.view_count()),
      options_(options),
      backprojection_(context, timings, grid, scan, options),
      ones_(context, "view of ones", shape_of(scan.detector, 1)) {
  ones_.textures()[0].clear(1);
}

ArrayPtr GlCt::make_domain() { return std::make_unique<GlArray>(context_, "volume", domain()); }

ArrayPtr GlCt::make_range(std::int64_t rows) {
  const GLenum format = options_.precision == Precision::half ? GL_R16F : GL_R32F;
  return std::make_unique<GlArray>(context_, "projections", shape_of(detector_, rows), format);
}

void GlCt::forward(const DeviceArray&, DeviceArray&, const Subset&, Write) {
  throw Unsupported("gl", "forward projection is not there yet", "use the cpu backend");
}

void GlCt::check(const Subset& s, const DeviceArray& volume) const {
  if (s.first < 0 || s.count < 0 || s.stride < 1 || (s.count > 0 && s.first + (s.count - 1) * s.stride >= views_))
    throw InputError("subset", fmt::format("first {}, count {}, stride {} does not fit {} views", s.first, s.count,
                                           s.stride, views_));
  if (!(volume.shape() == domain()))
    throw Failure("backprojection", "the volume's array has another shape than the plan's grid");
}

void GlCt::back(const DeviceArray& y, DeviceArray& x, const Subset& s, Write write) {
  check(s, x);
  const ArrayShape& n = y.shape();
  if (n.n0 != detector_.columns || n.n1 != detector_.rows || (n.n2 != views_ && n.n2 != s.count))
    throw Failure("backprojection", fmt::format("projections of {} x {} x {} are neither all {} views of the scan nor "
                                                "the {} of the subset, {} x {}",
                                                n.n0, n.n1, n.n2, views_, s.count, detector_.columns, detector_.rows));
  const bool all = n.n2 == views_;
  backprojection_.run(as_gl(y), all ? Backprojection::Layers{s.first, s.stride} : Backprojection::Layers{0, 1}, s,
                      as_gl(x), write);
}

void GlCt::sensitivity(DeviceArray& x, const Subset& s) {
  check(s, x);
  backprojection_.run(ones_, {0, 0}, s, as_gl(x), Write::overwrite);
}

std::string GlCt::variant() const {
  return fmt::format("model={},precision={},packing=none,{}", name(options_.model), name(options_.precision),
                     backprojection_.variant().name());
}

}  // namespace backlit::gl
