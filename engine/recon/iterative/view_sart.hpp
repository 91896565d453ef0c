// SART with the volume corrected in place, one view after the other (backlit/projectors/sart_in_place/view_sart.hpp).
#pragma once

#include <vector>

#include <backlit/recon/methods/sart_in_place.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/stopwatch.hpp>
#include "recon/batch_size.hpp"

namespace backlit {

/// There is no second volume: download() gives the present volume, also in the middle of an iteration. The residual is
/// taken before each view's correction, so the first is near 1.
class ViewSartReconstruction final : public Reconstruction {
 public:
  ViewSartReconstruction(const ReconInput&, const SartInPlaceOptions&);

  Status step() override;
  ReconProgress progress() const override;
  std::span<const double> residuals() const override { return residuals_; }
  void publish(DisplayVolume& display) override { display.publish(sart_->linear(), grid_); }
  Volume download() override;
  const StageSeconds& seconds() const override { return seconds_; }
  std::string variant() const override { return sart_->variant(); }
  std::int64_t volume_bytes() const override { return sart_->volume_bytes(); }

 private:
  void read();
  void correct();

  std::shared_ptr<ProjectionSource> source_;
  VolumeGrid grid_;
  SartInPlaceOptions options_;
  std::unique_ptr<ViewSart> sart_;
  std::vector<std::int64_t> order_;
  BatchSize batch_;
  std::vector<float> host_;
  double data_square_ = 0;
  std::int64_t read_ = 0;  ///< views on the device
  std::int64_t done_ = 0;  ///< corrections
  std::vector<double> residuals_;
  StageSeconds seconds_;
};

}  // namespace backlit
