#include "views/picture_sequence.hpp"

#include <array>

#include <backlit/core/error.hpp>
#include <backlit/render/png.hpp>
#include "model/values/exports.hpp"

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

void PictureSequence::begin(std::vector<Turntable> path, const std::string& name, std::int64_t side, ViewState look) {
  if (busy()) throw InputError("export", "pictures are still being written", "wait, or cancel them");
  if (is_movie(name)) movie_ = std::make_unique<Movie>(name);
  pattern_ = movie_ ? movie_->pictures() : name;
  path_ = std::move(path);
  next_ = 0;
  side_ = side;
  look_ = std::move(look);
}

void PictureSequence::cancel() {
  path_.clear();
  next_ = 0;
  movie_.reset();
}

void PictureSequence::work(Frame& frame) {
  if (!busy() || !frame.has_volume()) return;
  try {
    if (next_ < path_.size()) return draw(frame);
    if (movie_ && movie_->busy()) return;
    frame.model.exported(movie_ ? movie_->path() : numbered(pattern_, done() - 1));
    cancel();
  } catch (...) {
    cancel();
    throw;
  }
}

std::optional<Image> PictureSequence::picture(Frame& frame) {
  const CameraRays rays = camera_rays(path_[next_], frame.grid(), side_, side_);
  const Look plain = volume_look(look_, frame.status, frame.grid(), rays);
  auto looks = surface_looks(look_, plain);
  if (looks.empty()) looks.push_back({plain, 1});
  while (pictures_.size() < looks.size()) pictures_.push_back(std::make_unique<VolumePicture>(context_));
  for (std::size_t i = 0; i < looks.size(); ++i)
    if (!pictures_[i]->approach(frame.front, looks[i].look)) return std::nullopt;
  if (!looks[0].look.finish.clear) return gl::read_shown(pictures_[0]->shown());
  Image image(side_, side_, plain.finish.background);
  for (std::size_t i = 0; i < looks.size(); ++i) lay_over(image, pictures_[i]->shown(), looks[i].opacity);
  return image;
}

void PictureSequence::draw(Frame& frame) {
  const auto image = picture(frame);
  if (!image) return;
  save_png(*image, numbered(pattern_, static_cast<std::int64_t>(next_)));
  if (++next_ == path_.size() && movie_) movie_->encode();
}

}  // namespace backlit::viewer
