// Backprojection by tensor cores, against the CPU reference; without a GPU, how it is set up.
#include <catch2/catch.hpp>

#include <backlit/geometry/trajectory.hpp>
#include "study/bench/cases.hpp"
#include "study/cuda/orbit_mma.hpp"
#include "support/cuda.hpp"
#include "support/difference.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/projectors/smooth_views.hpp"

using namespace backlit;
using namespace backlit::test;

namespace orbit_mma_cuda_test {
namespace {

/// Once over, once on top.
std::vector<float> backproject(Backend& backend, const CtCase& c, const CtOptions& options) {
  const auto op = backend.make_ct(c.grid, c.scan, options);
  const ArrayPtr y = op->make_range(c.scan.view_count()), x = op->make_domain();
  backend.upload(smooth_views(c.scan), *y);
  op->back(*y, *x, op->all(), Write::overwrite);
  op->back(*y, *x, op->all(), Write::accumulate);
  std::vector<float> result(static_cast<std::size_t>(x->count()));
  backend.download(*x, result);
  return result;
}

CtCase symmetric_case(std::string name, const Size3& size, double voxel, double slice, const Detector& d,
                      std::int64_t views, double offset_u = 0) {
  DetectorPlacement at;
  at.offset_u = offset_u;
  return {std::move(name),
          {size, {voxel, voxel, slice}, {0, 0, 0}},
          {d, circular_views(d, equal_angles(views), 200, 310, at)}};
}

/// What each is set up as, and a detector that some voxels miss.
struct SetUp {
  CtCase scan;
  int side, slices;
};
std::vector<SetUp> set_ups() {
  return {{symmetric_case("even", {26, 26, 70}, 1.1, 0.8, {44, 36, 1.6, 1.7}, 44), 8, 32},
          {symmetric_case("odd, aside", {25, 25, 19}, 1.1, 0.8, {45, 37, 1.6, 1.7}, 12, 1.5), 8, 32},
          {symmetric_case("two chunks", {34, 34, 20}, 1.1, 1.1, {60, 70, 1.2, 1.1}, 12), 8, 32},
          {symmetric_case("three chunks", {26, 26, 21}, 1.1, 1.1, {60, 70, 1.2, 0.7}, 12), 8, 32},
          {symmetric_case("wide tiles", {50, 50, 20}, 1, 1, {150, 90, 0.4, 0.4}, 12), 16, 8},
          {symmetric_case("wide tiles, tall pixels", {50, 50, 20}, 1, 1, {350, 30, 0.14, 1.5}, 8), 16, 8},
          {symmetric_case("tall tiles", {50, 50, 20}, 1, 1, {301, 70, 0.21, 0.76}, 8), 8, 16}};
}

}  // namespace

constexpr std::size_t on_hopper = 227 * 1024;

TEST_CASE("tiles of tensor-core backprojection are what shared memory holds") {
  const auto check = [](const std::string& name, const Scan& scan, const VolumeGrid& grid, int side, int slices) {
    const OrbitLines lines = make_orbit_lines(scan, grid);
    INFO(name << ": " << lines.refusal);
    REQUIRE(lines.refusal.empty());
    const cuda::LineSetup s = cuda::choose_setup(lines, grid.size[2], on_hopper);
    INFO(s.side << " x " << s.side << " x " << s.slices << ", " << s.batch << " groups of " << s.columns << " x "
                << s.rows << ", " << s.bytes << " bytes");
    CHECK(s.side == side);
    CHECK(s.slices == slices);
    CHECK(s.bytes <= on_hopper);
    CHECK(s.bytes >= static_cast<std::size_t>(2 * s.batch * (s.side * s.side + 2 * s.columns * s.rows)) * 16);
  };
  for (const SetUp& s : set_ups()) check(s.scan.name, s.scan.scan, s.scan.grid, s.side, s.slices);
  for (const auto& [name, side, slices] : {std::tuple{"cone512", 8, 32}, {"rabbit512", 16, 8}}) {
    const BenchCase c = bench_case(name);
    check(name, c.scan, c.grid, side, slices);
  }
  const BenchCase cone = bench_case("cone512");
  CHECK(cuda::choose_setup(make_orbit_lines(cone.scan, cone.grid), cone.grid.size[2], 99 * 1024).bytes <= 99 * 1024);
  const CtCase large = symmetric_case("", {50, 50, 20}, 1, 1, {400, 200, 0.15, 0.15}, 8);
  CHECK_THROWS_WITH(cuda::choose_setup(make_orbit_lines(large.scan, large.grid), 20, on_hopper),
                    "variant orbit_mma: what 8 x 8 x 16 voxels fall on exceeds a multiprocessor's shared memory; use "
                    "--variant orbit");
}

TEST_CASE("tensor cores backproject what the reference does, with finer weights than textures") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  for (const SetUp& s : set_ups())
    for (const Weighting weighting : {Weighting::fdk, Weighting::none}) {
      INFO(s.scan.name << (weighting == Weighting::fdk ? ", weighted" : ""));
      CtOptions options;
      options.weighting = weighting;
      const auto expected = backproject(*cpu, s.scan, options);
      options.precision = Precision::half;
      options.variant = "orbit_mma";
      CHECK(relative_l2(expected, backproject(*backend, s.scan, options)) < 3e-4);
    }
}

TEST_CASE("tensor-core backprojection takes subsets another way, and says what it does not take") {
  BACKLIT_REQUIRE_CUDA(backend);
  const CtCase c = set_ups()[1].scan;
  CtOptions options;
  options.precision = Precision::half;
  options.variant = "orbit_mma";
  const auto op = backend->make_ct(c.grid, c.scan, options);
  CHECK(op->variant() == "voxel_driven orbit_mma rgba16f");
  const auto cpu = make_backend("cpu");
  const auto reference = cpu->make_ct(c.grid, c.scan, {});
  const Subset subset{1, 4, 3};
  const auto of = [&](Backend& device, LinearOperator& a) {
    const ArrayPtr y = a.make_range(c.scan.view_count()), x = a.make_domain();
    device.upload(smooth_views(c.scan), *y);
    a.back(*y, *x, subset, Write::overwrite);
    std::vector<float> result(static_cast<std::size_t>(x->count()));
    device.download(*x, result);
    return result;
  };
  CHECK(relative_l2(of(*cpu, *reference), of(*backend, *op)) < 2e-3);

  const auto refusal = [&](const VolumeGrid& grid, const Scan& scan, CtOptions o) -> std::string {
    try {
      backend->make_ct(grid, scan, o);
    } catch (const Unsupported& e) {
      return e.what();
    }
    return "";
  };
  CtOptions single = options;
  single.precision = Precision::fast;
  CHECK(refusal(c.grid, c.scan, single) == "variant: orbit_mma packs views as fp16; use `precision` half");
  CtOptions unpacked = options;
  unpacked.packing = Packing::none;
  CHECK(refusal(c.grid, c.scan, unpacked) == "variant: orbit_mma packs four views a texel; leave out `packing` none");
  VolumeGrid raised = c.grid;
  raised.center.z = 2;
  CHECK(refusal(raised, c.scan, options) ==
        "variant orbit_mma: the slices are not symmetric about the source's plane, z = 0; use --variant orbit");
}

}  // namespace orbit_mma_cuda_test
