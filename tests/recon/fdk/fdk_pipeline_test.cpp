// What surrounds a device's FDK pipeline: several devices that share one, and recon's feeding it with counts. Fakes
// stand in for devices.
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <set>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "large/large_backend.hpp"
#include "large/several_devices_fdk.hpp"
#include "recon/fdk/fdk_schedule.hpp"

using namespace backlit;

namespace fdk_pipeline_test {
namespace {

using Log = std::vector<std::string>;

/// "Reconstructs" slice k to k plus the sum of all values given; of counts, to 1000 times as much.
class FakePipeline final : public FdkPipeline {
 public:
  FakePipeline(const Scan& scan, const VolumeGrid& grid, const FdkPipelineOptions& o, std::string name, Log& log,
               std::int64_t unfilled, std::int64_t slab)
      : pixels_(scan.detector.pixels()),
        slice_(grid.size[0] * grid.size[1]),
        slices_(o.slice_count > 0 ? Run{o.first_slice, o.slice_count} : Run{0, grid.size[2]}),
        counts_(o.counts != nullptr),
        name_(std::move(name)),
        log_(log),
        unfilled_(counts_ ? unfilled : 0),
        slab_(slab),
        room_(static_cast<std::size_t>(3 * view_bytes())) {
    for (std::int64_t v = 0; v < scan.view_count(); v += 3) {
      auto& batch = batches_.emplace_back(static_cast<std::size_t>(std::min<std::int64_t>(3, scan.view_count() - v)));
      std::iota(batch.rbegin(), batch.rend(), v);  // not in the scan's order
    }
  }
  const std::vector<std::vector<std::int64_t>>& batches() const override { return batches_; }
  std::int64_t view_bytes() const override { return pixels_ * (counts_ ? 2 : 4); }
  std::span<std::byte> staging(std::int64_t n) override {
    wait_for_staging(n);
    return room_;
  }
  void wait_for_staging(std::int64_t) override { log_.push_back("wait " + name_); }
  void begin(std::span<float> volume) override {
    host_ = volume;
    sum_ = 0;
    finished_ = 0;
  }
  void give(std::int64_t n, std::span<const std::byte* const> views) override {
    REQUIRE(views.size() == batches_[static_cast<std::size_t>(n)].size());
    for (std::size_t i = 0; i < views.size(); ++i)  // a view's values tell which it is
      CHECK(value(views[i], 0) == static_cast<float>(batches_[static_cast<std::size_t>(n)][i] + 1));
    for (const std::byte* view : views)
      for (std::int64_t p = 0; p < pixels_; ++p) sum_ += value(view, p);
  }
  const DeviceArray* volume() override { return nullptr; }
  void send_down() override { log_.push_back("down " + name_); }
  void finish() override {
    log_.push_back("finish " + name_);
    REQUIRE(static_cast<std::int64_t>(host_.size()) == slices_.count * slice_);
    finished_ = 0;  // views may have come since
    make_slices(slices_.count);
  }
  std::int64_t slab_slices() const override { return slab_; }
  void finish_slices(std::int64_t end) override {
    while (slab_ > 0 && finished_ < end) make_slices(std::min(finished_ + slab_, slices_.count));
  }
  Faults faults() override { return {{0, 2, 0, 0, 0, 0, 0}, unfilled_}; }
  Timeline timeline() override { return {{"upload", "all", 0, 1}}; }
  std::string variant() const override { return "fake"; }

 private:
  void make_slices(std::int64_t end) {
    for (std::int64_t i = finished_ * slice_; i < end * slice_; ++i)
      host_[static_cast<std::size_t>(i)] = static_cast<float>(slices_.first + i / slice_) + (counts_ ? 1000 : 1) * sum_;
    finished_ = end;
  }
  float value(const std::byte* view, std::int64_t pixel) const {
    if (counts_) return reinterpret_cast<const std::uint16_t*>(view)[pixel];
    return reinterpret_cast<const float*>(view)[pixel];
  }

  std::int64_t pixels_, slice_;
  Run slices_;
  bool counts_;
  std::string name_;
  Log& log_;
  std::int64_t unfilled_, slab_, finished_ = 0;
  std::vector<std::byte> room_;
  std::vector<std::vector<std::int64_t>> batches_;
  std::span<float> host_;
  float sum_ = 0;
};

class FakeDevice final : public CpuBackend {
 public:
  explicit FakeDevice(std::string name, Log& log, bool able = true, std::int64_t unfilled = 0, std::int64_t slab = 0)
      : CpuBackend({}), name_(std::move(name)), log_(log), able_(able), unfilled_(unfilled), slab_(slab) {}
  std::unique_ptr<FdkPipeline> make_fdk_pipeline(const Scan& scan, const VolumeGrid& grid,
                                                 const FdkPipelineOptions& options) override {
    if (!able_) return nullptr;
    return std::make_unique<FakePipeline>(scan, grid, options, name_, log_, unfilled_, slab_);
  }

 private:
  std::string name_;
  Log& log_;
  bool able_;
  std::int64_t unfilled_, slab_;
};

const Detector detector{7, 3, 10, 10};
const VolumeGrid grid{{5, 4, 50}, {2, 2, 1}, {0, 0, 0}};
Scan scan() { return {detector, circular_views(detector, equal_angles(7), 200, 300)}; }

/// Every value of view n is n + 1.
class Numbered final : public ProjectionSource {
 public:
  explicit Numbered(bool counts) : counts_(counts), scan_(fdk_pipeline_test::scan()) {}
  const Scan& scan() const override { return scan_; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override { fill(first, count, out); }
  bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) override {
    if (counts_) fill(first, count, out);
    return counts_;
  }
  const CountScale* count_scale() const override { return counts_ ? &scale_ : nullptr; }
  void note_replaced(std::int64_t view, std::int64_t readings) override {
    if (readings > 0) noted.emplace_back(view, readings);
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> noted;

 private:
  template <class T>
  void fill(std::int64_t first, std::int64_t count, std::span<T> out) {
    for (std::int64_t i = 0; i < count * detector.pixels(); ++i)
      out[static_cast<std::size_t>(i)] = static_cast<T>(first + i / detector.pixels() + 1);
  }
  bool counts_;
  Scan scan_;
  CountScale scale_;
};

constexpr float sum_of_all = 21 * 28;  // pixels times 1 + ... + 7

}  // namespace

TEST_CASE("FDK on several devices puts each one's slices where they belong") {
  Log log;
  FakeDevice a("a", log), b("b", log), c("c", log);
  const auto pipeline = make_split_fdk({&a, &b, &c}, scan(), grid, {});
  REQUIRE(pipeline);
  // A device that was measured to be slow, on a busy machine say, may get nothing.
  const std::size_t parts = pipeline->timeline().size();
  REQUIRE(parts > 0);
  CHECK(pipeline->variant().find(std::to_string(parts) + " devices") != std::string::npos);
  Numbered views(false);
  std::vector<float> values(static_cast<std::size_t>(7 * detector.pixels())),
      volume(static_cast<std::size_t>(grid.voxels()));
  views.read(0, 7, values);
  pipeline->begin(volume);
  for (std::size_t n = 0; n < pipeline->batches().size(); ++n) {
    log.clear();
    const auto room = pipeline->staging(static_cast<std::int64_t>(n));
    CHECK(std::set<std::string>(log.begin(), log.end()).size() == parts);  // all wait: each may still read from it
    std::vector<const std::byte*> places;
    for (std::int64_t view : pipeline->batches()[n]) {
      std::byte* place = room.data() + static_cast<std::int64_t>(places.size()) * pipeline->view_bytes();
      std::memcpy(place, values.data() + view * detector.pixels(), static_cast<std::size_t>(pipeline->view_bytes()));
      places.push_back(place);
    }
    pipeline->give(static_cast<std::int64_t>(n), places);
  }
  log.clear();
  pipeline->finish();
  for (std::size_t i = 0; i < parts; ++i) {  // all work at the same time
    CHECK(log[i].starts_with("down"));
    CHECK(log[parts + i].starts_with("finish"));
  }
  for (std::int64_t i = 0; i < grid.voxels(); ++i)
    REQUIRE(volume[static_cast<std::size_t>(i)] == static_cast<float>(i / 20) + sum_of_all);
  CHECK(pipeline->faults().replaced[1] == 2);
  CHECK(pipeline->timeline().back().lane == "upload, device " + std::to_string(parts - 1));
}

TEST_CASE("FDK is not split where a device has no pipeline") {
  Log log;
  FakeDevice a("a", log), b("b", log, false);
  CHECK_FALSE(make_split_fdk({&a, &b}, scan(), grid, {}));
}

TEST_CASE("recon gives counts where there are some, and line integrals where the device leaves holes") {
  Log log;
  for (const bool counts : {false, true})
    for (const std::int64_t unfilled : {0, 1}) {
      FakeDevice device("a", log, true, unfilled);
      const auto source = std::make_shared<Numbered>(counts);
      const auto recon = make_reconstruction(device, source, grid, Method("fdk"));
      while (recon->step() != Reconstruction::Status::finished) {
      }
      const bool corrected_there = counts && unfilled == 0;
      CHECK((recon->variant() == "fake, counts corrected on the device") == corrected_there);
      CHECK(recon->progress().done == 7);
      const Volume volume = recon->download();
      CHECK(volume.values[45] == 2 + (corrected_there ? 1000 : 1) * sum_of_all);
      CHECK(source->noted.size() == (corrected_there ? 1 : 0));
      if (corrected_there) CHECK(source->noted.front() == std::pair<std::int64_t, std::int64_t>{1, 2});
    }
}

TEST_CASE("a volume that a pipeline brings to the host slab by slab is given in slices as they are finished") {
  Log log;
  LargeBackend backend(std::make_unique<FakeDevice>("a", log, true, 0, 16));
  const auto run = make_reconstruction(backend, std::make_shared<Numbered>(false), grid, Method("fdk"));
  while (run->step() != Reconstruction::Status::finished) continue;
  CHECK(run->slab_slices() == 16);
  const DeviceArray* const volume = run->unfinished_volume();
  REQUIRE(volume);
  const auto slice = [&](std::int64_t z) {
    std::vector<float> values(static_cast<std::size_t>(grid.size[0] * grid.size[1]));
    REQUIRE(backend.download_rows(*volume, z, values));
    return values.back();
  };
  run->finish_slices(17);
  const float sum = slice(0);
  CHECK(sum > 0);
  CHECK(slice(31) == sum + 31);
  CHECK(slice(32) == 0);  // not made yet
  run->finish_slices(50);
  CHECK(slice(49) == sum + 49);
  CHECK(run->download().values[grid.voxels() - 1] == sum + 49);
  // Of a pipeline that brings all slices at once there is nothing to give before.
  LargeBackend other(std::make_unique<FakeDevice>("b", log));
  const auto whole = make_reconstruction(other, std::make_shared<Numbered>(false), grid, Method("fdk"));
  while (whole->step() != Reconstruction::Status::finished) continue;
  CHECK_FALSE(whole->unfinished_volume());
}

}  // namespace fdk_pipeline_test
