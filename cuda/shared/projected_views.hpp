// The views of a ray-driven operator, prepared once, and tasks for some of them.
#pragma once

#include <span>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "cuda/device/kept_table.hpp"
#include "cuda/joseph/kernels.hpp"

namespace backlit::cuda {

class ProjectedViews {
 public:
  /// `axes` = [view] the stack that all its rays go through; empty: each ray uses its own main axis.
  ProjectedViews(Stream&, const VolumeGrid&, const Scan&, int views_per_block, std::span<const int> axes = {});

  /// Replaces the views by those of a scan with as many views and pixels.
  void place(const Scan&, std::span<const int> axes = {});

  std::int64_t count() const { return static_cast<std::int64_t>(views_.size()); }
  const std::vector<ProjectedView>& all() const { return views_; }
  /// Whether a source lies within the grid.
  bool clipped() const { return clipped_; }

  /// The views of the rows, with their places in the rows' array.
  std::vector<ProjectedView> of(const SubsetRows&) const;
  /// Puts the views on the device, where the next task of the same table replaces them. Views that are already there
  /// are not copied again: callers that alternate use different tables.
  ProjectionTask task(float* projections, const std::vector<ProjectedView>&, std::size_t table = 0);
  static constexpr std::size_t tables = 4;

 private:
  Stream& stream_;
  VolumeGrid grid_;
  Detector detector_;
  int views_per_block_;
  std::vector<ProjectedView> views_;
  bool clipped_ = false;
  KeptTable<ProjectedView> tables_[tables];
};

}  // namespace backlit::cuda
