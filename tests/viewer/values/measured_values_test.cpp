// Widths of peaks, shares below a threshold, closed pores, lengths that go with the pixel.
#include "model/length_text.hpp"
#include "model/values/pores.hpp"
#include "model/values/statistics.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "support/render_scene.hpp"

using namespace backlit;
using namespace backlit::viewer;

namespace {

struct Profile {
  std::vector<double> distance, values;
};

template <class F>
Profile profile(F&& value, double length = 40, int samples = 401) {
  Profile p;
  for (int i = 0; i < samples; ++i) {
    p.distance.push_back(length * i / (samples - 1));
    p.values.push_back(value(p.distance.back()));
  }
  return p;
}

ProfilePeak peak_of(const Profile& p) { return profile_peak(p.distance, p.values); }

double gauss(double x, double sigma) { return std::exp(-0.5 * x * x / (sigma * sigma)); }

}  // namespace

TEST_CASE("The width of a peak at half its height over a slanting ground, and of a dip") {
  const double sigma = 2.3, width = 2 * std::sqrt(2 * std::log(2)) * sigma;
  const ProfilePeak peak = peak_of(profile([&](double x) { return 0.01 * x + 3 * gauss(x - 17, sigma); }));
  CHECK(peak.at == Approx(17).margin(0.1));
  CHECK(peak.value == Approx(3.17).epsilon(0.01));
  CHECK(peak.fwhm == Approx(width).epsilon(0.01));
  const ProfilePeak dip = peak_of(profile([&](double x) { return 5 - 2 * gauss(x - 25, sigma); }));
  CHECK(dip.at == Approx(25).margin(0.1));
  CHECK(dip.fwhm == Approx(width).epsilon(0.01));
  const ProfilePeak box = peak_of(profile([](double x) { return x > 10 && x < 16 ? 1.0 : 0.0; }));
  CHECK(box.fwhm == Approx(6).margin(0.2));
}

TEST_CASE("Walls are as thick as a profile is above the threshold, pores are left out") {
  const auto walls = profile([](double x) { return (x > 5.05 && x < 9.05) || (x > 20.05 && x < 27.05) ? 2.0 : 0.0; });
  CHECK(length_above(walls.distance, walls.values, 1) == Approx(11).margin(0.01));
  const auto ramp = profile([](double x) { return x; }, 40, 5);
  CHECK(length_above(ramp.distance, ramp.values, 13) == Approx(27));
  CHECK(length_above(ramp.distance, ramp.values, 50) == 0);
  const std::vector<double> holed{1, NAN, 1}, at{0, 1, 2};
  CHECK(length_above(at, holed, 0) == 0);
}

TEST_CASE("A profile that is flat, or not a number somewhere, has no peak") {
  CHECK(std::isnan(peak_of(profile([](double) { return 3.0; })).at));
  CHECK(std::isnan(peak_of(profile([](double x) { return x > 20 ? NAN : 1.0; })).at));
  CHECK(std::isnan(profile_peak({}, {}).at));
}

TEST_CASE("The share of values below a threshold leaves out what is not a number") {
  const std::vector<float> values{1, 2, 3, NAN, 4, INFINITY};
  CHECK(share_below(values, 2.5) == Approx(0.5));
  CHECK(share_below({}, 1) == 0);
}

TEST_CASE("Pores are what a segment encloses, and what reaches the border through a channel is none") {
  const VolumeGrid grid{{31, 27, 29}, {1, 1, 1}, {0, 0, 0}};
  const auto hollow = [&](bool channel) {
    return test::sampled(grid, [&](const Vec3& p) {
      if (channel && std::abs(p.x) < 0.6 && std::abs(p.y) < 0.6 && p.z > 0) return -1.0;
      const double r = glm::length(p);
      return r < 4 || r > 10 ? -1.0 : 1.0;
    });
  };
  const Volume closed = hollow(false);
  std::int64_t inside = 0;
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i)
        inside += glm::length(grid.voxel_center(double(i), double(j), double(k))) < 4;
  CHECK(enclosed_voxels(closed) == inside);
  CHECK(inside > 200);
  CHECK(enclosed_voxels(hollow(true)) == 0);
  CHECK(enclosed_voxels(test::sampled({{1, 5, 5}, Vec3(1), Vec3(0)}, [](const Vec3&) { return -1.0; })) == 0);
}

TEST_CASE("Lengths and values of a view are rescaled apart") {
  ViewState s;
  s.crosshair = {4, -2, 8};
  s.grid.voxel = 0.5;
  s.display.low = -1;
  s.display.high = 3;
  s.measurements.push_back({Measurement::Kind::distance, {Vec3(0), Vec3(3, 4, 0)}});
  s.segment.balls.push_back({Vec3(1, 2, 3), 5, true});
  const ViewState before = s;
  rescale_lengths(s, 0.01);
  CHECK(s.crosshair == 0.01 * before.crosshair);
  CHECK(s.grid.voxel == Approx(0.005));
  CHECK(s.display.high == 3);
  CHECK(measured(s.measurements[0]) == Approx(0.05));
  CHECK(s.segment.balls[0].radius == Approx(0.05));
  CHECK(scale_to_length(s, 0.05, 0.06));
  CHECK(scale_to_length(s, measured(s.measurements[0]), 0.06));  // typed again
  CHECK(s.geometry.axis_distance == Approx(1.2));
  CHECK(measured(s.measurements[0]) == Approx(0.06));
  CHECK_FALSE(scale_to_length(s, 0.06, 60));
  CHECK(scale_to_length(s, 0.06, 0.05));
  rescale_values(s, 100);
  CHECK(s.display.high == Approx(300));
  CHECK(s.display.low == Approx(-100));
  CHECK(s.grid.voxel == Approx(0.005));
}

TEST_CASE("Lengths have the unit and the digits that suit them") {
  CHECK(length_text(80, "mm", 3.4) == "80.00 mm");
  CHECK(length_text(0.0562, "mm", 0.0021) == "56.2 µm");
  CHECK(length_text(0.0562, "mm", 0.2) == "56 µm");
  CHECK(length_text(2.5e-6, "mm", 3e-8) == "2.500 nm");
  CHECK(length_text(0.05, "px", 1) == "0.05 px");
  CHECK(length_text(1.25, "mm", 0.0021) == "1.2500 mm");
  CHECK(length_text(0, "mm", 0.0021) == "0.0000 mm");
  CHECK(sides_text(0.05, 0.02, "mm", 0.0021) == "50.0 × 20.0 µm");
  CHECK(sides_text(40, 40, "mm", 3.4) == "40.0 × 40.0 mm");
  CHECK(round_length_text(0.02, "mm") == "20 µm");
  CHECK(round_length_text(0.1, "mm") == "0.1 mm");
  CHECK(round_length_text(50, "px") == "50 px");
}
