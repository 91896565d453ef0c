// Iterative FDK: projects the volume and adds FDK of the difference from the data.
#pragma once

#include <backlit/recon/methods/iterative_fdk.hpp>
#include "recon/fdk/filtered_backprojection.hpp"

namespace backlit {

/// The first iteration is f <- FDK(p). The next ones, f <- f + relaxation FDK(p - A f), reduce errors from a cone beam,
/// few views or a window of the ramp (Nalcioglu and Cho, IEEE Trans. Nucl. Sci. 25 (1978) 1086, for filtered
/// backprojection; Zeng and Gullberg, IEEE Trans. Med. Imaging 19 (2000) 548, for backprojectors that are no
/// transpose). A is the model of the options (joseph), the backprojector is FDK's. The iteration minimises nothing:
/// noise grows with the iterations, and the volume must contain the whole object. Views are read again in every
/// iteration.
class IterativeFdk final : public Reconstruction {
 public:
  /// Throws InputError for views that are filtered already or differential.
  IterativeFdk(const ReconInput&, const IterativeFdkOptions&);

  Status step() override;
  ReconProgress progress() const override;
  std::span<const double> residuals() const override { return residuals_; }
  void publish(DisplayVolume& display) override {
    display.publish(residuals_.empty() ? change_.volume() : *volume_, grid_);
  }
  Volume download() override;
  const DeviceArray* unfinished_volume() override { return volume_.get(); }
  const StageSeconds& seconds() const override { return seconds_; }
  std::string variant() const override;

 private:
  /// Computes views [first, first + count) of p - A f in host_.
  void read_residual(std::int64_t first, std::int64_t count);
  Status end_iteration();

  Backend& backend_;
  std::shared_ptr<ProjectionSource> source_;
  VolumeGrid grid_;
  IterativeFdkOptions options_;
  StageSeconds seconds_;
  FilteredBackprojection change_;
  std::unique_ptr<LinearOperator> projector_;
  ArrayPtr volume_;                      ///< f of the last finished iteration
  ArrayPtr batch_;                       ///< A f for some views
  std::vector<float> host_, projected_;  ///< on the host: the residual; A f
  double data_square_ = 0, residual_square_ = 0;
  std::vector<double> residuals_;
};

}  // namespace backlit
