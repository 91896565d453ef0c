#include "large/several_devices_fdk.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <backlit/device/backend.hpp>
#include "large/device_shares.hpp"

namespace backlit {
namespace {

class SplitFdk final : public FdkPipeline {
 public:
  struct Part {
    Backend* device;
    Run slices;
    std::unique_ptr<FdkPipeline> pipeline;
  };

  SplitFdk(std::vector<Part> parts, std::int64_t slice) : parts_(std::move(parts)), slice_(slice) {}
  ~SplitFdk() override {
    each([](Part& p) { p.pipeline.reset(); });
  }
  SplitFdk(const SplitFdk&) = delete;
  SplitFdk& operator=(const SplitFdk&) = delete;

  const std::vector<std::vector<std::int64_t>>& batches() const override { return first().batches(); }
  std::int64_t view_bytes() const override { return first().view_bytes(); }

  std::span<std::byte> staging(std::int64_t n) override {
    wait_for_staging(n);
    return first().staging(n);
  }
  void wait_for_staging(std::int64_t n) override {
    each([&](Part& p) { p.pipeline->wait_for_staging(n); });
  }
  void begin(std::span<float> volume) override {
    each([&](Part& p) {
      p.pipeline->begin(volume.subspan(static_cast<std::size_t>(p.slices.first * slice_),
                                       static_cast<std::size_t>(p.slices.count * slice_)));
    });
  }
  void give(std::int64_t n, std::span<const std::byte* const> views) override {
    each([&](Part& p) { p.pipeline->give(n, views); });
  }
  const DeviceArray* volume() override { return nullptr; }
  void send_down() override {
    each([](Part& p) { p.pipeline->send_down(); });
  }
  void finish() override {
    send_down();  // starts the download on all devices before waiting for one
    each([](Part& p) { p.pipeline->finish(); });
  }
  /// All devices have the same views, so the first one's faults are those of all.
  Faults faults() override {
    parts_.front().device->activate();
    return first().faults();
  }

  Timeline timeline() override {
    Timeline all;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].device->activate();
      for (TimeSpan& span : parts_[i].pipeline->timeline()) {
        span.lane += fmt::format(", device {}", i);
        all.push_back(std::move(span));
      }
    }
    parts_.front().device->activate();
    return all;
  }

  std::string variant() const override {
    std::vector<std::int64_t> slices;
    for (const Part& p : parts_) slices.push_back(p.slices.count);
    return fmt::format("{}, {} devices ({} slices)", first().variant(), parts_.size(), fmt::join(slices, " + "));
  }

 private:
  FdkPipeline& first() const { return *parts_.front().pipeline; }
  /// Calls work(part) with the part's device active. Afterwards the first device is active.
  template <class Work>
  void each(Work&& work) {
    for (std::size_t i = parts_.size(); i-- > 0;) {
      parts_[i].device->activate();
      work(parts_[i]);
    }
  }

  std::vector<Part> parts_;
  std::int64_t slice_;  ///< voxels of a slice
};

}  // namespace

std::unique_ptr<FdkPipeline> make_split_fdk(const std::vector<Backend*>& devices, const Scan& scan,
                                            const VolumeGrid& grid, const FdkPipelineOptions& options) {
  const DeviceShares shares = share_by_speed(devices, grid, scan, options.ct);
  std::vector<SplitFdk::Part> parts;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (shares.slices[i].count == 0) continue;
    FdkPipelineOptions own = options;
    own.first_slice = shares.slices[i].first;
    own.slice_count = shares.slices[i].count;
    devices[i]->activate();
    parts.push_back({devices[i], shares.slices[i], devices[i]->make_fdk_pipeline(scan, grid, own)});
    if (!parts.back().pipeline) break;
  }
  devices.front()->activate();
  if (!parts.back().pipeline) return nullptr;
  return std::make_unique<SplitFdk>(std::move(parts), grid.size[0] * grid.size[1]);
}

}  // namespace backlit
