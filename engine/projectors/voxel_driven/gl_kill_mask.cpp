#include "projectors/voxel_driven/gl_kill_mask.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/geometry/default_grid.hpp>

namespace backlit::gl {

using Kill = BackprojectionVariant::Kill;
namespace {

double radius_of(const Scan& scan) try { return field_of_view_radius(scan); } catch (const InputError& reason) {
  throw Unsupported("variant", fmt::format("kill needs a field of view around the axis ({})", reason.what()),
                    "use kill=none");
}

}  // namespace

KillMask::KillMask(Kill kind, std::int64_t width, std::int64_t height, std::int64_t layers)
    : kind_(kind),
      texture_("kill mask", GL_TEXTURE_2D_ARRAY, kind == Kill::stencil ? GL_STENCIL_INDEX8 : GL_DEPTH_COMPONENT16,
               width, height, layers),
      framebuffer_("kill mask") {}

void KillMask::require(const Scan& scan) { radius_of(scan); }

void KillMask::describe(Program& p, const Scan& scan, BackprojectionVariant::Interpolation interpolation,
                        bool in_pixels) {
  p.set("radius", static_cast<float>(radius_of(scan)));
  // Interpolated values fade to zero over the pixel beyond the border; nearest values end at the border.
  const float fade = interpolation == BackprojectionVariant::Interpolation::linear ? 0.5f : 0.0f;
  const auto columns = static_cast<float>(scan.detector.columns), rows = static_cast<float>(scan.detector.rows);
  if (in_pixels) {
    p.set("lowest", -0.5f - fade, -0.5f - fade);
    p.set("highest", columns - 0.5f + fade, rows - 0.5f + fade);
  } else {
    p.set("lowest", -fade / columns, -fade / rows);
    p.set("highest", 1 + fade / columns, 1 + fade / rows);
  }
}

void KillMask::mark(const Program& program, std::int64_t fragments) {
  framebuffer_.attach_nothing(texture_);
  framebuffer_.attach_test(texture_);
  framebuffer_.use();
  glClearStencil(0);
  glClearDepth(0);  // nearer than any slice (all lie at the same depth), so that unmarked fragments fail GL_LEQUAL
  glStencilMask(0xff);
  glDepthMask(GL_TRUE);
  glClear(kind_ == Kill::stencil ? GL_STENCIL_BUFFER_BIT : GL_DEPTH_BUFFER_BIT);
  const GLenum test = kind_ == Kill::stencil ? GL_STENCIL_TEST : GL_DEPTH_TEST;
  glEnable(test);
  glStencilFunc(GL_ALWAYS, 1, 0xff);
  glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
  glDepthFunc(GL_ALWAYS);
  program.use();
  const Query passed("fragments marked", GL_SAMPLES_PASSED);
  glBeginQuery(GL_SAMPLES_PASSED, passed.id());
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(texture_.depth()));
  glEndQuery(GL_SAMPLES_PASSED);
  glDisable(test);
  share_ = 1 - static_cast<double>(passed.result()) / static_cast<double>(fragments);
}

KillMask::Testing::Testing(Kill kind) {
  glStencilMask(0);
  glDepthMask(GL_FALSE);
  glStencilFunc(GL_EQUAL, 1, 0xff);
  glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
  glDepthFunc(GL_LEQUAL);
  if (kind != Kill::none) glEnable(kind == Kill::stencil ? GL_STENCIL_TEST : GL_DEPTH_TEST);
}

KillMask::Testing::~Testing() {
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_DEPTH_TEST);
  glStencilMask(0xff);
  glDepthMask(GL_TRUE);
}

}  // namespace backlit::gl
