#include "recon/fdk/grouped_fdk.hpp"

#include <fmt/format.h>

#include <utility>

#include <backlit/core/device_failure.hpp>
#include <backlit/recon/stopwatch.hpp>
#include "device/shared_arrays.hpp"

namespace backlit {
namespace {

class GroupedFdk final : public Reconstruction {
 public:
  GroupedFdk(std::unique_ptr<SharedSlab> slab, std::unique_ptr<Reconstruction> own)
      : slab_(std::move(slab)), own_(std::move(own)) {}

  Status step() override {
    slab_->check();
    return own_->step();
  }
  ReconProgress progress() const override { return own_->progress(); }
  std::span<const double> residuals() const override { return {}; }
  /// What this rank adds to its slab.
  void publish(DisplayVolume& display) override { own_->publish(display); }
  Volume download() override {
    const Volume own = own_->download();
    seconds_ = own_->seconds();
    const Stopwatch watch(seconds_, "reduce");
    return slab_->add_up(own);
  }
  /// The sum, where cards add it up: made once, by all ranks, after the last step.
  const DeviceArray* unfinished_volume() override {
    if (std::exchange(asked_, true)) return sum_.get();
    try {
      const DeviceArray* const own = own_->device_volume();
      StageSeconds seconds = own_->seconds();
      {
        const Stopwatch watch(seconds, "reduce");
        sum_ = slab_->add_up(own);
      }
      if (sum_) seconds_ = std::move(seconds);
    } catch (const DeviceFailure& failure) {  // other ranks wait for this one, so it may not go on elsewhere
      throw Failure("the sum of a slab", failure.what());
    }
    return sum_.get();
  }
  std::optional<VolumeGrid> device_grid() const override { return slab_->summed(); }
  const StageSeconds& seconds() const override { return seconds_.empty() ? own_->seconds() : seconds_; }
  Timeline timeline() override { return own_->timeline(); }
  std::string variant() const override {
    return fmt::format("{}, views shared by {} ranks", own_->variant(), slab_->ranks());
  }

 private:
  std::unique_ptr<SharedSlab> slab_;
  std::unique_ptr<Reconstruction> own_;
  StageSeconds seconds_;  ///< once the slab is added up
  bool asked_ = false;    ///< for the sum on the card
  ArrayPtr sum_;
};

}  // namespace

std::unique_ptr<Reconstruction> make_grouped_fdk(const ReconInput& input, const FdkOptions& options,
                                                 const MakeFdk& make) {
  auto slab = shared_slab(input.backend, input.source, input.grid);
  if (!slab) return nullptr;
  const Scan& scan = input.source->scan();
  FdkOptions own = options;
  own.filter.whole = std::make_shared<const Scan>(scan);
  auto share = make({own_device(input.backend, input.grid, scan), slab->source(), slab->grid(), input.method}, own);
  return std::make_unique<GroupedFdk>(std::move(slab), std::move(share));
}

}  // namespace backlit
