// A camera as shaders read it (shaders/render/camera.glsl).
#pragma once

#include <backlit/render/camera.hpp>
#include "gl/handles.hpp"

namespace backlit::gl {

/// The uniform block `Camera`. One buffer, written when the camera changes.
class CameraBlock {
 public:
  CameraBlock() = default;
  explicit CameraBlock(const std::string& label);
  /// Shaders see lengths relative to `reference` (mm), a point near what is looked at; t = 0 of a ray lies in the plane
  /// through it across the middle ray (or at the eye, whichever is farther along).
  void write(const CameraRays&, const Vec3& reference);
  void bind() const { buffer_.bind_uniform(0); }

 private:
  Buffer buffer_;
};

/// mm along the middle ray from where its t = 0 was moved to by CameraBlock::write, back to CameraRays' own origin; a
/// pixel's t in a shader plus this share of its own ray's length is its t from the eye.
double reference_depth(const CameraRays&, const Vec3& reference);

}  // namespace backlit::gl
