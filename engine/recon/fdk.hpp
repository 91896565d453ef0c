// Filtered backprojection: Feldkamp, Davis, Kress, J. Opt. Soc. Am. A 1 (1984) 612, for any list of views, fan and
// parallel beams included.
#pragma once

#include "recon/batch_size.hpp"
#include "recon/reconstruction.hpp"
#include "recon/stopwatch.hpp"

namespace backlit {

/// Streams views from the source to the volume; holds one batch of them, or all where the operator wants them together
/// and they fit.
class FdkReconstruction final : public Reconstruction {
 public:
  FdkReconstruction(Backend&, std::shared_ptr<ProjectionSource>, const VolumeGrid&, const ReconOptions&);

  Status step() override;
  ReconProgress progress() const override;
  std::span<const double> residuals() const override { return {}; }
  void publish(DisplayVolume& display) override;
  Volume download() override;
  const StageSeconds& seconds() const override { return seconds_; }
  std::string variant() const override { return operator_->variant(); }

 private:
  /// Brings the volume up to the views so far, where they are collected before they are backprojected.
  void catch_up();

  Backend& backend_;
  std::shared_ptr<ProjectionSource> source_;
  VolumeGrid grid_;
  std::unique_ptr<LinearOperator> operator_;
  std::unique_ptr<ProjectionFilter> filter_;
  ArrayPtr volume_;
  ArrayPtr whole_;           ///< all views on the device; null where they go through in batches
  ArrayPtr filtered_;        ///< one batch on the device
  std::vector<float> host_;  ///< one batch as read
  BatchSize batch_;
  std::int64_t done_ = 0;       ///< views
  std::int64_t in_volume_ = 0;  ///< of those, views that the volume holds already
  StageSeconds seconds_;
};

}  // namespace backlit
