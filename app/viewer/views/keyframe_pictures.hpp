// Small pictures of what the cameras of a path see.
#pragma once

#include <vector>

#include "views/still_picture.hpp"

namespace backlit::viewer {

class KeyframePictures {
 public:
  static constexpr std::int64_t width = 120, height = 90;  ///< px

  explicit KeyframePictures(std::shared_ptr<gl::Context> context) : still_(std::move(context)) {}
  /// Draws a strip of the first picture that is missing or shows what is no longer so. Waits while a mouse button is
  /// held.
  void update(Frame&);
  /// Null while there is none.
  const gl::Texture* of(std::size_t keyframe) const;

 private:
  struct Picture {
    std::int64_t generation = -1;
    std::vector<SurfaceLook> looks;
    gl::Texture texture;
  };
  static bool same(const Picture&, std::int64_t generation, const std::vector<SurfaceLook>&);

  StillPicture still_;
  std::vector<Picture> pictures_;
};

}  // namespace backlit::viewer
