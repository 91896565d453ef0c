// Volumes and scans larger than a budget of memory against the same without one, on the cpu backend.
#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "large/tiled_operator.hpp"
#include "support/ct_cases.hpp"
#include "support/follow_reference.hpp"
#include "support/tiled_penalty.hpp"

using namespace backlit;
using Catch::Matchers::Contains;

namespace {

constexpr std::int64_t kib = 1024;

std::unique_ptr<Backend> cpu(std::int64_t memory = 0) { return make_backend("cpu", {.memory_bytes = memory}); }

std::vector<float> noise(std::int64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& v : values) v = uniform(engine);
  return values;
}

std::vector<float> values_of(Backend& backend, const DeviceArray& array) {
  std::vector<float> values(static_cast<std::size_t>(array.count()));
  backend.download(array, values);
  return values;
}

double relative_l2(const std::vector<float>& a, const std::vector<float>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += std::pow(double{a[i]} - double{b[i]}, 2);
    norm += std::pow(double{b[i]}, 2);
  }
  return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

CtOptions options(Model model) { return {model, Precision::exact, Packing::automatic, Weighting::none, ""}; }

/// Counts the plans that it is asked for.
class CountedPlans final : public CpuBackend {
 public:
  CountedPlans() : CpuBackend(BackendOptions{}) {}
  std::unique_ptr<LinearOperator> make_tile(const VolumeGrid& grid, const Box& tile, const Scan& scan,
                                            const CtOptions& o) override {
    ++made;
    return CpuBackend::make_tile(grid, tile, scan, o);
  }
  int made = 0;
};

/// What every kind of call leaves in both arrays, one after another.
std::vector<float> exercise(Backend& backend, const test::CtCase& c, Model model) {
  const auto ct = backend.make_ct(c.grid, c.scan, options(model));
  const std::int64_t n = c.scan.view_count();
  const auto x = ct->make_domain(), y = ct->make_range(n), some = ct->make_range(3);
  std::vector<float> seen;
  const auto see = [&](const DeviceArray& a) {
    const auto values = values_of(backend, a);
    seen.insert(seen.end(), values.begin(), values.end());
  };
  backend.upload(noise(x->count(), 1), *x);
  backend.upload(noise(y->count(), 2), *y);
  backend.upload(noise(some->count(), 3), *some);
  if (model != Model::voxel_driven) {
    ct->forward(*x, *some, {1, 3, 2}, Write::overwrite);
    see(*some);
    ct->forward(*x, *y, {1, 3, 2}, Write::accumulate);
    ct->forward(*x, *y, {2, 1, 1}, Write::overwrite);
    see(*y);
    ct->forward(*x, *y, ct->all(), Write::overwrite);
    see(*y);
  }
  ct->back(*some, *x, {0, 3, 3}, Write::accumulate);
  see(*x);
  ct->back(*y, *x, {1, 4, 1}, Write::overwrite);
  ct->back(*y, *x, {0, 4, 2}, Write::accumulate);
  see(*x);
  ct->back(*y, *x, ct->all(), Write::overwrite);
  see(*x);
  ct->sensitivity(*x, {0, 2, 3});
  see(*x);
  ct->back(*y, *x, {3, 0, 1}, Write::overwrite);
  CHECK(backend.dot(*x, *x) == 0);
  return seen;
}

TEST_CASE("in tiles every geometry gives what it gives whole") {
  for (const test::CtCase& c : test::ct_cases())
    for (Model model : {Model::voxel_driven, Model::joseph, Model::distance_driven}) {
      if (model == Model::joseph && c.name == "cylinder") continue;
      if (model == Model::distance_driven && (c.name == "tilted" || c.name == "laminographic")) continue;
      const auto truth = exercise(*cpu(), c, model);
      for (std::int64_t memory : {150 * kib, model == Model::voxel_driven ? 32 * kib : 60 * kib}) {
        INFO(c.name << ", " << name(model) << ", " << memory);
        CHECK(relative_l2(exercise(*cpu(memory), c, model), truth) < 1e-6);
      }
    }
}

TEST_CASE("in tiles one row of cells still sees only the slices that it meets") {
  test::CtCase c = test::ct_cases().front();
  c.scan.detector.rows = 1;
  const auto truth = exercise(*cpu(), c, Model::distance_driven);
  for (const std::int64_t memory : {50 * kib, 30 * kib}) {
    const auto ct = cpu(memory)->make_ct(c.grid, c.scan, options(Model::distance_driven));
    INFO(ct->variant());
    CHECK_THAT(ct->variant(), Contains(",tiles="));
    CHECK(relative_l2(exercise(*cpu(memory), c, Model::distance_driven), truth) < 1e-6);
  }
}

TEST_CASE("tiles are slabs first, then parts of slices, and take what they may of the memory") {
  const auto c = test::ct_cases().front();
  const auto backend = cpu();
  for (std::int64_t memory : {150 * kib, 60 * kib, 32 * kib}) {
    INFO(memory);
    const Tiling t = find_tiling(*backend, c.grid, c.scan, options(Model::voxel_driven), memory);
    CHECK(t.tile[0] == c.grid.size[0]);
    CHECK((t.tile[1] == c.grid.size[1] || t.tile[2] == 1));
    CHECK(t.rows >= 1);
    CHECK(working_bytes(*backend, c.grid, c.scan, options(Model::voxel_driven), t) <= memory / 2);
    const auto ct = cpu(memory)->make_ct(c.grid, c.scan, options(Model::voxel_driven));
    if (memory < 100 * kib) CHECK_THAT(ct->variant(), Contains(",tiles=1x"));
  }
  const Tiling t = find_tiling(*backend, c.grid, c.scan, options(Model::branchless_dd), 60 * kib);
  CHECK(t.tile[1] < c.grid.size[1]);
  CHECK((t.tile[1] == 1 || t.tile[2] == c.grid.size[2]));
  const auto boxes = boxes_of({5, 4, 7}, {5, 2, 3});
  REQUIRE(boxes.size() == 6);
  CHECK(boxes.back() == Box{{0, 2, 6}, {5, 2, 1}});
  const auto voxels = std::accumulate(boxes.begin(), boxes.end(), std::int64_t{0},
                                      [](std::int64_t n, const Box& b) { return n + b.shape().count(); });
  CHECK(voxels == 5 * 4 * 7);
  CHECK_THROWS_WITH(cpu(8 * kib)->make_ct(c.grid, c.scan, options(Model::voxel_driven)),
                    Contains("--gpu-memory: 8 KiB is too little: 1 views of 31 x 23 pixels and one row of voxels"));
}

TEST_CASE("plans of smaller tiles are held against the budget while plans live") {
  const auto backend = cpu();
  const auto scan = test::ct_cases().front().scan;
  const VolumeGrid grid{{6, 5, 7}, Vec3(1), Vec3(0)};
  const CtOptions o = options(Model::joseph);
  const auto bytes = [&](const Size3& size) {
    VolumeGrid part = grid;
    part.size = size;
    return backend->plan_bytes(part, scan, o, 2);
  };
  CHECK(smaller_plans_bytes(*backend, grid, scan, o, {{6, 5, 7}, 2}) == 0);
  CHECK(smaller_plans_bytes(*backend, grid, scan, o, {{3, 5, 1}, 2}) == 0);
  CHECK(smaller_plans_bytes(*backend, grid, scan, o, {{6, 5, 3}, 2}) == bytes({6, 5, 1}));
  CHECK(smaller_plans_bytes(*backend, grid, scan, o, {{6, 3, 3}, 2}) ==
        bytes({6, 3, 1}) + bytes({6, 2, 3}) + bytes({6, 2, 1}));
  const auto budget = std::make_shared<Budget>(100);
  {
    const TilePlans plans(*backend, grid, scan, o, budget, 60);
    CHECK_FALSE(budget->take(41));
    CHECK(budget->take(40));
  }
  CHECK(budget->take(60));
  CHECK_FALSE(budget->take(1));
}

TEST_CASE("vector operations do not care where tiles lie") {
  const auto c = test::ct_cases().front();
  const auto run = [&](std::int64_t memory) {
    const auto backend = cpu(memory);
    const auto ct = backend->make_ct(c.grid, c.scan, options(Model::voxel_driven));
    const auto x = ct->make_domain();
    const auto y = backend->make_like(*x);
    CHECK(backend->dot(*y, *y) == 0);
    backend->upload(noise(x->count(), 1), *x);
    backend->upload(noise(x->count(), 2), *y);
    std::vector<float> seen{static_cast<float>(backend->dot(*x, *y)), static_cast<float>(backend->sum(*x)),
                            backend->maximum(*x)};
    const auto see = [&](const auto& work) {
      work();
      const auto values = values_of(*backend, *y);
      seen.insert(seen.end(), values.begin(), values.end());
    };
    see([&] { backend->axpy(2.5f, *x, *y); });
    see([&] { backend->multiply(*x, *y); });
    see([&] { backend->divide(*x, *y, 0.25f); });
    see([&] { backend->scale(*y, -0.5f); });
    see([&] { backend->clamp(*y, -0.5f, 0.75f); });
    see([&] { backend->exponential(*y); });
    see([&] { backend->copy(*x, *y); });
    see([&] { backend->fill(*y, 3); });
    const auto views = ct->make_range(4);
    if (memory > 0) CHECK_THROWS_WITH(backend->copy(*x, *views), Contains("arrays that are cut differently"));
    return seen;
  };
  CHECK(relative_l2(run(40 * kib), run(0)) < 1e-6);
}

TEST_CASE("rows of views in tiles share their memory") {
  const auto c = test::ct_cases().front();
  const auto backend = cpu(24 * kib);
  const auto ct = backend->make_ct(c.grid, c.scan, options(Model::voxel_driven));
  const auto views = ct->make_range(7);
  REQUIRE(tiles_of(*views).size() > 2);
  REQUIRE_FALSE(tiles_of(*views).back().device);
  const auto part = backend->rows(*views, 6, 1);
  REQUIRE(part);
  const auto values = noise(part->count(), 5);
  backend->upload(values, *part);
  const auto whole = values_of(*backend, *views);
  CHECK(std::equal(values.begin(), values.end(), whole.begin() + 6 * 31 * 23));
  CHECK(whole[0] == 0);
}

TEST_CASE("methods do not notice that volume and views are in tiles") {
  for (const char* method : {"fdk", "osem"}) {
    INFO(method);
    const auto whole = test::reconstruct_head(*cpu(), method, "exact");
    const auto tiled = test::reconstruct_head(*cpu(200 * kib), method, "exact");
    CHECK(relative_l2(tiled.volume, whole.volume) < 1e-5);
    for (std::size_t i = 0; i < whole.residuals.size(); ++i)
      CHECK(tiled.residuals[i] == Approx(whole.residuals[i]).epsilon(1e-5));
  }
}

TEST_CASE("Plans of an operator's own tiles are forgotten while it works on another's") {
  CountedPlans device;
  const VolumeGrid grid{{9, 7, 53}, Vec3(1), Vec3(0)};
  const Detector d{13, 21, 2, 3};
  const Scan scan{d, circular_views(d, equal_angles(5), 100, 150)};
  const auto budget = std::make_shared<Budget>(0);
  const CtOptions o = options(Model::joseph);
  TiledOperator a(device, budget, grid, scan, o, {{9, 7, 30}, 5}), b(device, budget, grid, scan, o, {{9, 7, 40}, 5});
  const ArrayPtr of_a = a.make_domain(), of_b = b.make_domain(), y = a.make_range(5);
  const auto plans_for = [&](const DeviceArray& x) {
    const int before = device.made;
    b.forward(x, *y, b.all(), Write::overwrite);
    return device.made - before;
  };
  plans_for(*of_b);
  CHECK(plans_for(*of_b) == 0);
  CHECK(plans_for(*of_a) == 2);  // of 30 and 23 slices
  CHECK(plans_for(*of_a) == 0);
  CHECK(plans_for(*of_b) == 2);  // of 40 and 13, which nobody had counted beside the others
}

TEST_CASE("penalties of a volume in tiles are those of the whole") {
  test::check_tiled_penalties([](std::int64_t budget) { return cpu(budget); }, 1e-5);
}

}  // namespace
