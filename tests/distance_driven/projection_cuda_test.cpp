// Distance-driven projection on the device against the CPU reference, and against its own transpose.
#include <cmath>
#include <random>

#include <backlit/geometry/trajectory.hpp>
#include "support/cuda.hpp"
#include "support/projectors/one_view_back.hpp"
#include "support/projectors/random_upright.hpp"
#include "support/recon/follow_reference.hpp"

using namespace backlit;
using test::relative_l2;

namespace {

struct Setup {
  std::string name;
  Scan scan;
  VolumeGrid grid;
};

std::vector<Setup> setups() {
  const Detector d{41, 33, 2.1, 1.9}, one_row{67, 1, 1.5, 1.5}, tall{37, 141, 2.3, 0.9}, fine{201, 35, 0.4, 0.5};
  Detector curved = d, cylinder = d;
  curved.shape = cylinder.shape = Detector::Shape::curved;
  cylinder.radius = 250;
  DetectorPlacement off;
  off.offset_u = 3.25;
  off.offset_v = -2;
  const VolumeGrid square{{26, 26, 19}, {1.1, 1.1, 1.3}, {0, 0, 2}}, oblong{{29, 23, 17}, {1.0, 1.3, 0.9}, {4, -3, 5}},
      slice{{31, 27, 1}, {1, 1, 1}, {0, 0, 0}}, high{{21, 37, 147}, {1.6, 0.9, 0.8}, {1, 0, 0}},
      flat{{40, 30, 64}, {1.2, 1.3, 0.5}, {0, 0, 0}};
  const auto full = equal_angles(12, 10);
  Scan down{d, circular_views(d, full, 200, 310, off)};
  for (View& v : down.views) v.v = -v.v;
  return {{"flying focal spot", {d, test::flying_views(d, full, 200, 310, 0.8)}, oblong},
          {"flying focal spot, cylinder", {cylinder, test::flying_views(cylinder, full, 200, 310, 0.8)}, square},
          {"circular", {d, circular_views(d, full, 200, 310, off)}, square},
          {"short scan, oblong grid off the axis", {d, circular_views(d, equal_angles(7, 0, 210), 200, 310)}, oblong},
          {"rows that run down", down, oblong},
          {"many slices", {tall, circular_views(tall, full, 200, 310)}, high},
          {"more slices than the detector sees", {d, circular_views(d, full, 200, 310)}, high},
          {"many cells a voxel", {fine, circular_views(fine, full, 200, 310)}, flat},
          {"parallel", {d, parallel_views(d, full, off)}, square},
          {"fan", {one_row, circular_views(one_row, full, 200, 310)}, slice},
          {"helical", {d, helical_views(d, equal_angles(20, 0, 720), 200, 310, 9, -9)}, oblong},
          {"45 degrees", {d, circular_views(d, equal_angles(8, 45), 200, 310)}, oblong},
          {"curved", {curved, circular_views(curved, full, 200, 310, off)}, oblong},
          {"cylinder", {cylinder, circular_views(cylinder, full, 200, 310)}, oblong}};
}

std::vector<float> random_values(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& v : values) v = uniform(random);
  return values;
}

struct Pair {
  std::vector<float> forward, back;
  double mismatch = 0;
};

Pair run(Backend& backend, const Setup& s, const CtOptions& options, const Subset& subset,
         std::string* variant = nullptr) {
  const auto op = backend.make_ct(s.grid, s.scan, options);
  if (variant) *variant = op->variant();
  const ArrayPtr x = op->make_domain(), ax = op->make_range(subset.count), y = op->make_range(subset.count),
                 aty = op->make_domain();
  backend.upload(random_values(x->count(), 1), *x);
  backend.upload(random_values(y->count(), 2), *y);
  backend.fill(*ax, 100);
  backend.fill(*aty, 100);
  op->forward(*x, *ax, subset, Write::overwrite);
  op->forward(*x, *ax, subset, Write::accumulate);
  op->back(*y, *aty, subset, Write::overwrite);
  op->back(*y, *aty, subset, Write::accumulate);
  backend.scale(*ax, 0.5f);
  backend.scale(*aty, 0.5f);
  Pair result;
  const double left = backend.dot(*ax, *y), right = backend.dot(*x, *aty);
  result.mismatch = std::abs(left - right) / std::abs(left);
  result.forward.resize(static_cast<std::size_t>(ax->count()));
  result.back.resize(static_cast<std::size_t>(aty->count()));
  backend.download(*ax, result.forward);
  backend.download(*aty, result.back);
  return result;
}

}  // namespace

TEST_CASE("distance-driven variants agree with the reference for every geometry, and with their transposes") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  struct Variant {
    CtOptions options;
    double forward, back, mismatch;
  };
  const auto exact = [](const char* name) {
    return CtOptions{.model = Model::branchless_dd, .precision = Precision::exact, .variant = name};
  };
  const auto fast = [](const char* name) { return CtOptions{.model = Model::branchless_dd, .variant = name}; };
  const std::vector<Variant> variants{{{.model = Model::distance_driven}, 1e-5, 1e-5, 1e-5},
                                      {exact("bc"), 2e-5, 5e-6, 1e-6},
                                      {exact("db"), 1e-9, 1e-9, 1e-8},
                                      {exact("bl"), 2e-6, 3e-2, 1e-3},
                                      {exact("bz"), 2e-6, 3e-2, 1e-3},
                                      {exact("bl,compensated"), 2e-6, 3e-2, 1e-3},
                                      {fast("bl,plain,compensated"), 2e-6, 3e-2, 1e-3},
                                      {exact("bz,plain,compensated"), 2e-6, 3e-2, 1e-3},
                                      {fast("bl"), 2e-3, 3e-2, 1e-3},
                                      {fast("bl,plain"), 6e-3, 3e-2, 1e-3},
                                      {fast("bz"), 2e-3, 3e-2, 1e-3},
                                      {exact("bz,shared"), 2e-6, 3e-2, 1e-3},
                                      {exact("bz,shuffles"), 2e-6, 3e-2, 1e-3},
                                      {fast("bz,shared"), 2e-3, 3e-2, 1e-3},
                                      {fast("bz,shuffles"), 2e-3, 3e-2, 1e-3}};
  for (const Setup& s : setups())
    for (const Subset& subset : {Subset{0, s.scan.view_count(), 1}, Subset{1, 2, 3}}) {
      const Pair expected = run(*cpu, s, {.model = Model::distance_driven}, subset);
      for (const Variant& v : variants) {
        std::string name;
        const Pair result = run(*backend, s, v.options, subset, &name);
        const double forward = relative_l2(result.forward, expected.forward),
                     back = relative_l2(result.back, expected.back);
        INFO(s.name << ", " << name << ", " << subset.count << " views: relative L2 " << forward << ", " << back
                    << ", pair " << result.mismatch);
        CHECK(forward < v.forward);
        CHECK(back < v.back);
        CHECK(result.mismatch < v.mismatch);
      }
    }
}

TEST_CASE("distance-driven pairs of sizes at random are adjoint") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto dd = [](const char* name, Precision precision) {
    return CtOptions{.model = Model::branchless_dd, .precision = precision, .variant = name};
  };
  const std::vector<std::pair<CtOptions, double>> variants{
      {{.model = Model::distance_driven}, 1e-5}, {dd("db", Precision::exact), 1e-5},
      {dd("bc", Precision::exact), 1e-5},        {dd("bl", Precision::exact), 1e-3},
      {dd("bl", Precision::fast), 1e-3},         {dd("bz", Precision::fast), 1e-3},
      {dd("bz,shared", Precision::fast), 1e-3},  {dd("bz,shuffles", Precision::fast), 1e-3}};
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    const auto c = test::random_upright(seed);
    for (const auto& [options, most] : variants) {
      std::string name;
      const Pair result = run(*backend, {c.name, c.scan, c.grid}, options, {0, c.scan.view_count(), 1}, &name);
      INFO(c.name << ", " << name << ": " << result.mismatch);
      CHECK(result.mismatch < most);
    }
  }
}

/// Edges are the same, whoever looks them up: slices that begin a thread or a warp are rounded otherwise.
TEST_CASE("edges between slices are the same through registers, shared memory and shuffles") {
  BACKLIT_REQUIRE_CUDA(backend);
  for (std::uint32_t seed = 21; seed <= 26; ++seed) {
    const auto c = test::random_upright(seed);
    const Setup s{c.name, c.scan, c.grid};
    const Subset all{0, c.scan.view_count(), 1};
    const CtOptions registers{.model = Model::branchless_dd, .precision = Precision::exact, .variant = "bz"};
    const Pair expected = run(*backend, s, registers, all);
    for (const char* variant : {"bz,shared", "bz,shuffles"}) {
      CtOptions other = registers;
      other.variant = variant;
      const double off = relative_l2(run(*backend, s, other, all).back, expected.back);
      INFO(c.name << ", " << variant << ": " << off);
      CHECK(off < 1e-5);
    }
  }
}

TEST_CASE("whole reconstructions with distance-driven pairs follow the reference") {
  BACKLIT_REQUIRE_CUDA(backend);
  struct Way {
    const char *precision, *variant;
    double most;
  };
  const auto cpu = make_backend("cpu");
  for (const std::string method : {"ossart", "fista", "cgls", "pcg", "pwls"}) {
    const auto expected = test::distance_driven_head(*cpu, method, "distance_driven");
    for (const Way& w :
         {Way{"exact", "bc", 1e-4}, Way{"exact", "bl", 1e-2}, Way{"fast", "bl", 1e-2}, Way{"fast", "bz", 1e-2}}) {
      const double off =
          relative_l2(test::distance_driven_head(*backend, method, "branchless_dd", w.precision, w.variant), expected);
      INFO(method << ", " << w.precision << " " << w.variant << ": " << off);
      CHECK(off < w.most);
    }
  }
}

TEST_CASE("distance-driven variants give one view back within 0.2 %") {
  BACKLIT_REQUIRE_CUDA(backend);
  for (const std::size_t n : {std::size_t{0}, std::size_t{100}, std::size_t{123}}) {
    const test::OneViewBack v = test::one_view_back(n, true);
    for (const std::string variant : {"bl", "bz", "bl,plain"}) {
      const test::Errors e = test::errors_of(v, *backend, {.model = Model::branchless_dd, .variant = variant});
      INFO("view " << n << ", " << variant << ": " << e.normalised << ", " << e.relative);
      CHECK(e.normalised < (variant == "bl,plain" ? 2e-3 : 1.3e-3));
      CHECK(e.relative < (variant == "bl,plain" ? 3e-3 : 6e-4));  // 1.2e-3 where tables hold the means of columns too
    }
  }
}

TEST_CASE("distance-driven variants refuse what they do not have") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Detector d{41, 33, 2.1, 1.9};
  DetectorPlacement tilt;
  tilt.tilt_n = 5;
  const VolumeGrid grid{{26, 26, 19}, {1.1, 1.1, 1.3}, {0, 0, 2}};
  const Scan scan{d, circular_views(d, {10, 20}, 200, 310)}, tilted{d, circular_views(d, {10, 20}, 200, 310, tilt)};
  CHECK_THROWS_WITH(backend->make_ct(grid, tilted, {.model = Model::branchless_dd}),
                    Catch::StartsWith("view 0: distance-driven projection: the detector is tilted"));
  CHECK_THROWS_WITH(backend->make_ct(grid, scan, {.model = Model::branchless_dd, .variant = "sat"}),
                    "variant: the cuda backend does not offer 'sat'; it offers bc, bl, bl,compensated, bl,plain, "
                    "bl,plain,compensated, bz, bz,compensated, bz,plain, bz,plain,compensated, bz,shared, "
                    "bz,shuffles, db");
  CHECK_THROWS_WITH(backend->make_ct(grid, scan, {.model = Model::branchless_dd, .precision = Precision::half}),
                    "precision: the cuda backend does not offer 'half'; it offers exact, fast");
}
