// A surface of triangles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <backlit/geometry/types.hpp>

namespace backlit {

struct Mesh {
  std::vector<glm::vec3> vertices;                      ///< mm, world frame
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counterclockwise seen from outside

  /// mm^2.
  double area() const;
  /// mm^3 within a closed surface; negative where triangles are turned inside out.
  double volume() const;
};

}  // namespace backlit
