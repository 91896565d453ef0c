#include "render/gl/camera_block.hpp"

#include <algorithm>
#include <array>

#include <backlit/render/lighting.hpp>

namespace backlit::gl {
namespace {

/// In std140 layout.
struct Block {
  std::array<float, 4> origin, origin_x, origin_y, direction, direction_x, direction_y, to_light;
  std::array<std::int32_t, 4> size;
};

std::array<float, 4> vec4(const Vec3& v, double w = 0) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), static_cast<float>(w)};
}

Vec3 middle_step(const CameraRays& r) {
  return r.direction + 0.5 * static_cast<double>(r.width - 1) * r.direction_x +
         0.5 * static_cast<double>(r.height - 1) * r.direction_y;
}

/// Number of steps of `direction` along the middle ray from its origin to the plane of `reference`.
double steps_to(const CameraRays& r, const Vec3& reference) {
  const Vec3 d = middle_step(r);
  const Vec3 start = r.ray_origin(0.5 * static_cast<double>(r.width - 1), 0.5 * static_cast<double>(r.height - 1));
  const double steps = glm::dot(reference - start, d) / glm::dot(d, d);
  return r.endless ? steps : std::max(0.0, steps);
}

}  // namespace

double reference_depth(const CameraRays& r, const Vec3& reference) {
  return steps_to(r, reference) * glm::length(middle_step(r));
}

CameraBlock::CameraBlock(const std::string& label) : buffer_(label, sizeof(Block)) {}

void CameraBlock::write(const CameraRays& r, const Vec3& reference) {
  constexpr double anywhere = 1e30;
  const double steps = steps_to(r, reference);
  const Block block{vec4(r.origin + steps * r.direction - reference),
                    vec4(r.origin_x + steps * r.direction_x),
                    vec4(r.origin_y + steps * r.direction_y),
                    vec4(r.direction, r.endless ? anywhere : steps),
                    vec4(r.direction_x),
                    vec4(r.direction_y),
                    vec4(light_of(r)),
                    {static_cast<std::int32_t>(r.width), static_cast<std::int32_t>(r.height), 0, 0}};
  buffer_.write(std::as_bytes(std::span(&block, 1)));
}

}  // namespace backlit::gl
