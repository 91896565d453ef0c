// Turntables and camera paths as files: a strip of a picture a frame, so that the window stays alive.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frame.hpp"
#include "model/values/movie.hpp"
#include "views/volume_picture.hpp"

namespace backlit::viewer {

class PictureSequence {
 public:
  explicit PictureSequence(std::shared_ptr<gl::Context> context) : context_(std::move(context)) {}

  /// From now on. `look`: the state by which all pictures are made, whatever is changed meanwhile; `name`: a movie, or
  /// pictures, see numbered(). Throws InputError while others are being written, and for a name that cannot be used.
  void begin(std::vector<Turntable> path, const std::string& name, std::int64_t side, ViewState look);
  bool busy() const { return !path_.empty(); }
  /// Pictures that have been written stay.
  void cancel();
  std::int64_t done() const { return static_cast<std::int64_t>(next_); }
  std::int64_t total() const { return static_cast<std::int64_t>(path_.size()); }
  /// One frame's share. Throws InputError and Failure, after which nothing is left to do.
  void work(Frame&);

 private:
  void draw(Frame&);

  std::shared_ptr<gl::Context> context_;
  std::unique_ptr<VolumePicture> picture_;  ///< made when first asked for
  std::unique_ptr<Movie> movie_;            ///< that the pictures are for
  std::vector<Turntable> path_;
  std::size_t next_ = 0;
  std::string pattern_;
  std::int64_t side_ = 0;
  ViewState look_;
};

}  // namespace backlit::viewer
