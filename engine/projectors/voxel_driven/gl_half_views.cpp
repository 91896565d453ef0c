#include "projectors/voxel_driven/gl_half_views.hpp"

#include <algorithm>

#include "device/gl/dispatch.hpp"

namespace backlit::gl {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{1} << 30, half_bytes = 2;

std::int64_t views_that_fit(const Detector& d, std::int64_t views) {
  return std::clamp<std::int64_t>(most_bytes / (half_bytes * d.pixels()), 1, views);
}

}  // namespace

HalfViews::HalfViews(TimingTable& timings, const Detector& detector, std::int64_t views)
    : timings_(timings),
      reductions_(timings),
      columns_(detector.columns),
      rows_(detector.rows),
      most_views_(views_that_fit(detector, views)),
      program_("store halves", {"voxel_driven/store_half.comp"}) {}

ViewRun HalfViews::copy(const GlArray& views, const ViewRun& run) {
  const Pass pass(timings_, "store halves");
  ViewRun copied = run;
  copied.first_layer = 0;
  copied.layer_stride = run.layer_stride == 0 ? 0 : 1;
  const std::int64_t layers = run.layer_stride == 0 ? 1 : run.count;
  if (layers > texture_.depth()) {
    texture_ = {};  // frees the old one first
    texture_ = Texture("views as halves", GL_TEXTURE_2D_ARRAY, GL_R16F, columns_, rows_, layers);
  }
  program_.set("first", static_cast<int>(run.first_layer));
  program_.set("stride", static_cast<int>(run.layer_stride));
  program_.set("per_unit", 1 / unit_);
  program_.use();
  glBindSampler(0, 0);
  views.textures()[run.texture].bind(0);
  texture_.bind_image(0, GL_WRITE_ONLY);
  glDispatchCompute(groups(texture_.width(), 32), groups(texture_.height(), 8), static_cast<GLuint>(layers));
  glMemoryBarrier(everything_that_reads);
  return copied;
}

}  // namespace backlit::gl
