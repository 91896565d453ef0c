// One operator on several devices gives what one device gives. CPU backends stand in for devices.
#include <catch2/catch.hpp>

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "large/device_shares.hpp"
#include "large/several_devices.hpp"
#include "large/split_by_speed.hpp"

using namespace backlit;

namespace several_devices_test {
namespace {

std::vector<float> random_values(std::int64_t n) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& v : values) v = uniform(random);
  return values;
}

std::vector<float> downloaded(Backend& backend, const DeviceArray& array) {
  std::vector<float> values(static_cast<std::size_t>(array.count()));
  backend.download(array, values);
  return values;
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    largest = std::max(largest, std::abs(static_cast<double>(a[i])));
  }
  return most / largest;
}

/// A device that keeps whoever waits for it waiting for longer.
class Handicapped : public CpuBackend {
 public:
  explicit Handicapped(int milliseconds) : CpuBackend(BackendOptions{}), more_(milliseconds) {}
  void finish() override { std::this_thread::sleep_for(more_); }

 private:
  std::chrono::milliseconds more_;
};

const Detector detector{19, 13, 2.1, 2.4};
const VolumeGrid grid{{15, 12, 53}, {1.7, 1.9, 0.6}, {1, -2, 3}};

Scan scan() { return {detector, circular_views(detector, equal_angles(11, 4), 200, 300)}; }

}  // namespace

TEST_CASE("Work is shared in proportion to speeds, all of it") {
  using List = std::vector<std::int64_t>;
  CHECK(split_by_speed(512, {1, 1}, 16) == List{256, 256});
  CHECK(split_by_speed(512, {3, 1}, 16) == List{384, 128});
  CHECK(split_by_speed(100, {1, 1, 1}, 16) == List{32, 32, 36});
  CHECK(split_by_speed(10, {1, 1}, 16) == List{0, 10});
  CHECK(split_by_speed(7, {1, 2, 1}) == List{2, 3, 2});
  CHECK(split_by_speed(5, {1}) == List{5});
}

TEST_CASE("Few slices are shared evenly, and as kernels take them where their numbers depend on it") {
  const auto counts = [](std::int64_t slices, const std::vector<double>& speeds, Model model) {
    std::vector<std::int64_t> list;
    std::int64_t next = 0;
    for (const auto& run : slabs_by_speed(slices, speeds, model)) {
      CHECK(run.first == next);
      list.push_back(run.count);
      next += run.count;
    }
    CHECK(next == slices);
    return list;
  };
  using List = std::vector<std::int64_t>;
  CHECK(counts(64, {1, 1, 1}, Model::branchless_dd) == List{22, 20, 22});
  CHECK(counts(64, {1, 1, 1}, Model::voxel_driven) == List{16, 32, 16});
  CHECK(counts(64, {1, 1}, Model::joseph) == List{32, 32});
  CHECK(counts(512, {2, 1}, Model::branchless_dd) == List{336, 176});  // 16 is an eighth of a share and less
  CHECK(counts(20, {1, 1}, Model::voxel_driven) == List{8, 12});
  CHECK(counts(5, {1, 1, 3}, Model::branchless_dd) == List{1, 1, 3});
}

TEST_CASE("Several devices give what one gives, whatever the subset") {
  const auto one = make_backend("cpu"), a = make_backend("cpu"), b = make_backend("cpu"), c = make_backend("cpu");
  VolumeGrid flat = grid;  // smaller than its views, which are then shared in place of slices
  flat.size[2] = 5;
  for (const auto& [model, grid] :
       {std::pair{Model::voxel_driven, several_devices_test::grid},
        std::pair{Model::joseph, several_devices_test::grid}, std::pair{Model::joseph, flat}}) {
    CtOptions options;
    options.model = model;
    const auto single = one->make_ct(grid, scan(), options);
    const auto split = make_split_ct({a.get(), b.get(), c.get()}, grid, scan(), options);
    INFO(split->variant());
    CHECK(split->domain() == single->domain());
    CHECK(split->range() == single->range());
    CHECK(split->matched() == single->matched());
    const ArrayPtr x1 = single->make_domain(), xn = split->make_domain();
    for (const Subset subset : {Subset{0, 11, 1}, Subset{2, 4, 1}, Subset{1, 3, 4}, Subset{10, 1, 1}})
      for (const bool compact : {true, false})
        for (const Write write : {Write::overwrite, Write::accumulate}) {
          const std::int64_t rows = compact ? subset.count : 11;
          const ArrayPtr y1 = single->make_range(rows), yn = split->make_range(rows);
          const auto views = random_values(y1->count()), volume = random_values(x1->count());
          INFO("subset " << subset.first << ", " << subset.count << ", " << subset.stride << ", compact " << compact);
          for (const auto& [backend, array] : {std::pair{one.get(), y1.get()}, std::pair{a.get(), yn.get()}})
            backend->upload(views, *array);
          for (const auto& [backend, array] : {std::pair{one.get(), x1.get()}, std::pair{a.get(), xn.get()}})
            backend->upload(volume, *array);
          if (model == Model::joseph) {
            single->forward(*x1, *y1, subset, write);
            split->forward(*xn, *yn, subset, write);
            CHECK(difference(downloaded(*one, *y1), downloaded(*a, *yn)) < 1e-6);
          }
          single->back(*y1, *x1, subset, write);
          split->back(*yn, *xn, subset, write);
          CHECK(difference(downloaded(*one, *x1), downloaded(*a, *xn)) < 1e-6);
        }
    single->sensitivity(*x1, {1, 3, 4});
    split->sensitivity(*xn, {1, 3, 4});
    CHECK(difference(downloaded(*one, *x1), downloaded(*a, *xn)) < 1e-6);
  }
}

TEST_CASE("A device with a handicap gets a smaller share of slices and views, and the result is the same") {
  Handicapped fast(10), slow(60);
  CpuBackend one(BackendOptions{});
  CtOptions options;
  options.model = Model::joseph;
  const DeviceShares shares = share_by_speed({&fast, &slow}, grid, scan(), options);
  CHECK(shares.slices[0].count + shares.slices[1].count == grid.size[2]);
  CHECK(shares.slices[1].count > 0);
  CHECK(shares.slices[1].count < shares.slices[0].count);
  const auto single = one.make_ct(grid, scan(), options), split = make_split_ct({&fast, &slow}, grid, scan(), options);
  const ArrayPtr y = split->make_range(11), x = split->make_domain(), y1 = single->make_range(11),
                 x1 = single->make_domain();
  fast.upload(random_values(x->count()), *x);
  one.upload(random_values(x->count()), *x1);
  split->forward(*x, *y, split->all(), Write::overwrite);
  single->forward(*x1, *y1, single->all(), Write::overwrite);
  CHECK(difference(downloaded(one, *y1), downloaded(fast, *y)) < 1e-6);
  split->back(*y, *x, split->all(), Write::overwrite);
  single->back(*y1, *x1, single->all(), Write::overwrite);
  CHECK(difference(downloaded(one, *x1), downloaded(fast, *x)) < 1e-6);
}

TEST_CASE("Slabs may be thinner than what kernels take at a time, and leave devices without work") {
  const auto a = make_backend("cpu"), b = make_backend("cpu");
  VolumeGrid thin = grid;
  for (thin.size[2] = 3; thin.size[2] > 0; --thin.size[2]) {
    const auto single = a->make_ct(thin, scan(), {}), split = make_split_ct({a.get(), b.get()}, thin, scan(), {});
    const ArrayPtr y = single->make_range(11), x1 = single->make_domain(), xn = split->make_domain();
    a->upload(random_values(y->count()), *y);
    single->back(*y, *x1, single->all(), Write::overwrite);
    split->back(*y, *xn, split->all(), Write::overwrite);
    CHECK(difference(downloaded(*a, *x1), downloaded(*a, *xn)) < 1e-6);
  }
}

TEST_CASE("A group of devices is a backend like any other") {
  BackendOptions options;
  options.further_devices = {1};
  const auto group = make_backend("cpu", options), one = make_backend("cpu");
  CHECK(group->name() == "cpu");
  const auto split = group->make_ct(grid, scan(), {}), single = one->make_ct(grid, scan(), {});
  CHECK(split->variant().find("2 devices") != std::string::npos);
  const ArrayPtr y = split->make_range(11), x = split->make_domain(), y1 = single->make_range(11),
                 x1 = single->make_domain();
  group->upload(random_values(y->count()), *y);
  one->upload(random_values(y->count()), *y1);
  split->back(*y, *x, split->all(), Write::overwrite);
  single->back(*y1, *x1, single->all(), Write::overwrite);
  CHECK(difference(downloaded(*one, *x1), downloaded(*group, *x)) < 1e-6);
}

}  // namespace several_devices_test
