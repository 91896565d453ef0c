#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/render/line_plot.hpp>

using namespace backlit;

TEST_CASE("axes are marked at round numbers") {
  CHECK(round_ticks(1, 25, false) == std::vector<double>{5, 10, 15, 20, 25});
  CHECK(round_ticks(0, 1, false).size() >= 4);
  const auto decade = round_ticks(0.02, 0.5, true);
  REQUIRE(decade.size() == 5);
  CHECK(decade[0] == Approx(0.02));
  CHECK(decade[2] == Approx(0.1));
  CHECK(decade[4] == Approx(0.5));
  const auto decades = round_ticks(1e-6, 1, true);
  REQUIRE(decades.size() == 7);
  CHECK(decades[3] == Approx(1e-3));
}

TEST_CASE("a falling curve runs down, and values without a logarithm are left out") {
  const std::vector<double> x{1, 2, 3, 4}, y{1, 0.1, 0, 0.001};
  const Image plot = plot_logarithmic(x, y, {"title", "iteration", "residual"}, 400, 300);
  const Rgb curve{31, 95, 168};
  std::int64_t last = -1, columns = 0;
  for (std::int64_t i = 0; i < plot.width; ++i)
    for (std::int64_t j = 0; j < plot.height; ++j)
      if (plot.at(i, j) == curve) {
        CHECK(j >= last - 4);  // the width of a dot
        last = j;
        ++columns;
        break;
      }
  CHECK(columns > plot.width / 2);
  CHECK_THROWS_AS(plot_logarithmic(x, std::vector<double>(4), {}), InputError);
  CHECK_NOTHROW(plot_logarithmic(std::vector<double>{1}, std::vector<double>{0.5}, {}));
}

TEST_CASE("names of curves stand in the corner that hides least of them") {
  // Curves of the same values: the last one covers all others, so that blue is the first one's name.
  const auto name_is_right = [](const std::vector<double>& y) {
    const std::vector<double> x{0, 1, 2, 3};
    const std::vector<Curve> curves(6, Curve{"a long name", x, y});
    const Image image = plot_curves(curves, {"title", "x", "y"}, false, 600, 400);
    std::int64_t left = 0, right = 0;
    for (std::int64_t j = 0; j < image.height; ++j)
      for (std::int64_t i = 0; i < image.width; ++i)
        if (image.at(i, j) == Rgb{31, 95, 168}) ++(i < image.width / 2 ? left : right);
    CHECK(left + right > 30);
    CHECK(left * right == 0);
    return right > 0;
  };
  CHECK(name_is_right({1, 0.6, 0.2, 0}));
  CHECK_FALSE(name_is_right({0, 0.2, 0.6, 1}));
}

TEST_CASE("curves on logarithmic scales: a power law is a straight line, and what is not above 0 is left out") {
  const std::vector<Curve> curves{{"", {0, 1, 10, 100}, {1, 1, 0.1, 0.01}}};
  const Image image = plot_curves_logarithmic(curves, {"title", "s", "HU"}, 500, 500);
  std::vector<std::pair<double, double>> seen;
  for (std::int64_t j = 0; j < image.height; ++j)
    for (std::int64_t i = 0; i < image.width; ++i)
      if (image.at(i, j) == Rgb{31, 95, 168}) seen.emplace_back(i, j);
  REQUIRE(seen.size() > 300);
  const auto [left, right] = std::ranges::minmax(seen, {}, [](const auto& p) { return p.first; });
  const double slope = (right.second - left.second) / (right.first - left.first);
  CHECK(slope > 0);
  for (const auto& [i, j] : seen) CHECK(std::abs(j - left.second - slope * (i - left.first)) < 8);
  CHECK_THROWS_AS(plot_curves_logarithmic({{Curve{"", {1}, {0}}}}, {}), InputError);
}
