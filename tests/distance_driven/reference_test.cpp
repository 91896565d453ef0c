// The distance-driven reference: hand-computed cells, footprints sampled one by one, smooth bodies, its transpose, and
// what it refuses.
#include <catch2/catch.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/projectors/model.hpp>
#include "projectors/distance_driven/make_distance_driven.hpp"
#include "study/bench/cases.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/projectors/random_upright.hpp"
#include "support/projectors/smooth_body.hpp"

using namespace backlit;

namespace reference_test {
namespace {

bool upright(const test::CtCase& c) { return c.name != "tilted" && c.name != "laminographic"; }

std::vector<double> project(const Volume& volume, const Scan& scan) {
  auto backend = make_backend("cpu");
  auto a = backend->make_ct(volume.grid, scan, {.model = Model::distance_driven});
  auto x = a->make_domain(), y = a->make_range(scan.view_count());
  backend->upload(volume.values.span(), *x);
  a->forward(*x, *y, a->all(), Write::overwrite);
  std::vector<float> values(static_cast<std::size_t>(y->count()));
  backend->download(*y, values);
  return {values.begin(), values.end()};
}

Volume noise(const VolumeGrid& grid) {
  Volume volume(grid);
  std::mt19937 engine(7);
  for (float& v : volume.values) v = std::uniform_real_distribution<float>(0, 1)(engine);
  return volume;
}

/// What definition and geometry say, without an edge: the mean of a cell's rays, each taking from every slab the voxel
/// in whose face it crosses the slab's middle. Exact for parallel beams, whose rays share their direction.
double sampled_cell(const Volume& volume, const Scan& scan, std::int64_t column, std::int64_t row, int samples) {
  const View& view = scan.views[0];
  const VolumeGrid& g = volume.grid;
  const int axis = std::abs(view.direction.x) < std::abs(view.direction.y) ? 1 : 0, across = 1 - axis;
  double sum = 0;
  for (int a = 0; a < samples; ++a)
    for (int b = 0; b < samples; ++b) {
      const auto inside = [&](std::int64_t n, int s) { return static_cast<double>(n) - 0.5 + (s + 0.5) / samples; };
      const Vec3 p = detector_point(scan.detector, view, inside(column, a), inside(row, b));
      for (std::int64_t slab = 0; slab < g.size[static_cast<std::size_t>(axis)]; ++slab) {
        const double plane = g.first_voxel()[axis] + static_cast<double>(slab) * g.spacing[axis];
        const Vec3 at = p + view.direction * ((plane - p[axis]) / view.direction[axis]);
        std::array<std::int64_t, 3> voxel{};
        voxel[static_cast<std::size_t>(axis)] = slab;
        bool in = true;
        for (const int d : {across, 2}) {
          const double index = std::round((at[d] - g.first_voxel()[d]) / g.spacing[d]);
          in &= index >= 0 && index < static_cast<double>(g.size[static_cast<std::size_t>(d)]);
          voxel[static_cast<std::size_t>(d)] = static_cast<std::int64_t>(index);
        }
        if (in) sum += double(volume.values.data()[(voxel[2] * g.size[1] + voxel[1]) * g.size[0] + voxel[0]]);
      }
    }
  const double length = g.spacing[axis] * glm::length(view.direction) / std::abs(view.direction[axis]);
  return length * sum / (samples * samples);
}

/// <A x, y> is <x, A' y>, for all views and for every third.
void check_adjoint(const std::string& name, const VolumeGrid& grid, const Scan& scan) {
  INFO(name);
  auto backend = make_backend("cpu");
  auto a = backend->make_ct(grid, scan, {.model = Model::distance_driven});
  REQUIRE(a->matched());
  const std::int64_t first = std::min<std::int64_t>(1, scan.view_count() - 1);
  for (const Subset& subset : {a->all(), Subset{first, (scan.view_count() - first + 2) / 3, 3}}) {
    auto x = a->make_domain(), back = a->make_domain();
    auto y = a->make_range(subset.count), projected = a->make_range(subset.count);
    backend->upload(noise(grid).values.span(), *x);
    backend->upload(noise({{y->count(), 1, 1}}).values.span(), *y);
    a->forward(*x, *projected, subset, Write::overwrite);
    a->back(*y, *back, subset, Write::overwrite);
    const double left = backend->dot(*projected, *y), right = backend->dot(*x, *back);
    CHECK(left > 0);
    CHECK(std::abs(left - right) < 1e-13 * left);
  }
}

}  // namespace

TEST_CASE("Distance-driven: the CPU pair is adjoint for every upright geometry, whole and by subsets") {
  int cases = 0;
  for (const auto& c : test::ct_cases()) {
    if (!upright(c)) continue;
    ++cases;
    check_adjoint(c.name, c.grid, c.scan);
  }
  CHECK(cases == 8);
}

TEST_CASE("Distance-driven: the CPU pair is adjoint for sizes at random") {
  for (std::uint32_t seed = 1; seed <= 24; ++seed) {
    const auto c = test::random_upright(seed);
    check_adjoint(c.name, c.grid, c.scan);
  }
}

TEST_CASE("Distance-driven: parallel cells hold the mean of their rays, and no mass is lost") {
  const VolumeGrid bar{{25, 1, 3}, Vec3(1), Vec3(0)}, oblong{{9, 7, 5}, Vec3(1.1, 0.8, 1.3), Vec3(0.4, -0.3, 0.2)};
  Detector d{41, 11, 1.41, 0.71};
  for (const VolumeGrid& grid : {bar, oblong})
    for (const double angle : {0.0, 30.0, 45.0, 45.1, 90.0, 179.5, 301.0}) {
      INFO("angle " << angle << ", " << grid.size[0] << " voxels along x");
      const Volume volume = noise(grid);
      const Scan scan{d, parallel_views(d, {angle})};
      const auto p = project(volume, scan);
      double mass = 0, projected = 0;
      for (float v : volume.values) mass += double(v) * grid.spacing.x * grid.spacing.y * grid.spacing.z;
      for (double v : p) projected += v * d.pixel_u * d.pixel_v;
      CHECK(projected == Approx(mass).epsilon(1e-6));
      for (const std::int64_t column : {13, 20, 21, 27})
        for (const std::int64_t row : {3, 5, 8})
          CHECK(p[static_cast<std::size_t>(row * d.columns + column)] ==
                Approx(sampled_cell(volume, scan, column, row, 200)).margin(0.03));
    }
}

TEST_CASE("Distance-driven: cells whose rays go through equal slabs hold the rays' lengths") {
  Volume ones({{60, 20, 60}, Vec3(1.2, 0.9, 1.1), Vec3(0.5, 0.3, -0.2)});
  std::fill(ones.values.begin(), ones.values.end(), 1.0f);
  for (const auto shape : {Detector::Shape::flat, Detector::Shape::curved}) {
    const Detector d{15, 9, 1.3, 1.7, shape};
    const Scan scan{d, circular_views(d, {90}, 200, 300)};  // the source looks along -y
    const auto p = project(ones, scan);
    for (std::int64_t row = 0; row < d.rows; ++row)
      for (std::int64_t column = 0; column < d.columns; ++column) {
        const Vec3 ray = ray_direction(d, scan.views[0], static_cast<double>(column), static_cast<double>(row));
        CHECK(p[static_cast<std::size_t>(row * d.columns + column)] ==
              Approx(20 * 0.9 / std::abs(ray.y)).epsilon(1e-6));
      }
  }
}

TEST_CASE("Distance-driven: smooth bodies project to their exact line integrals in every upright geometry") {
  const Phantom gauss = test::smooth_body();
  const VolumeGrid grid = test::smooth_body_grid();
  for (const auto& c : test::ct_cases()) {
    if (!upright(c) || c.grid.size[2] == 1) continue;
    INFO(c.name);
    Projections exact(c.scan);
    project_phantom(gauss, c.scan, 0, c.scan.view_count(), 6, exact.values.span());
    const auto p = project(voxelize(gauss, grid, 3), c.scan);
    double most = 0, worst = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      most = std::max(most, double(exact.values.data()[i]));
      worst = std::max(worst, std::abs(p[i] - double(exact.values.data()[i])));
    }
    CHECK(worst < 0.016 * most);
  }
}

TEST_CASE("Distance-driven: rows that run down, and columns in any order, are the same cells") {
  const Volume volume = noise(test::small_grid());
  const Detector d = test::small_detector();
  Scan up{d, circular_views(d, {20, 70, 110, 160, 200, 340}, 60, 100)}, down = up;
  for (View& v : down.views) {
    v.v = -v.v;
    v.u = -v.u;
  }
  const auto p = project(volume, up), q = project(volume, down);
  const auto pixels = static_cast<std::size_t>(d.pixels());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const std::size_t view = i / pixels, pixel = i % pixels;
    REQUIRE(q[view * pixels + pixels - 1 - pixel] == Approx(p[i]).epsilon(1e-6).margin(1e-6));
  }
}

TEST_CASE("Distance-driven: what it cannot project is refused by name, with the reason") {
  auto backend = make_backend("cpu");
  const auto refusal = [&](const Scan& scan) -> std::string {
    try {
      backend->make_ct(test::small_grid(), scan, {.model = Model::distance_driven});
    } catch (const Unsupported& u) {
      return u.what();
    }
    return "";
  };
  const Detector d = test::small_detector();
  Scan scan{d, circular_views(d, equal_angles(7, 11), 60, 100)};
  CHECK(refusal(scan).empty());
  Scan tilted = scan;
  tilted.views[3].v += 0.01 * tilted.views[3].u;
  CHECK(refusal(tilted) ==
        "view 3: distance-driven projection: the detector is tilted (its columns must run along z, its rows across); "
        "use `model` joseph");
  const Scan inside{d, circular_views(d, {0}, 5, 100)};
  CHECK(refusal(inside) ==
        "view 0: distance-driven projection: the source is among the volume's slabs, or behind some; give a smaller "
        "volume or another model");
  const Detector wide{301, 3, 5, 5};
  const Scan fan{wide, circular_views(wide, {45}, 60, 100)};
  CHECK(refusal(fan) ==
        "view 0: distance-driven projection: its rays leave the main axis by more than 84 degrees; use `model` "
        "joseph");
}

/// Table for docs/notebook: the double-precision pair, with OMP_NUM_THREADS=1 and with all cores, of every
/// n-th view, for one takes as long as another.
TEST_CASE("Study of the distance-driven pair's speed on the CPU", "[.study]") {
  const auto cpu = make_backend("cpu");
  for (const auto& [name, every] :
       {std::pair{"cone512", 90u}, std::pair{"cone512curved", 90u}, std::pair{"ct750", 41u}}) {
    const BenchCase c = bench_case(name);
    Scan scan{c.scan.detector, {}};
    for (std::size_t i = 0; i < c.scan.views.size(); i += every) scan.views.push_back(c.scan.views[i]);
    const auto a = cpu->make_ct(c.grid, scan, {.model = Model::distance_driven});
    const ArrayPtr x = a->make_domain(), y = a->make_range(scan.view_count());
    cpu->fill(*x, 1);
    const double updates = static_cast<double>(c.grid.voxels()) * static_cast<double>(scan.view_count()) / 1e9;
    const auto gups = [&](auto run) {
      const auto start = std::chrono::steady_clock::now();
      run();
      return updates / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const double forward = gups([&] { a->forward(*x, *y, a->all(), Write::overwrite); });
    const double back = gups([&] { a->back(*y, *x, a->all(), Write::overwrite); });
    std::printf("%-14s %lld views: forward %.4f GUPS, back %.4f\n", name, static_cast<long long>(scan.view_count()),
                forward, back);
    std::fflush(stdout);
    CHECK(cpu->sum(*x) > 0);
  }
}

}  // namespace reference_test
