// Volumes and scans larger than a budget of memory against the same without one, on the cpu backend.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "large/large_backend.hpp"
#include "large/large_operator.hpp"
#include "recon/method_bytes.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/recon/follow_reference.hpp"
#include "support/recon/large_penalty.hpp"

using namespace backlit;
using Catch::Matchers::Contains;

namespace {

constexpr std::int64_t kib = 1024;

/// The cpu as a device with memory of its own; 0: without a limit.
std::unique_ptr<Backend> device(std::int64_t memory = 0) {
  return std::make_unique<LargeBackend>(std::make_unique<CpuBackend>(BackendOptions{}), memory);
}

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

/// Counts the plans that it is asked for, and takes few slices where told.
class CountedPlans final : public CpuBackend {
 public:
  explicit CountedPlans(std::int64_t side = 0) : CpuBackend(BackendOptions{}), side_(side) {}
  Capabilities capabilities() const override {
    Capabilities can = CpuBackend::capabilities();
    can.largest_side = side_;
    return can;
  }
  std::unique_ptr<LinearOperator> make_ct(const VolumeGrid& grid, const Scan& scan, const CtOptions& o) override {
    ++made;
    return CpuBackend::make_ct(grid, scan, o);
  }
  int made = 0;

 private:
  std::int64_t side_;
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

TEST_CASE("in slabs every geometry gives what it gives whole") {
  for (const test::CtCase& c : test::ct_cases())
    for (Model model : {Model::voxel_driven, Model::joseph, Model::distance_driven}) {
      if (model == Model::joseph && c.name == "cylinder") continue;
      if (model == Model::distance_driven && (c.name == "tilted" || c.name == "laminographic")) continue;
      const auto truth = exercise(*device(), c, model);
      for (std::int64_t memory : {150 * kib, 60 * kib}) {
        INFO(c.name << ", " << name(model) << ", " << memory);
        CHECK(relative_l2(exercise(*device(memory), c, model), truth) < 1e-6);
      }
    }
}

TEST_CASE("the cpu gives equal bits within any budget") {
  const auto c = test::ct_cases().front();
  for (Model model : {Model::voxel_driven, Model::joseph})
    CHECK(exercise(*make_backend("cpu", {.memory_bytes = 40 * kib}), c, model) ==
          exercise(*make_backend("cpu"), c, model));
}

TEST_CASE("slabs and batches take what they may of the memory") {
  const auto c = test::ct_cases().front();
  const auto backend = make_backend("cpu");
  const CtOptions o = options(Model::voxel_driven);
  for (std::int64_t memory : {150 * kib, 90 * kib, 60 * kib}) {
    INFO(memory);
    const Cut cut = find_cut(*backend, c.grid, c.scan, o, memory);
    CHECK(cut.views >= 1);
    const auto bytes = [&](std::int64_t slices) {
      return working_bytes(*backend, slab_of(c.grid, 0, slices), c.scan, o, cut.views);
    };
    CHECK(bytes(cut.slices) <= memory / 2);
    const auto ct = device(memory)->make_ct(c.grid, c.scan, o);
    if (cut.slices < c.grid.size[2]) CHECK_THAT(ct->variant(), Contains(",slabs="));
  }
}

TEST_CASE("what cannot be cut is refused with the size that fits") {
  test::CtCase c = test::ct_cases().front();
  CHECK_THROWS_WITH(device(28 * kib)->make_ct(c.grid, c.scan, options(Model::voxel_driven)),
                    Contains("gpu_memory: 28 KiB is too little") && Contains("one slice of 17 x 13 voxels") &&
                        Contains("use slices of at most "));
  CHECK_THROWS_WITH(device(1 * kib)->make_ct(c.grid, c.scan, options(Model::voxel_driven)), Contains("give more"));
  const auto o = options(Model::joseph);
  LargeBackend narrow(std::make_unique<CountedPlans>(16));
  CHECK_THROWS_WITH(narrow.make_ct(c.grid, c.scan, o),
                    Contains("slices of 17 x 13 voxels") && Contains("at most 16 x 16 voxels"));
  c.scan.detector.rows = 1;  // one row of cells stands for the height of one slice
  CHECK_THROWS_WITH(device(30 * kib)->make_ct(c.grid, c.scan, options(Model::distance_driven)),
                    Contains("11 slices, which one row of pixels keeps together"));
}

TEST_CASE("the largest size that fits is found") {
  const VolumeGrid grid{{100, 50, 20}, Vec3(1), Vec3(0)};
  const auto within = [](std::int64_t voxels) { return [=](const VolumeGrid& g) { return g.voxels() <= voxels; }; };
  const auto all = largest_size(grid, true, within(12500)), slice = largest_size(grid, false, within(25000));
  REQUIRE((all && slice));
  CHECK((*all)[0] * (*all)[1] * (*all)[2] <= 12500);
  CHECK((*all)[0] >= 49);
  CHECK((*slice)[2] == 20);
  CHECK((*slice)[0] >= 49);
  CHECK_FALSE(largest_size(grid, true, [](const VolumeGrid&) { return false; }));
}

TEST_CASE("slabs of a grid lie where they lay in it") {
  const VolumeGrid grid{{5, 4, 7}, {1.1, 1.2, 0.7}, {1, 2, 3}};
  for (const auto& [first, count] : {std::pair{0, 7}, {0, 3}, {3, 4}, {6, 1}}) {
    const VolumeGrid slab = slab_of(grid, first, count);
    CHECK(slab.size == Size3{5, 4, count});
    CHECK(slab.first_voxel().z == Approx(grid.first_voxel().z + 0.7 * first));
    CHECK(slab.first_voxel().x == grid.first_voxel().x);
  }
}

TEST_CASE("vector operations do not care where parts lie") {
  const auto c = test::ct_cases().front();
  const auto run = [&](std::int64_t memory) {
    const auto backend = device(memory);
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
    if (memory > 0) CHECK_THROWS_WITH(backend->copy(*x, *views), Contains("arrays of different shapes"));
    return seen;
  };
  CHECK(relative_l2(run(60 * kib), run(0)) < 1e-6);
}

TEST_CASE("rows of views in batches share their memory") {
  const auto c = test::ct_cases().front();
  const auto backend = device(30 * kib);
  const auto ct = backend->make_ct(c.grid, c.scan, options(Model::voxel_driven));
  const auto views = ct->make_range(7);
  REQUIRE(parts_of(*views).size() > 2);
  REQUIRE_FALSE(parts_of(*views).back().device);
  const auto part = backend->rows(*views, 6, 1);
  REQUIRE(part);
  const auto values = noise(part->count(), 5);
  backend->upload(values, *part);
  const auto whole = values_of(*backend, *views);
  CHECK(std::equal(values.begin(), values.end(), whole.begin() + 6 * 31 * 23));
  CHECK(whole[0] == 0);
}

TEST_CASE("methods do not notice that volume and views are in parts") {
  for (const char* method : {"fdk", "osem"}) {
    INFO(method);
    const auto whole = test::reconstruct_head(*device(), method, "exact");
    const auto parts = test::reconstruct_head(*device(200 * kib), method, "exact");
    CHECK(relative_l2(parts.volume, whole.volume) < 1e-5);
    for (std::size_t i = 0; i < whole.residuals.size(); ++i)
      CHECK(parts.residuals[i] == Approx(whole.residuals[i]).epsilon(1e-5));
  }
}

TEST_CASE("operators work on arrays that another one cut, and keep plans of those slabs only") {
  auto counted = std::make_unique<CountedPlans>();
  CountedPlans& plans = *counted;
  LargeBackend backend(std::move(counted));
  const VolumeGrid grid{{9, 7, 53}, Vec3(1), Vec3(0)};
  const Detector d{13, 21, 2, 3};
  const Scan scan{d, circular_views(d, equal_angles(5), 100, 150)};
  const auto budget = std::make_shared<Budget>(0);
  const CtOptions o = options(Model::joseph);
  LargeOperator a(plans, budget, grid, scan, o, {30, 5}, 0), b(plans, budget, grid, scan, o, {40, 2}, 0);
  const ArrayPtr of_a = a.make_domain(), of_b = b.make_domain(), y = a.make_range(5);
  const auto values = noise(grid.voxels(), 5);
  backend.upload(values, *of_a);
  backend.copy(*of_a, *of_b);
  CHECK(values_of(backend, *of_b) == values);
  backend.axpy(1, *of_a, *of_b);
  CHECK(values_of(backend, *of_b)[7] == 2 * values[7]);
  const auto plans_for = [&](const DeviceArray& x) {
    const int before = plans.made;
    b.forward(x, *y, b.all(), Write::overwrite);
    return plans.made - before;
  };
  plans_for(*of_b);
  CHECK(plans_for(*of_b) == 0);
  CHECK(plans_for(*of_a) == 2);  // of 30 and 23 slices
  CHECK(plans_for(*of_a) == 0);
  CHECK(plans_for(*of_b) == 2);  // of 40 and 13
}

TEST_CASE("emission is not cut: what does not fit is refused with the size that fits") {
  const auto c = test::ct_cases().front();
  const std::vector<float> nothing(static_cast<std::size_t>(c.grid.voxels()));
  CHECK_THROWS_WITH(device(200 * kib)->make_emission(c.grid, c.scan, nothing, {}),
                    Contains("gpu_memory: 200 KiB is too little for emission") && Contains("give more"));
  CHECK(device(64 * kib * kib)->make_emission(c.grid, c.scan, nothing, {}));
}

TEST_CASE("penalties of a volume in slabs are those of the whole") {
  test::check_large_penalties([](std::int64_t budget) { return device(budget); }, 1e-5);
}

}  // namespace

TEST_CASE("Slabs of filtered backprojection are finished one after another, with the bits of the whole") {
  const Detector d{43, 37, 9.1, 8.7};
  const Scan scan{d, circular_views(d, equal_angles(30), 600, 900)};
  const VolumeGrid grid{{21, 19, 23}, {7.3, 7.1, 7.7}, {2, -3, 11}};
  const std::int64_t slice = grid.size[0] * grid.size[1];
  Projections views(scan);
  std::ranges::copy(noise(views.values.size(), 5), views.values.begin());
  const auto source = std::make_shared<MemorySource>(std::move(views));
  const auto finished = [&](Backend& backend) {
    auto run = make_reconstruction(backend, source, grid, Method("fdk"));
    while (run->step() != Reconstruction::Status::finished) continue;
    return run;
  };
  for (const std::int64_t memory : {64 * kib, 160 * kib}) {  // slabs in host memory, and on the device
    INFO(memory);
    const auto backend = device(memory);
    const Volume whole = finished(*backend)->download();
    const auto run = finished(*backend);
    const std::int64_t slab = run->slab_slices();
    REQUIRE(slab > 0);
    REQUIRE(slab < grid.size[2]);
    const DeviceArray* const volume = run->unfinished_volume();
    REQUIRE(volume);
    std::vector<float> values(static_cast<std::size_t>(grid.voxels()));
    run->finish_slices(1);
    REQUIRE(backend->download_rows(*volume, 0, values));
    const auto first = static_cast<std::ptrdiff_t>(slab * slice);
    CHECK(std::equal(values.begin(), values.begin() + first, whole.values.begin()));
    CHECK_FALSE(std::equal(values.begin() + first, values.end(), whole.values.begin() + first));  // not made yet
    for (std::int64_t z = 0; z < grid.size[2]; ++z) {
      run->finish_slices(z + 1);
      backend->download_rows(
          *volume, z, std::span(values).subspan(static_cast<std::size_t>(z * slice), static_cast<std::size_t>(slice)));
    }
    CHECK(std::ranges::equal(values, whole.values.span()));
    CHECK(run->slab_slices() == 0);  // nothing is left
    CHECK(std::ranges::equal(run->download().values.span(), whole.values.span()));
  }
}
