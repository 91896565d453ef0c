// The vector types of the engine: double precision, millimetres, world frame (right handed, rotation axis = +z).
#pragma once

#include <array>
#include <cstdint>
#include <numbers>

#include <glm/glm.hpp>

namespace backlit {

using Vec3 = glm::dvec3;
using Size3 = std::array<std::int64_t, 3>;  ///< x (fastest), y, z

inline constexpr double pi = std::numbers::pi;
inline constexpr double radians_per_degree = pi / 180.0;

inline std::int64_t count(const Size3& size) { return size[0] * size[1] * size[2]; }

}  // namespace backlit
