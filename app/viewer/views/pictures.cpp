#include "views/pictures.hpp"

#include "device/gl/dispatch.hpp"

namespace backlit::viewer {
namespace {

constexpr std::int64_t group = 16;

void set(gl::Program& p, const char* name, const Vec3& v) {
  p.set(name, static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z));
}

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
  subtract_ = gl::Program("difference of slices", {"viewer/subtract.comp"});
  map_ = gl::ColormapTexture("colours of slices");
}

void Painter::color(const gl::Texture& values, const CutPlane& plane, const VolumeGrid& box, const Window& window,
                    const std::string& map, const gl::Texture& shown) {
  const Vec3 extent = box.upper() - box.lower();
  run(values, (plane.point(0, 0) - box.lower()) / extent, plane.pixel * plane.right / extent,
      -plane.pixel * plane.up / extent, window, map, shown);
}

void Painter::color(const gl::Texture& values, const Window& window, const std::string& map, const gl::Texture& shown) {
  run(values, Vec3(0.5), Vec3(0), Vec3(0), window, map, shown);
}

void Painter::run(const gl::Texture& values, const Vec3& corner, const Vec3& right, const Vec3& down,
                  const Window& window, const std::string& map, const gl::Texture& shown) {
  map_.load(map);
  set(color_, "corner", corner);
  set(color_, "right", right);
  set(color_, "down", down);
  const double width = window.high > window.low ? window.high - window.low : 1e-30;
  color_.set("window", static_cast<float>(window.low), static_cast<float>(1 / width), gl::ColormapTexture::scale,
             gl::ColormapTexture::offset);
  values.bind(0);
  map_.bind(1);
  dispatch(color_, shown);
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

}  // namespace backlit::viewer
