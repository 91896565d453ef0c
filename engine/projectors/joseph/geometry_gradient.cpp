#include <array>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/projectors/joseph/geometry_gradient.hpp>
#include "projectors/joseph/ray_gradient.hpp"
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit {

template <class Value>
std::vector<ViewGradient> geometry_gradient(const VolumeGrid& grid, const Scan& scan, const Value* volume,
                                            const double* weights) {
  const Detector& d = scan.detector;
  if (d.shape != Detector::Shape::flat)
    throw Unsupported("geometry", "derivatives are not there for curved detectors", "use a flat detector");
  const auto [x, y, z] = grid.size;
  const VoxelBox box{{0, 0, 0}, {x, y, z}, {x, y, z}};
  std::vector<ViewGradient> gradients;
  std::vector<std::array<double, 12>> rows(static_cast<std::size_t>(d.rows));
  for (const View& view : scan.views) {
    const RayFrame<double> frame = make_ray_frame(d, view, grid);
    parallel_for(d.rows, [&](std::int64_t row) {
      double sums[12] = {};
      for (std::int64_t column = 0; column < d.columns; ++column)
        if (const double weight = weights[row * d.columns + column]; weight != 0)
          add_view_gradient(frame, box, volume, static_cast<double>(column), static_cast<double>(row), weight, sums);
      rows[static_cast<std::size_t>(row)] = std::to_array(sums);
    });
    weights += d.pixels();
    // Adds in the order of rows, so that results do not depend on the number of threads.
    std::array<double, 12> sum{};
    for (const auto& of_row : rows)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += of_row[i];
    const auto part = [&sum](std::size_t i) { return Vec3(sum[i], sum[i + 1], sum[i + 2]); };
    gradients.push_back({part(0), part(3), part(6), part(9)});
  }
  return gradients;
}

template std::vector<ViewGradient> geometry_gradient(const VolumeGrid&, const Scan&, const float*, const double*);
template std::vector<ViewGradient> geometry_gradient(const VolumeGrid&, const Scan&, const double*, const double*);

}  // namespace backlit
