// Weighted helical filtered backprojection: FDK's filter and backprojection along a helix, slice by slice from a turn
// of views about it. Wang, Lin, Cheng and Shinozaki, IEEE Trans. Med. Imaging 12 (1993) 486.
#pragma once

#include <optional>

#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include <backlit/recon/methods/helical_fdk.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/stopwatch.hpp>

namespace backlit {

/// Views within half a turn of a slice count fully, those between 3/8 and 5/8 of a turn fade out so that views a turn
/// apart add up to 1. Rays that leave the detector's rows take the nearest row's: what the pitch leaves unmeasured is
/// extrapolated. An approximation whose error grows with the cone angle; a start for iterations. Slices that lie less
/// than 5/8 of a turn from an end of the helix lack views and are darker.
class HelicalFdk final : public Reconstruction {
 public:
  /// Throws InputError unless views follow one helix about z in equal steps, to 1 % of a turn, a turn being a whole
  /// number of views. Focal spots may jump: every view is backprojected from where its spot was.
  HelicalFdk(const ReconInput&, const FilteredOptions&);

  Status step() override;
  ReconProgress progress() const override;
  std::span<const double> residuals() const override { return {}; }
  void publish(DisplayVolume&) override;
  Volume download() override;
  const StageSeconds& seconds() const override { return seconds_; }
  std::string variant() const override { return operator_->variant(); }

 private:
  void filter_next();
  void reconstruct_next();
  /// The views [first, last) that lie in the scan.
  void add(std::int64_t first, std::int64_t last);

  Backend& backend_;
  std::shared_ptr<ProjectionSource> source_;
  VolumeGrid grid_, slab_grid_;
  CtOptions ct_;
  StageSeconds seconds_;
  std::int64_t turn_ = 0;                     ///< views of a turn
  double first_z_ = 0;                        ///< of the source in view 0, jumps apart, mm
  double travel_ = 0;                         ///< mm from a view to the next
  std::int64_t extra_rows_ = 0;               ///< above and below the detector, for extrapolation
  Scan scan_;                                 ///< with the extra rows
  std::unique_ptr<ProjectionFilter> filter_;  ///< of one turn
  std::unique_ptr<LinearOperator> operator_;  ///< onto a slab
  ArrayPtr filtered_, slab_;
  ArrayPtr volume_;                ///< where slices are collected: on the device,
  std::optional<Volume> in_host_;  ///< or where that has no room
  std::int64_t views_done_ = 0, slices_done_ = 0;
};

}  // namespace backlit
