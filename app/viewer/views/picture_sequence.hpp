// Turntables and camera paths as files. Each frame draws a strip of a picture, so that the window stays responsive.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <backlit/render/animated_png.hpp>
#include "frame.hpp"
#include "model/values/movie.hpp"
#include "views/still_picture.hpp"

namespace backlit::viewer {

class PictureSequence {
 public:
  explicit PictureSequence(std::shared_ptr<gl::Context> context) : picture_(std::move(context)) {}

  /// Begins a sequence. `look`: the state for all pictures, independent of later changes. `name`: a movie, an
  /// animated PNG (.apng), or pictures, see numbered(). Throws InputError while another sequence is being written, and
  /// for an invalid name.
  void begin(std::vector<Turntable> path, const std::string& name, std::int64_t side, ViewState look);
  bool busy() const { return !path_.empty(); }
  /// Stops; pictures that have been written stay.
  void cancel();
  std::int64_t done() const { return static_cast<std::int64_t>(next_); }
  std::int64_t total() const { return static_cast<std::int64_t>(path_.size()); }
  /// Does the work of one frame. Throws InputError and Failure; the sequence then ends.
  void work(Frame&);

 private:
  void draw(Frame&);
  std::string made() const;  ///< path of what was written

  StillPicture picture_;
  std::unique_ptr<Movie> movie_;            ///< movie made of the pictures, if any
  std::unique_ptr<AnimatedPng> animation_;  ///< the pictures in one file, if they are to be
  std::vector<Turntable> path_;
  std::size_t next_ = 0;
  std::string pattern_;
  std::int64_t side_ = 0;
  ViewState look_;
};

}  // namespace backlit::viewer
