// Derivatives of line integrals by the twelve numbers of a view, against differences of the projector in double.
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include <backlit/device/backend.hpp>
#include <backlit/device/cpu/cpu_array.hpp>
#include <backlit/projectors/joseph/geometry_gradient.hpp>
#include "support/ct_cases.hpp"

using namespace backlit;

namespace {

/// A smooth volume: the derivative of a rough one depends on which side of a voxel's centre a ray passes.
std::vector<double> blob(const VolumeGrid& grid) {
  std::vector<double> values;
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        const Vec3 p = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)) -
                       grid.center - Vec3(1.2, -0.8, 0.0);
        values.push_back(std::exp(-glm::dot(p, p) / 20) * (1 + 0.2 * p.x - 0.1 * p.z));
      }
  return values;
}

double weighted_sum(const VolumeGrid& grid, const Scan& scan, const std::vector<double>& volume,
                    const std::vector<double>& weights) {
  const auto backend = make_backend("cpu");
  const auto op = backend->make_ct(grid, scan, {.model = Model::joseph});
  CpuArray x(op->domain()), y(op->range());
  std::copy(volume.begin(), volume.end(), x.data());
  op->forward(x, y, op->all(), Write::overwrite);
  return std::inner_product(weights.begin(), weights.end(), y.data(), 0.0);
}

}  // namespace

TEST_CASE("the derivative by a view's twelve numbers is that of differences", "[joseph]") {
  std::vector<test::CtCase> cases = test::ct_cases();
  cases.push_back(cases.front());
  cases.back().name = "a source within the grid";
  for (View& view : cases.back().scan.views) view.source = Vec3(3.1, 2.3, -1.7), view.center = Vec3(-40, -25, 10);
  for (test::CtCase& c : cases) {
    if (c.scan.detector.shape == Detector::Shape::curved) continue;
    INFO(c.name);
    const std::vector<double> volume = blob(c.grid);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(0.5, 1.5);
    std::vector<double> weights(c.scan.views.size() * static_cast<std::size_t>(c.scan.detector.pixels()));
    for (double& w : weights) w = uniform(random);
    const auto gradients = geometry_gradient(c.grid, c.scan, volume.data(), weights.data());
    REQUIRE(gradients.size() == c.scan.views.size());

    constexpr std::size_t view = 3;
    const ViewGradient& found = gradients[view];
    double largest = 0;
    std::vector<std::pair<double, double>> pairs;
    for (int number = 0; number < 12; ++number) {
      const double step = 1e-6;
      const auto moved = [&](double by) {
        Scan scan = c.scan;
        View& v = scan.views[view];
        Vec3* const parts[] = {v.beam == Beam::parallel ? &v.direction : &v.source, &v.center, &v.u, &v.v};
        (*parts[number / 3])[number % 3] += by;
        return weighted_sum(c.grid, scan, volume, weights);
      };
      const Vec3* const parts[] = {&found.source, &found.center, &found.u, &found.v};
      pairs.emplace_back((*parts[number / 3])[number % 3], (moved(step) - moved(-step)) / (2 * step));
      largest = std::max(largest, std::abs(pairs.back().second));
    }
    REQUIRE(largest > 1);
    for (const auto& [derivative, difference] : pairs) CHECK(derivative == Approx(difference).margin(1e-5 * largest));
  }
}

TEST_CASE("derivatives by the geometry of curved detectors are refused", "[joseph]") {
  for (const test::CtCase& c : test::ct_cases())
    if (c.scan.detector.shape == Detector::Shape::curved)
      CHECK_THROWS_WITH(geometry_gradient<float>(c.grid, c.scan, nullptr, nullptr), Catch::Contains("curved"));
}
