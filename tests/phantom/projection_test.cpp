// Projections and voxels of phantoms against single line integrals, and the conservation of mass.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/phantom/phantom.hpp>

using namespace backlit;

namespace projection_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

View parallel_view(double degrees, double pixel) {
  const double phi = degrees * radians_per_degree, c = std::cos(phi), s = std::sin(phi);
  View view;
  view.beam = Beam::parallel;
  view.direction = {-c, -s, 0};
  view.u = pixel * Vec3(-s, c, 0);
  view.v = {0, 0, pixel};
  return view;
}

/// A cone view whose detector is turned in its plane and tilted, so that nothing is along an axis.
View cone_view(double degrees, double tilt, double source_distance, double pixel) {
  const double phi = degrees * radians_per_degree, c = std::cos(phi), s = std::sin(phi);
  View view;
  view.source = source_distance * Vec3(c, s, 0.05);
  view.center = {-300 * c, -300 * s, 10};
  view.u = pixel * Vec3(-s, c, tilt);
  view.v = pixel * Vec3(tilt * c, tilt * s - 0.02, 1);
  return view;
}

/// The same by one line integral a sample, over all bodies.
std::vector<float> plainly(const Phantom& phantom, const Scan& scan, int supersampling) {
  std::vector<float> out;
  for (const View& view : scan.views)
    for (std::int64_t row = 0; row < scan.detector.rows; ++row)
      for (std::int64_t column = 0; column < scan.detector.columns; ++column) {
        double sum = 0;
        for (int j = 0; j < supersampling; ++j)
          for (int i = 0; i < supersampling; ++i) {
            const double c = static_cast<double>(column) + (i + 0.5) / supersampling - 0.5;
            const double r = static_cast<double>(row) + (j + 0.5) / supersampling - 0.5;
            const Vec3 end = detector_point(scan.detector, view, c, r);
            const bool parallel = view.beam == Beam::parallel;
            sum += line_integral(phantom, parallel ? end : view.source, ray_direction(scan.detector, view, c, r),
                                 parallel ? -infinity : 0, infinity);
          }
        out.push_back(static_cast<float>(sum / (supersampling * supersampling)));
      }
  return out;
}

void check_against_plain(const Phantom& phantom, const Scan& scan, int supersampling) {
  std::vector<float> out(static_cast<std::size_t>(scan.view_count() * scan.detector.pixels()), -1.0f);
  project_phantom(phantom, scan, 0, scan.view_count(), supersampling, out);
  const std::vector<float> expected = plainly(phantom, scan, supersampling);
  double worst = 0, most = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(out[i]) - expected[i]));
    most = std::max(most, static_cast<double>(expected[i]));
  }
  CHECK(most > 0);
  CHECK(worst <= 1e-6 * most);
}

Phantom one(Body::Shape shape, const Vec3& half, double top = 0) {
  Body body;
  body.shape = shape;
  body.half = half;
  body.top = top;
  body.value = 0.03;
  body.center = {3, -2, 1};
  const double a = 0.6, b = 1.1;
  const glm::dmat3 about_z(std::cos(a), std::sin(a), 0, -std::sin(a), std::cos(a), 0, 0, 0, 1);
  const glm::dmat3 about_x(1, 0, 0, 0, std::cos(b), std::sin(b), 0, -std::sin(b), std::cos(b));
  body.axes = about_z * about_x;
  return {"", {body}};
}

struct Solid {
  const char* name;
  Phantom phantom;
  double volume;
};

std::vector<Solid> solids() {
  Phantom half = one(Body::Shape::ellipsoid, {10, 7, 12});
  half.bodies[0].clips = {{half.bodies[0].center, {0.6, 0, 0.8}}};
  return {{"ellipsoid", one(Body::Shape::ellipsoid, {10, 7, 12}), 4.0 / 3 * pi * 10 * 7 * 12},
          {"cylinder", one(Body::Shape::cylinder, {10, 7, 8}), pi * 10 * 7 * 16},
          {"box", one(Body::Shape::box, {10, 7, 8}), 8.0 * 10 * 7 * 8},
          {"cone", one(Body::Shape::cone, {12, 9, 8}), pi * 12 * 9 * 16 / 3},
          {"blunt cone", one(Body::Shape::cone, {12, 9, 8}, 0.5), pi * 12 * 9 * 16 / 3 * (1 + 0.5 + 0.25)},
          {"half an ellipsoid", half, 2.0 / 3 * pi * 10 * 7 * 12},
          {"gaussian", one(Body::Shape::gaussian, {3, 2, 4}), std::pow(2 * pi, 1.5) * 3 * 2 * 4}};
}

}  // namespace

TEST_CASE("tiles of the detector miss no body: projections equal single line integrals") {
  const Phantom head = load_phantom("forbild-head");
  Scan scan;
  scan.detector = {37, 41, 6, 6};
  SECTION("parallel") { scan.views = {parallel_view(20, 6), parallel_view(135, 6)}; }
  SECTION("cone, tilted") { scan.views = {cone_view(20, 0.1, 500, 10), cone_view(200, -0.2, 400, 10)}; }
  SECTION("curved") {
    scan.detector.shape = Detector::Shape::curved;
    scan.views = {cone_view(75, 0, 500, 10)};
  }
  SECTION("curved about another axis") {
    scan.detector.shape = Detector::Shape::curved;
    scan.detector.radius = 400;
    scan.views = {cone_view(75, 0, 500, 10)};
  }
  SECTION("the source in the object") { scan.views = {cone_view(310, 0, 60, 10)}; }
  check_against_plain(head, scan, 1);
  scan.detector.columns = 5;
  scan.detector.rows = 1;
  check_against_plain(head, scan, 3);
}

TEST_CASE("views are projected one by one or together alike") {
  const Phantom phantom = load_phantom("derenzo");
  Scan scan;
  scan.detector = {33, 9, 7, 7};
  scan.views = {cone_view(0, 0, 500, 10), cone_view(50, 0, 500, 10), cone_view(90, 0, 500, 10)};
  const auto pixels = static_cast<std::size_t>(scan.detector.pixels());
  std::vector<float> all(3 * pixels), last(pixels);
  project_phantom(phantom, scan, 0, 3, 2, all);
  project_phantom(phantom, scan, 2, 1, 2, last);
  CHECK(std::equal(last.begin(), last.end(), all.begin() + static_cast<std::ptrdiff_t>(2 * pixels)));
  CHECK_THROWS_WITH(project_phantom(phantom, scan, 0, 3, 0, all),
                    "project_phantom: supersampling below 1; give 1 or more");
  CHECK_THROWS_AS(project_phantom(phantom, scan, 2, 2, 1, all), Error);
}

TEST_CASE("the mass of every shape is what parallel rays add up to, and what voxels add up to") {
  for (const Solid& solid : solids()) {
    INFO(solid.name);
    const double mass = 0.03 * solid.volume;
    Scan scan;
    scan.detector = {201, 203, 0.25, 0.25};
    if (solid.phantom.bodies[0].shape == Body::Shape::gaussian) scan.detector = {201, 203, 0.35, 0.35};
    const double pixel = scan.detector.pixel_u;
    scan.views = {parallel_view(33, pixel)};
    std::vector<float> out(static_cast<std::size_t>(scan.detector.pixels()));
    project_phantom(solid.phantom, scan, 0, 1, 2, out);
    CHECK(std::accumulate(out.begin(), out.end(), 0.0) * pixel * pixel == Approx(mass).epsilon(1e-3));

    const VolumeGrid grid{{45, 47, 43}, {1.1, 1.0, 1.2}, {3, -2, 1}};
    const Volume volume = voxelize(solid.phantom, grid, 4);
    const double sum = std::accumulate(volume.values.begin(), volume.values.end(), 0.0);
    CHECK(sum * 1.1 * 1.0 * 1.2 == Approx(mass).epsilon(2e-3));
  }
}

TEST_CASE("voxels are means of samples of the values") {
  const Phantom head = load_phantom("forbild-head");
  const VolumeGrid grid{{31, 29, 5}, {7, 8, 3}, {2.3, -1.1, 4.2}};
  for (int supersampling : {1, 2, 3}) {
    const Volume volume = voxelize(head, grid, supersampling);
    double worst = 0;
    for (std::int64_t k = 0; k < 5; ++k)
      for (std::int64_t j = 0; j < 29; ++j)
        for (std::int64_t i = 0; i < 31; ++i) {
          double sum = 0;
          for (int s = 0; s < supersampling * supersampling * supersampling; ++s) {
            const Vec3 part(s % supersampling, s / supersampling % supersampling, s / supersampling / supersampling);
            const Vec3 at = Vec3(i, j, k) - 0.5 + (part + 0.5) / static_cast<double>(supersampling);
            sum += value_at(head, grid.voxel_center(at.x, at.y, at.z));
          }
          sum /= supersampling * supersampling * supersampling;
          worst = std::max(worst, std::abs(sum - volume.at(i, j, k)));
        }
    CHECK(worst < 1e-8);
  }
  CHECK_THROWS_WITH(voxelize(head, grid, 0), "voxelize: supersampling below 1; give 1 or more");
}

TEST_CASE("voxels projected along an axis come near the exact line integrals") {
  const Phantom head = load_phantom("shepp-logan-3d");
  const VolumeGrid grid{{121, 115, 1}, {2, 2, 2}, {0, 0, 0}};
  const Volume volume = voxelize(head, grid, 16);
  Scan scan;
  scan.detector = {115, 1, 2, 2};
  scan.views = {parallel_view(0, 2)};
  std::vector<float> exact(115);
  project_phantom(head, scan, 0, 1, 16, exact);
  for (std::int64_t j = 0; j < 115; ++j) {
    double sum = 0;
    for (std::int64_t i = 0; i < 121; ++i) sum += 2.0 * volume.at(i, j, 0);
    CHECK(sum == Approx(exact[static_cast<std::size_t>(j)]).margin(0.02));
  }
}

}  // namespace projection_test
