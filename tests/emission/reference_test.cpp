// Emission with attenuation and scatter in double precision, against closed forms and against itself.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "support/projectors/emission_cases.hpp"

using namespace backlit;

namespace {

std::vector<float> noise(std::int64_t count, unsigned seed, float low = 0, float high = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& v : values) v = uniform(engine);
  return values;
}

std::vector<float> project(const VolumeGrid& grid, const Scan& scan, std::span<const float> activity,
                           std::span<const float> attenuation, const EmissionOptions& o) {
  const auto cpu = make_backend("cpu");
  const auto a = cpu->make_emission(grid, scan, attenuation, o);
  const auto x = a->make_domain(), y = a->make_range(scan.view_count());
  cpu->upload(activity, *x);
  a->forward(*x, *y, a->all(), Write::overwrite);
  std::vector<float> out(static_cast<std::size_t>(y->count()));
  cpu->download(*y, out);
  return out;
}

double rms_of_largest(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += (double(a[i]) - double(b[i])) * (double(a[i]) - double(b[i]));
    largest = std::max(largest, double(b[i]));
  }
  return std::sqrt(sum / double(a.size())) / largest;
}

}  // namespace

TEST_CASE("Emission's matched backprojection is the adjoint, for every geometry, kernel and kind of slices") {
  const auto cpu = make_backend("cpu");
  for (const auto& c : test::emission_cases())
    for (EmissionOptions o : test::emission_variants())
      for (const auto slices : {EmissionOptions::Slices::axis, EmissionOptions::Slices::facing}) {
        o.slices = slices;
        INFO(c.name << ", " << test::text(o));
        const auto mu = noise(c.grid.voxels(), 3, 0, 0.02f);
        const auto a = cpu->make_emission(c.grid, c.scan, mu, o);
        REQUIRE(a->matched());
        const auto x = a->make_domain(), back = a->make_domain(), y = a->make_range(3), out = a->make_range(3);
        cpu->upload(noise(x->count(), 1, -1), *x);
        cpu->upload(noise(y->count(), 2, -1), *y);
        const Subset some{1, 3, 2};
        a->forward(*x, *out, some, Write::overwrite);
        a->back(*y, *back, some, Write::overwrite);
        const double scale = std::sqrt(cpu->dot(*out, *out) * cpu->dot(*y, *y));
        REQUIRE(scale > 0);
        CHECK(std::abs(cpu->dot(*out, *y) - cpu->dot(*x, *back)) / scale < 1e-12);
      }
}

TEST_CASE("Without matter emission is a line integral, with it, uniform discs and cylinders give their closed forms") {
  const double radius = 40, mu = 0.015, activity = 3;
  const Detector line{81, 1, 1.3, 1.3}, flat{41, 5, 2.6, 2};
  const VolumeGrid slice{{121, 121, 1}, Vec3(0.8), Vec3(0)}, grid{{61, 61, 9}, Vec3(1.6), Vec3(0)};
  const auto angles = std::vector<double>{0, 30, 137, 225};
  struct Check {
    VolumeGrid grid;
    Scan scan;
    double tolerance;
  };
  for (const Check& c : {Check{slice, {line, parallel_views(line, angles)}, 0.01},
                         Check{slice, {line, circular_views(line, angles, 200, 260)}, 0.01},
                         Check{grid, {flat, parallel_views(flat, angles)}, 0.02},
                         Check{grid, {flat, circular_views(flat, angles, 300, 360)}, 0.02}})
    for (const auto slices : {EmissionOptions::Slices::axis, EmissionOptions::Slices::facing})
      for (const double matter : {0.0, mu}) {
        INFO(c.grid.size[2] << " slices, " << name(slices) << ", mu " << matter << ", beam "
                            << int(c.scan.views[0].beam));
        const Volume e = voxelize(test::cylinder(radius, activity), c.grid, 4),
                     m = voxelize(test::cylinder(radius, matter), c.grid, 4);
        EmissionOptions o;
        o.slices = slices;
        const auto p = project(c.grid, c.scan, e.values.span(), m.values.span(), o);
        Projections chords(c.scan);
        project_phantom(test::cylinder(radius, 1), c.scan, 0, 4, 1, chords.values.span());
        double worst = 0;
        int seen = 0;
        const double most =
            matter > 0 ? activity / matter * (1 - std::exp(-matter * 2 * radius)) : activity * 2 * radius;
        for (std::int64_t i = 0; i < chords.values.size(); ++i) {
          const double chord = double(chords.values.data()[i]);
          if (chord < 0.6 * radius) continue;  // clear of the rim
          ++seen;
          const double exact = matter > 0 ? activity / matter * (1 - std::exp(-matter * chord)) : activity * chord;
          worst = std::max(worst, std::abs(double(p[static_cast<std::size_t>(i)]) - exact) / most);
        }
        CHECK(seen > 100);
        CHECK(worst < c.tolerance);
      }
}

TEST_CASE("A point's image widens as asked: with the distance, or with the root of the way") {
  const VolumeGrid grid{{31, 61, 31}, Vec3(2), Vec3(0)};
  const Detector d{61, 61, 1, 1};
  const Scan scan{d, parallel_views(d, {90})};  // rays along -y
  const std::vector<float> nothing(static_cast<std::size_t>(grid.voxels()), 0.0f);
  for (const auto slices : {EmissionOptions::Slices::axis, EmissionOptions::Slices::facing})
    for (const bool by_distance : {false, true})
      for (const std::int64_t j : {15, 45}) {
        std::vector<float> point = nothing;
        point[static_cast<std::size_t>((15 * 61 + j) * 31 + 15)] = 1;
        EmissionOptions o;
        o.slices = slices;
        o.scatter_by_distance = by_distance;
        o.detector_mm = 100;
        const auto sharp = project(grid, scan, point, nothing, o);
        o.scatter_mm = 6;
        const auto image = project(grid, scan, point, nothing, o);
        const auto variance = [&](const std::vector<float>& p) {
          double sum = 0, square = 0;
          for (std::int64_t i = 0; i < 61 * 61; ++i) {
            const double u = double(i % 61) - 30;
            sum += double(p[static_cast<std::size_t>(i)]);
            square += double(p[static_cast<std::size_t>(i)]) * u * u;
          }
          return square / sum;
        };
        // mm from the point to the detector, to the grid's end.
        const double y = 2 * (double(j) - 30), distance = 100 + y, way = 61 + y;
        const double expected = by_distance ? 36 * distance * distance / 1e4 : 36 * way / 100;
        INFO(name(slices) << (by_distance ? ", by distance, " : ", ") << distance
                          << " mm: " << variance(image) - variance(sharp) << ", expected " << expected);
        CHECK(variance(image) - variance(sharp) == Approx(expected).epsilon(0.06));
      }
}

TEST_CASE("Slices along the axes agree with slices that face the detector within 2 % r.m.s.") {
  const VolumeGrid grid{{41, 41, 11}, Vec3(2.4), Vec3(0)};
  const Detector d{45, 13, 3.2, 3.2};
  const auto angles = std::vector<double>{0, 15, 30, 44, 72};
  Phantom hot = test::cylinder(38, 1, Vec3(0), 10), matter = test::cylinder(42, 0.015, Vec3(0), 12);
  hot.bodies.push_back(test::cylinder(9, 4, Vec3(15, -8, 0), 6).bodies[0]);
  matter.bodies.push_back(test::cylinder(12, 0.01, Vec3(-14, 10, 0), 7).bodies[0]);
  const Volume e = voxelize(hot, grid, 3), m = voxelize(matter, grid, 3);
  const std::vector<float> nothing(static_cast<std::size_t>(grid.voxels()), 0.0f);
  for (const bool parallel : {true, false}) {
    const Scan scan{d, parallel ? parallel_views(d, angles) : circular_views(d, angles, 250, 350)};
    for (EmissionOptions o : test::emission_variants())
      for (const bool attenuated : {true, false}) {
        if (!o.scatter_by_direction) continue;
        o.detector_mm = 90;
        const std::span<const float> mu = attenuated ? m.values.span() : std::span<const float>(nothing);
        o.slices = EmissionOptions::Slices::axis;
        const auto axis = project(grid, scan, e.values.span(), mu, o);
        o.slices = EmissionOptions::Slices::facing;
        const auto facing = project(grid, scan, e.values.span(), mu, o);
        INFO((parallel ? "parallel, " : "cone, ")
             << (attenuated ? "attenuated, " : "") << test::text(o) << ": " << rms_of_largest(axis, facing));
        CHECK(rms_of_largest(axis, facing) < 0.02);
      }
  }
}

TEST_CASE("What emission cannot be made of is refused in a sentence") {
  const auto cpu = make_backend("cpu");
  const auto c = test::emission_cases()[1];
  const auto make = [&](const Scan& scan, std::vector<float> mu, double scatter) {
    EmissionOptions o;
    o.scatter_mm = scatter;
    return cpu->make_emission(c.grid, scan, mu, o);
  };
  const std::vector<float> fine(static_cast<std::size_t>(c.grid.voxels()), 0.01f);
  CHECK_THROWS_WITH(make(c.scan, {1, 2}, 0),
                    "attenuation: 2 values for 2431 voxels; give it on the grid of the volume");
  auto bad = fine;
  bad[5] = -1;
  CHECK_THROWS_WITH(make(c.scan, bad, 0), "attenuation: value -1 of voxel 5 is no attenuation; give 1/mm, 0 or more");
  bad[5] = -1e-9f;  // rounded
  CHECK_NOTHROW(make(c.scan, bad, 0));
  CHECK_THROWS_WITH(make(c.scan, fine, -2), "scatter: a blur of -2 mm; give 0 or more");
  Scan curved = c.scan;
  curved.detector.shape = Detector::Shape::curved;
  CHECK_THROWS_AS(make(curved, fine, 0), Unsupported);
  Scan near{c.scan.detector, circular_views(c.scan.detector, {0, 90}, 15, 100)};
  CHECK_THROWS_WITH(make(near, fine, 0), Catch::StartsWith("view 0: the focal point lies within the grid"));
}
