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
  /// Shaders see lengths relative to `reference` (mm), a point near the object. t = 0 of a ray lies in the plane
  /// through `reference` across the middle ray, or at the eye where the eye is farther along.
  void write(const CameraRays&, const Vec3& reference);
  void bind() const { buffer_.bind_uniform(0); }

 private:
  Buffer buffer_;
};

/// Distance in mm, along the middle ray, from the origin in CameraRays to t = 0 of CameraBlock::write. Along another
/// ray this distance is longer by the ratio of the lengths of their directions; add it to a shader's t for t from the
/// eye.
double reference_depth(const CameraRays&, const Vec3& reference);

}  // namespace backlit::gl
