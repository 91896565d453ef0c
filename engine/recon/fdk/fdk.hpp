// Filtered backprojection: Feldkamp, Davis, Kress, J. Opt. Soc. Am. A 1 (1984) 612, for any list of views, fan and
// parallel beams included.
#pragma once

#include <backlit/recon/methods/fdk.hpp>
#include "recon/fdk/filtered_backprojection.hpp"

namespace backlit {

/// Reads, filters and backprojects views batch by batch.
class FdkReconstruction final : public Reconstruction {
 public:
  FdkReconstruction(const ReconInput&, const FdkOptions&);

  Status step() override;
  ReconProgress progress() const override;
  std::span<const double> residuals() const override { return {}; }
  void publish(DisplayVolume& display) override { display.publish(sum_.volume(), grid_); }
  Volume download() override;
  const DeviceArray* unfinished_volume() override { return sum_.complete() ? &sum_.unfinished() : &sum_.volume(); }
  void finish_slices(std::int64_t end) override { sum_.finish_slices(end); }
  std::int64_t slab_slices() override { return sum_.slab_slices(); }
  Timeline timeline() override { return spans_; }
  const StageSeconds& seconds() const override { return seconds_; }
  std::string variant() const override { return sum_.backprojector().variant(); }

 private:
  FdkReconstruction(const ReconInput&, const CtOptions&, const FilterOptions&);

  Backend& backend_;
  std::shared_ptr<ProjectionSource> source_;
  VolumeGrid grid_;
  StageSeconds seconds_;
  Timeline spans_;
  FilteredBackprojection sum_;
  std::vector<float> host_;  ///< one batch as read
};

}  // namespace backlit
