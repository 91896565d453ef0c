// Which stacks of slices the rays of a view go through, without looking at each ray.
#include "projectors/joseph/main_axes.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include "projectors/shared/make_ray_frame.hpp"
#include "projectors/shared/ray.hpp"

using namespace backlit;

namespace {

/// The same by looking at rays, `per_pixel` a pixel along each side. `tie`: share of the largest step that counts.
unsigned axes_of_all_rays(const Detector& d, const View& view, const VolumeGrid& grid, int per_pixel, double tie) {
  const RayFrame<double> frame = make_ray_frame(d, view, grid);
  unsigned axes = 0;
  for (std::int64_t row = 0; row <= (d.rows - 1) * per_pixel; ++row)
    for (std::int64_t column = 0; column <= (d.columns - 1) * per_pixel; ++column) {
      const auto ray = make_ray(frame, static_cast<double>(column) / per_pixel, static_cast<double>(row) / per_pixel);
      double most = 0;
      for (const double step : ray.direction) most = std::max(most, std::abs(step));
      for (unsigned i = 0; i < 3; ++i)
        if (std::abs(ray.direction[i]) > tie * most) axes |= 1u << i;
    }
  return axes;
}

}  // namespace

TEST_CASE("The main axes of a view's rays are found from its corners") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto point = [&] { return Vec3(any(random), any(random), any(random)); };
  const VolumeGrid grid{{32, 24, 16}, {1, 1.5, 2.5}, {0, 0, 0}};
  for (const auto& [columns, rows] : {std::pair{9, 7}, std::pair{40, 1}, std::pair{1, 12}, std::pair{1, 1}})
    for (int n = 0; n < 200; ++n) {
      const Detector d{columns, rows, 1, 1, Detector::Shape::flat, 0};
      const Vec3 normal = glm::normalize(point()), u = glm::normalize(glm::cross(normal, point()));
      const double size = 1 + 20 * std::abs(any(random));
      View view;
      view.beam = n % 5 == 0 ? Beam::parallel : Beam::cone;
      view.source = -100.0 * normal;
      view.direction = normal;
      view.center = 60.0 * normal + 30.0 * any(random) * u;
      view.u = size * u;
      view.v = size * glm::cross(normal, u);
      const unsigned found = main_axes(d, view, grid);
      INFO(n << ", " << columns << " x " << rows << ": " << found);
      CHECK((axes_of_all_rays(d, view, grid, 1, 1.0 - 1e-9) & ~found) == 0);                  // none is left out
      CHECK((found & ~axes_of_all_rays(d, view, grid, 8, n % 5 == 0 ? 0.9998 : 0.95)) == 0);  // and none is too many
    }
}
