#include "views/pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "device/gl/dispatch.hpp"

namespace backlit::viewer {
namespace {

constexpr std::int64_t group = 16;

void dispatch(gl::Program& p, const gl::Texture& shown) {
  p.use();
  shown.bind_image(0, GL_WRITE_ONLY);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
  glDispatchCompute(gl::groups(shown.width(), group), gl::groups(shown.height(), group), 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  glBindSampler(1, 0);
}

}  // namespace

Painter::Painter(std::shared_ptr<gl::Context> context) : context_(std::move(context)) {
  context_->make_current();
  color_ = gl::Program("colours of a slice", {"viewer/slice.comp"});
  difference_ = gl::Program("difference of pictures", {"viewer/difference.comp"});
  mark_ = gl::Program("segment in a slice", {"viewer/segment.comp"});
  materials_ = gl::Program("materials in a slice", {"viewer/materials.comp"});
  ranges_ = gl::Buffer("materials", most_materials * 2 * static_cast<std::int64_t>(sizeof(std::array<float, 4>)));
  subtract_ = gl::Program("difference of slices", {"viewer/subtract.comp"});
  map_ = gl::ColormapTexture("colours of slices");
}

void Painter::color(const gl::Texture& values, const CutPlane& plane, const VolumeGrid& box, const Window& window,
                    const std::string& map, const gl::Texture& shown, bool fade) {
  const Vec3 extent = box.upper() - box.lower();
  run(values, (plane.point(0, 0) - box.lower()) / extent, plane.pixel * plane.right / extent,
      -plane.pixel * plane.up / extent, window, map, shown, fade);
}

void Painter::color(const gl::Texture& values, const Window& window, const std::string& map, const gl::Texture& shown) {
  run(values, Vec3(0.5), Vec3(0), Vec3(0), window, map, shown, false);
}

void Painter::run(const gl::Texture& values, const Vec3& corner, const Vec3& right, const Vec3& down,
                  const Window& window, const std::string& map, const gl::Texture& shown, bool fade) {
  map_.load(map);
  color_.set("fade", fade ? 1 : 0);
  color_.set("corner", corner);
  color_.set("right", right);
  color_.set("down", down);
  const double width = window.high > window.low ? window.high - window.low : 1e-30;
  color_.set("window", static_cast<float>(window.low), static_cast<float>(1 / width), gl::ColormapTexture::scale,
             gl::ColormapTexture::offset);
  values.bind(0);
  map_.bind(1);
  dispatch(color_, shown);
}

void Painter::mark(const gl::Texture& values, const CutPlane& plane, double low, double high,
                   std::span<const BrushBall> balls, const gl::Texture& shown) {
  // In order, those that reach the plane: x, y, z and radius, negative where the ball was taken away.
  std::vector<std::array<float, 4>> near;
  for (const BrushBall& b : balls) {
    if (std::abs(glm::dot(b.center - plane.center, plane.normal())) > b.radius) continue;
    const glm::vec3 c(b.center);
    near.push_back({c.x, c.y, c.z, static_cast<float>(b.added ? b.radius : -b.radius)});
  }
  mark_.set("count", static_cast<int>(near.size()));
  if (near.empty()) near.emplace_back();
  const auto bytes = static_cast<std::int64_t>(near.size() * sizeof(near[0]));
  if (balls_.bytes() < bytes) balls_ = gl::Buffer("balls of the brush", 2 * bytes);
  balls_.write(std::as_bytes(std::span(near)));
  balls_.bind_storage(0);
  mark_.set("corner", plane.point(0, 0));
  mark_.set("right", plane.pixel * plane.right);
  mark_.set("down", -plane.pixel * plane.up);
  mark_.set("range", static_cast<float>(low), static_cast<float>(std::min(high, 3e38)));
  values.bind(0);
  mark_.use();
  shown.bind_image(0, GL_READ_WRITE);
  glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
  glDispatchCompute(gl::groups(shown.width(), group), gl::groups(shown.height(), group), 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
}

void Painter::mark(const gl::Texture& values, std::span<const Material> materials, const gl::Texture& shown) {
  constexpr float tint = 0.5f;
  std::vector<std::array<float, 4>> ranges;
  for (const Material& m : materials) {
    const Rgb c = color_from(m.color, "material");
    const auto share = [](std::uint8_t byte) { return static_cast<float>(byte) / 255; };
    ranges.push_back({static_cast<float>(m.low), static_cast<float>(m.high), m.opacity > 0 ? tint : 0.0f, 0.0f});
    ranges.push_back({share(c.r), share(c.g), share(c.b), 0.0f});
  }
  if (ranges.empty()) return;
  ranges_.write(std::as_bytes(std::span(ranges)));
  ranges_.bind_storage(0);
  materials_.set("count", static_cast<int>(materials.size()));
  values.bind(0);
  materials_.use();
  shown.bind_image(0, GL_READ_WRITE);
  glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
  glDispatchCompute(gl::groups(shown.width(), group), gl::groups(shown.height(), group), 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
}

void Painter::subtract(const gl::Texture& first, const gl::Texture& second, const gl::Texture& values) {
  first.bind(0);
  second.bind(1);
  dispatch(subtract_, values);
}

void Painter::difference(const gl::Texture& first, const gl::Texture& second, double gain, const gl::Texture& shown) {
  difference_.set("gain", static_cast<float>(gain));
  first.bind(0);
  second.bind(1);
  dispatch(difference_, shown);
}

void fit(gl::Texture& texture, const char* label, GLenum format, std::int64_t width, std::int64_t height) {
  if (!texture || texture.width() != width || texture.height() != height || texture.format() != format)
    texture = gl::Texture(label, GL_TEXTURE_2D, format, width, height);
}

void PlaneTextures::load(const Plane& p) {
  fit(values, "plane", GL_R32F, p.width, p.height);
  fit(shown, "plane in colours", GL_RGBA8, p.width, p.height);
  glTextureSubImage2D(values.id(), 0, 0, 0, static_cast<GLsizei>(p.width), static_cast<GLsizei>(p.height), GL_RED,
                      GL_FLOAT, p.values.data());
}

}  // namespace backlit::viewer
