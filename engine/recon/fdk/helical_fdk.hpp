// Weighted helical filtered backprojection: FDK's filter and backprojection along a helix. Each slice is computed from
// about a turn of views around it. Wang, Lin, Cheng and Shinozaki, IEEE Trans. Med. Imaging 12 (1993) 486.
#pragma once

#include <optional>

#include <backlit/core/index_range.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include <backlit/recon/methods/helical_fdk.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/stopwatch.hpp>

namespace backlit {

/// Views within 3/8 of a turn of a slice count fully. Views between 3/8 and 5/8 of a turn fade out, so that the weights
/// of views a turn apart add up to 1. Rays beyond the detector's rows take the value of the nearest row: values that
/// the pitch leaves unmeasured are extrapolated. The error of this approximation grows with the cone angle; it is a
/// start for iterations. Slices less than 5/8 of a turn from an end of the helix lack views and are darker. Views that
/// count in no slice of the grid are not read. Of ranks each makes its slab alone.
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
  const DeviceArray* unfinished_volume() override { return volume_.get(); }
  const StageSeconds& seconds() const override { return seconds_; }
  std::string variant() const override { return operator_->variant(); }

 private:
  /// The view `away` turns before (side -1) or after (1) the source passes the slice at z; it may not exist.
  std::int64_t view_at(double z, double side, double away) const;
  IndexRange views_of_slices() const;
  void filter_next();
  void reconstruct_next();
  /// Backprojects those of the views [first, last) that exist in the scan.
  void add(std::int64_t first, std::int64_t last);

  Backend& backend_;
  std::shared_ptr<ProjectionSource> source_;
  VolumeGrid grid_, slab_grid_;
  CtOptions ct_;
  StageSeconds seconds_;
  std::int64_t turn_ = 0;                     ///< views of a turn
  double first_z_ = 0;                        ///< of the source in view 0, jumps apart, mm
  double travel_ = 0;                         ///< mm from a view to the next
  IndexRange views_;                          ///< of the source that count in the grid's slices
  std::int64_t extra_rows_ = 0;               ///< above and below the detector, for extrapolation
  Scan scan_;                                 ///< these views with the extra rows
  std::unique_ptr<ProjectionFilter> filter_;  ///< of one turn
  std::unique_ptr<LinearOperator> operator_;  ///< onto a slab
  ArrayPtr filtered_, slab_;
  ArrayPtr volume_;                ///< collects the slices on the device,
  std::optional<Volume> in_host_;  ///< or on the host if the device has no room
  std::int64_t views_done_ = 0, slices_done_ = 0;
};

}  // namespace backlit
