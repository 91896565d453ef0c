#include "views/still_picture.hpp"

#include <array>

namespace backlit::viewer {
namespace {

/// Lays a picture that is clear where nothing was hit over another of its size.
void lay_over(Image& image, const gl::Texture& shown, double opacity) {
  std::vector<std::array<std::uint8_t, 4>> over(image.pixels.size());
  glGetTextureImage(shown.id(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(4 * over.size()), over.data());
  for (std::size_t i = 0; i < over.size(); ++i) {
    const auto [r, g, b, a] = over[i];
    const auto at = static_cast<std::int64_t>(i);
    image.blend(at % image.width, at / image.width, {r, g, b}, opacity * a / 255);
  }
}

}  // namespace

std::vector<SurfaceLook> looks_from(const Frame& frame, const ViewState& look, const Turntable& camera,
                                    std::int64_t width, std::int64_t height) {
  const Look plain = volume_look(look, frame.status, frame.grid(), camera_rays(camera, frame.grid(), width, height));
  auto looks = surface_looks(look, plain);
  if (looks.empty()) looks.push_back({plain, 1});
  return looks;
}

std::optional<Image> StillPicture::approach(Frame& frame, const ViewState& look, const Turntable& camera,
                                            std::int64_t width, std::int64_t height) {
  const auto looks = looks_from(frame, look, camera, width, height);
  while (pictures_.size() < looks.size()) pictures_.push_back(std::make_unique<VolumePicture>(context_));
  for (std::size_t i = 0; i < looks.size(); ++i)
    if (!pictures_[i]->approach(frame.front, looks[i].look)) return std::nullopt;
  if (!looks[0].look.finish.clear) return gl::read_shown(pictures_[0]->shown());
  Image image(width, height, looks[0].look.finish.background);
  for (std::size_t i = 0; i < looks.size(); ++i) lay_over(image, pictures_[i]->shown(), looks[i].opacity);
  return image;
}

}  // namespace backlit::viewer
