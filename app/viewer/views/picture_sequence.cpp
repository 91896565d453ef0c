#include "views/picture_sequence.hpp"

#include <backlit/core/error.hpp>
#include <backlit/io/file_format.hpp>
#include <backlit/render/png.hpp>
#include "model/values/exports.hpp"

namespace backlit::viewer {
void PictureSequence::begin(std::vector<Turntable> path, const std::string& name, std::int64_t side, ViewState look) {
  if (busy()) throw InputError("export", "pictures are still being written", "wait, or cancel them");
  if (is_movie(name)) movie_ = std::make_unique<Movie>(name);
  if (has_extension(name, {".apng"}))
    animation_ = std::make_unique<AnimatedPng>(name, static_cast<std::int64_t>(path.size()), pictures_a_second);
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
  animation_.reset();
}

std::string PictureSequence::made() const {
  return movie_ ? movie_->path() : animation_ ? pattern_ : numbered(pattern_, done() - 1);
}

void PictureSequence::work(Frame& frame) {
  if (!busy() || !frame.has_volume()) return;
  try {
    if (next_ < path_.size()) return draw(frame);
    if (movie_ && movie_->busy()) return;
    if (animation_) animation_->commit();
    frame.model.exported(made());
    cancel();
  } catch (...) {
    cancel();
    throw;
  }
}

void PictureSequence::draw(Frame& frame) {
  const auto image = picture_.approach(frame, look_, path_[next_], side_, side_);
  if (!image) return;
  if (animation_)
    animation_->add(*image);
  else
    save_png(*image, numbered(pattern_, static_cast<std::int64_t>(next_)));
  if (++next_ == path_.size() && movie_) movie_->encode();
}

}  // namespace backlit::viewer
