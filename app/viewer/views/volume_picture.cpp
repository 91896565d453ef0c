#include "views/volume_picture.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <backlit/render/lighting.hpp>
#include "views/pictures.hpp"

namespace backlit::viewer {
namespace {

constexpr double moving_budget = 0.03;    ///< seconds for a frame during interaction
constexpr double still_budget = 0.04;     ///< ... and for sharpening afterwards
constexpr double software_budget = 0.02;  ///< ... replaces both if the CPU also draws the rest of the frame
constexpr std::int64_t coarsest = 8;
constexpr std::int64_t software_light_cells = 48;  ///< of VolumeRenderOptions, if the CPU draws

}  // namespace

CameraRays coarser(CameraRays rays, std::int64_t n) {
  const auto f = static_cast<double>(n);
  const double shift = 0.5 * (f - 1);
  rays.light = light_of(rays);
  rays.origin += shift * (rays.origin_x + rays.origin_y);
  rays.direction += shift * (rays.direction_x + rays.direction_y);
  for (Vec3* step : {&rays.origin_x, &rays.origin_y, &rays.direction_x, &rays.direction_y}) *step *= f;
  rays.width = (rays.width + n - 1) / n;
  rays.height = (rays.height + n - 1) / n;
  return rays;
}

CameraRays rows_of(CameraRays rays, std::int64_t first, std::int64_t count) {
  rays.light = light_of(rays);  // so that strips of a shaded picture fit together
  rays.origin += static_cast<double>(first) * rays.origin_y;
  rays.direction += static_cast<double>(first) * rays.direction_y;
  rays.height = count;
  return rays;
}

VolumePicture::VolumePicture(std::shared_ptr<gl::Context> context)
    : context_(context),
      renderer_(context),
      finisher_(context),
      moving_(context->limits().software ? software_budget : moving_budget),
      still_(context->limits().software ? software_budget : still_budget) {}

bool VolumePicture::begins(const gl::GlDisplayVolume::Front& front, const Look& look) {
  const bool moved = front.generation != generation_ || !same_found(look, look_) || !(look.finish == look_.finish);
  look_ = look;
  generation_ = front.generation;
  if (moved) {
    row_ = 0;
    sharp_ = false;
  }
  return moved;
}

bool VolumePicture::update(const gl::GlDisplayVolume::Front& front, const Look& look) {
  const auto pixels = static_cast<double>(look.rays.width * look.rays.height);
  if (begins(front, look) && pixels * seconds_per_pixel_ > moving_) {
    render_coarse(front, look);
    return false;
  }
  if (!sharp_) render_rows(front, look, still_);
  return sharp_;
}

bool VolumePicture::approach(const gl::GlDisplayVolume::Front& front, const Look& look) {
  begins(front, look);
  if (!sharp_) render_rows(front, look, still_);
  return sharp_;
}

void VolumePicture::render(const gl::GlDisplayVolume::Front& front, const Look& look, gl::Texture& found,
                           const gl::Texture& shown) {
  const auto start = std::chrono::steady_clock::now();
  fit(found, "found by rays", GL_RGBA32F, look.rays.width, look.rays.height);
  renderer_.render(front, look.rays, look.options, look.classifier, found);
  finisher_.run(found, picture_kind(look.options.mode), renderer_.camera(), look.finish, shown);
  glFinish();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  // Adapt at once to slower frames but slowly to faster ones: a half-empty picture is an exception.
  const double now = taken.count() / static_cast<double>(look.rays.width * look.rays.height);
  seconds_per_pixel_ = std::max(now, 0.7 * seconds_per_pixel_ + 0.3 * now);
}

void VolumePicture::render_coarse(const gl::GlDisplayVolume::Front& front, const Look& look) {
  const auto pixels = static_cast<double>(look.rays.width * look.rays.height);
  const auto n = static_cast<std::int64_t>(std::ceil(std::sqrt(pixels * seconds_per_pixel_ / moving_)));
  Look part = look;
  part.rays = coarser(look.rays, std::clamp<std::int64_t>(n, 1, coarsest));
  part.options.step = std::min(2.0, 2 * look.options.step);
  if (context_->limits().software) part.options.shadows = part.options.occlusion = 0;  // the light takes a frame alone
  fit(coarse_, "3-D view, coarse", GL_RGBA8, part.rays.width, part.rays.height);
  render(front, part, found_, coarse_);
}

void VolumePicture::render_rows(const gl::GlDisplayVolume::Front& front, const Look& look, double seconds) {
  const std::int64_t width = look.rays.width, height = look.rays.height;
  const double rows = seconds / (seconds_per_pixel_ * static_cast<double>(width));
  // Use only a few sizes: a new size needs new textures.
  std::int64_t count = 16;
  while (static_cast<double>(2 * count) <= rows && count < height) count *= 2;
  count = std::min(count, height);
  const std::int64_t first = std::min(row_, height - count);
  Look part = look;
  part.rays = rows_of(look.rays, first, count);
  if (context_->limits().software) part.options.light_cells = software_light_cells;
  fit(fine_, "3-D view", GL_RGBA8, width, height);
  if (count == height) {
    render(front, part, found_, fine_);
  } else {
    fit(strip_, "3-D view, some rows", GL_RGBA8, width, count);
    render(front, part, found_, strip_);
    glCopyImageSubData(strip_.id(), GL_TEXTURE_2D, 0, 0, 0, 0, fine_.id(), GL_TEXTURE_2D, 0, 0,
                       static_cast<GLint>(first), 0, static_cast<GLsizei>(width), static_cast<GLsizei>(count), 1);
  }
  row_ = first + count;
  sharp_ = row_ == height;
}

}  // namespace backlit::viewer
