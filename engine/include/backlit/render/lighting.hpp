// The reflection of light by surfaces and shaded samples: Blinn-Phong, one light, two-sided.
// shaders/render/lighting.glsl has the same.
#pragma once

#include <backlit/render/camera.hpp>

namespace backlit {

/// The light that reaches the eye from a surface of colour `color`.
Vec3 lit(const Vec3& color, const Vec3& normal, const Vec3& direction, const Vec3& light);
/// Unit vector to the light of a camera: a headlight, a little above and to the left of the eye.
Vec3 light_of(const CameraRays&);

}  // namespace backlit
