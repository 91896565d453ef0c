// What kernels are chosen, and where their parameters put voxels on the detector; no GPU is needed.
#include "cuda/voxel_driven/plan.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

#include <backlit/core/error.hpp>
#include "geometry/make_view_map.hpp"
#include "projectors/voxel_driven/orbit.hpp"
#include "support/projectors/ct_cases.hpp"

using namespace backlit;
using namespace backlit::test;
using namespace backlit::cuda;

namespace {

CtOptions options_of(Precision precision, const std::string& variant = "") {
  CtOptions o;
  o.precision = precision;
  o.variant = variant;
  return o;
}

using Position = DetectorPosition<double>;

/// In double precision, the depth in units of R.
Position expected(const CtCase& c, std::size_t view, int i, int j, int k) {
  const auto map = in_voxels(make_view_map(c.scan.detector, c.scan.views[view]), c.grid.first_voxel(), c.grid.spacing);
  Position at{};
  REQUIRE(project_voxel(map, i, j, k, at));
  if (!map.parallel) at.depth /= std::abs(axis_distance(c.scan.views[view]));
  return at;
}

/// What the kernels reckon, in single precision; CUDA's texel centres lie at a half.
Position position_of(const GeneralView& v, int i, int j, int k) {
  const float x = static_cast<float>(i), y = static_cast<float>(j), z = static_cast<float>(k);
  const auto affine = [&](const float(&f)[4]) {
    return std::fmaf(f[0], x, std::fmaf(f[1], y, std::fmaf(f[2], z, f[3])));
  };
  const float w = affine(v.w);
  return {affine(v.a) / w - 0.5f, affine(v.b) / w - 0.5f, w};
}
Position position_of(const ColumnView& v, const ColumnDetector& d, int i, int j, int k) {
  const float x = static_cast<float>(i), y = static_cast<float>(j), z = static_cast<float>(k);
  const float a = std::fmaf(v.a[0], x, std::fmaf(v.a[1], y, v.a[2]));
  const float w = std::fmaf(v.w[0], x, std::fmaf(v.w[1], y, v.w[2]));
  const float depth = d.curved ? std::sqrt(a * a + w * w) : w;
  return {d.columns * (d.curved ? std::atan2(a, w) : a / w) + d.column0 - 0.5f,
          std::fmaf(v.b[0], z, v.b[1]) / depth + v.row0 - 0.5f, depth};
}

double distance(const Position& a, const Position& b) {
  return std::max({std::abs(a.column - b.column), std::abs(a.row - b.row), std::abs(a.depth - b.depth)});
}

const Detector square_detector{45, 37, 1.6, 1.7};
CtCase quarter_turns(double height, std::int64_t n = 26) {
  return {"",
          {{n, n, 19}, {1.1, 1.1, height}, {0, 0, 1}},
          {square_detector, circular_views(square_detector, equal_angles(12, 10), 200, 310)}};
}

}  // namespace

TEST_CASE("geometry and precision choose the kernel") {
  const std::map<std::string, std::string> kernels{
      {"circular", "columns"}, {"offset", "columns"},   {"tilted", "general"},
      {"helical", "columns"},  {"curved", "columns"},   {"laminographic", "general"},
      {"fan", "columns"},      {"parallel", "columns"}, {"parallel 2-D", "columns"}};
  for (const CtCase& c : ct_cases()) {
    INFO(c.name);
    if (c.name == "cylinder") {
      CHECK_THROWS_WITH(plan_backprojection(c.grid, c.scan, options_of(Precision::fast)),
                        Catch::Contains("use `packing` auto"));
      continue;
    }
    CHECK(plan_backprojection(c.grid, c.scan, options_of(Precision::fast)).variant == kernels.at(c.name) + " r32f");
    CHECK(plan_backprojection(c.grid, c.scan, options_of(Precision::half)).variant == kernels.at(c.name) + " r16f");
    CHECK_FALSE(plans_exactly(c.grid, c.scan, options_of(Precision::exact)));
  }
  const CtCase near = quarter_turns(0.8), far = quarter_turns(3.1);
  CHECK(plan_backprojection(near.grid, near.scan, options_of(Precision::half)).variant == "orbit rgba16f");
  CHECK(plan_backprojection(near.grid, near.scan, options_of(Precision::fast)).variant == "columns r32f");
  CHECK(plan_backprojection(near.grid, near.scan, options_of(Precision::fast, "orbit")).variant == "orbit rgba32f");
  CHECK(plan_backprojection(near.grid, near.scan, options_of(Precision::exact)).variant == "orbit_fine rgba32f");
  CHECK(plans_exactly(near.grid, near.scan, options_of(Precision::exact)));
  CHECK_FALSE(plans_exactly(far.grid, far.scan, options_of(Precision::exact)));  // slices too far apart for it to pay
  CHECK(can_plan_exactly(far.grid, far.scan, options_of(Precision::exact)));
}

TEST_CASE("kernels put every voxel where the reference does") {
  for (const CtCase& c : ct_cases())
    for (const char* variant : {"general", "columns"}) {
      INFO(c.name << ", " << variant);
      BackprojectionPlan plan;
      try {
        plan = plan_backprojection(c.grid, c.scan, options_of(Precision::fast, variant));
      } catch (const Unsupported&) {
        CHECK((c.name == "tilted" || c.name == "laminographic" || c.scan.detector.shape == Detector::Shape::curved));
        continue;
      }
      double worst = 0;
      for (std::size_t n = 0; n < c.scan.views.size(); ++n)
        for (int k = 0; k < c.grid.size[2]; ++k)
          for (int j = 0; j < c.grid.size[1]; ++j)
            for (int i = 0; i < c.grid.size[0]; ++i) {
              const auto* columns = std::get_if<ColumnPlan>(&plan.kernel);
              const Position at = columns ? position_of(columns->views[n], columns->detector, i, j, k)
                                          : position_of(std::get<GeneralPlan>(plan.kernel).views[n], i, j, k);
              worst = std::max(worst, distance(at, expected(c, n, i, j, k)));
            }
      CHECK(worst < 1e-4);
    }
}

TEST_CASE("an orbit's four fetches lie where four voxels are seen by four views each") {
  for (const int n : {26, 25}) {
    const CtCase c = quarter_turns(0.8, n);
    const auto plan = plan_backprojection(c.grid, c.scan, options_of(Precision::half));
    const OrbitPlan& orbit = std::get<OrbitPlan>(plan.kernel);
    const OrbitScan& g = orbit.scan;
    REQUIRE(orbit.turns.groups.size() == 3);
    const float middle = n & 1 ? 0.0f : 0.5f;
    double worst = 0;
    for (const auto& group : orbit.turns.groups)
      for (int q = 0; q < orbit_side(n); ++q)
        for (int p = 0; p < orbit_side(n); ++p)
          for (int point = 0; point < 4; ++point) {
            const float x = g.spacing * (static_cast<float>(p) + middle),
                        y = g.spacing * (static_cast<float>(q) + middle);
            const auto cosine = static_cast<float>(std::cos(group.angle)),
                       sine = static_cast<float>(std::sin(group.angle));
            const auto [a, b] = orbit_point(x * cosine + y * sine, y * cosine - x * sine, point);
            const float depth = g.distance - a;
            for (const int k : {0, 7, 18}) {
              const float z = g.z[0] * static_cast<float>(k) + g.z[1];
              const Position at{g.columns * b / depth + g.column0 - 0.5f, g.rows * z / depth + g.row0 - 0.5f,
                                depth / g.distance};
              for (int channel = 0; channel < 4; ++channel) {
                const OrbitColumn voxel = orbit_column(p, q, (point + channel) & 3, n);
                const auto view = static_cast<std::size_t>(group.views[static_cast<std::size_t>(channel)]);
                worst = std::max(worst, distance(at, expected(c, view, voxel.i, voxel.j, k)));
              }
            }
          }
    CHECK(worst < 1e-4);
  }
}
