#include "render/gl/finisher.hpp"

namespace backlit::gl {
namespace {

constexpr std::int64_t group = 16;

GLuint groups(std::int64_t n) { return static_cast<GLuint>((n + group - 1) / group); }

Vec3 share(Rgb c) { return Vec3(c.r, c.g, c.b) / 255.0; }

}  // namespace

Texture make_found(std::int64_t width, std::int64_t height) {
  return Texture("found by rays", GL_TEXTURE_2D, GL_RGBA32F, width, height);
}

Texture make_shown(std::int64_t width, std::int64_t height) {
  return Texture("shown", GL_TEXTURE_2D, GL_RGBA8, width, height);
}

Finisher::Finisher(std::shared_ptr<Context> context) : context_(std::move(context)) {
  context_->make_current();
  map_ = ColormapTexture("colour map");
}

Program& Finisher::program(PictureKind kind) {
  const auto k = static_cast<std::size_t>(kind);
  if (!programs_[k]) programs_[k] = Program("finish", {"render/finish.comp"}, {{"KIND", std::to_string(k)}});
  return programs_[k];
}

void Finisher::run(const Texture& found, PictureKind kind, const CameraBlock& camera, const Finish& finish,
                   const Texture& shown) {
  context_->make_current();
  if (kind == PictureKind::values) map_.load(finish.map);
  Program& p = program(kind);
  const double width = finish.window.high - finish.window.low;
  p.set("window", static_cast<float>(finish.window.low), static_cast<float>(1 / width), ColormapTexture::scale,
        ColormapTexture::offset);
  p.set("background", share(finish.background));
  p.set("surface_color", share(finish.surface));
  p.set("clear", finish.clear ? 1 : 0);
  camera.bind();
  found.bind(0);
  map_.bind(1);
  shown.bind_image(0, GL_WRITE_ONLY);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
  p.use();
  glDispatchCompute(groups(shown.width()), groups(shown.height()), 1);
  glBindSampler(1, 0);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
}

Image read_shown(const Texture& shown) {
  Image image(shown.width(), shown.height());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glGetTextureImage(shown.id(), 0, GL_RGB, GL_UNSIGNED_BYTE, static_cast<GLsizei>(3 * image.pixels.size()),
                    image.pixels.data());
  return image;
}

std::vector<float> read_found(const Texture& found) {
  std::vector<float> values(static_cast<std::size_t>(4 * found.width() * found.height()));
  glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
  glGetTextureImage(found.id(), 0, GL_RGBA, GL_FLOAT, static_cast<GLsizei>(4 * values.size()), values.data());
  return values;
}

}  // namespace backlit::gl
