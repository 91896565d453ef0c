// Chooses the kernel that transposes a scan's projection, and holds its tables on the device.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <backlit/geometry/quarter_turns.hpp>
#include "cuda/device/kept_table.hpp"
#include "cuda/device/layered_textures.hpp"
#include "cuda/joseph/gather.hpp"
#include "cuda/shared/projected_views.hpp"

namespace backlit::cuda {

/// The transpose of Joseph's projection. Columns along z are gathered column by column, other flat detectors pixel by
/// pixel. Tilted curved detectors, and sources within the grid, use the table of all rays. Groups of quarter turns in
/// fp16 are gathered four at a time. Tables and copies of views are made at first use.
class Transpose {
 public:
  /// `axes` as in column_rays(). The referenced objects must outlive this.
  Transpose(Stream&, const VolumeGrid&, const Scan&, ProjectedViews&, std::vector<int> axes);

  /// Takes over the views of a scan with as many views and pixels, as ProjectedViews has them now.
  void place(const Scan&);

  /// "transposed by columns", "by pixels" or "by the table of rays", and why.
  std::string variant() const;

  /// volume = A' y or volume += A' y, from the given rows of `projections`.
  void back(const float* projections, const SubsetRows&, float* volume, bool accumulate);
  /// The same for groups of quarter turns; the stacks of their first views are along x. `first_views`: scan indices of
  /// these. `values`: number of values in `projections`, for the unit of fp16.
  void back_packed(const float* projections, std::int64_t values, std::span<const ProjectedView> groups,
                   std::span<const int> first_views, float* volume, bool accumulate);
  /// SART's correction of one subset, voxel = max(voxel + factor A'y / A'1, least), in one pass. Returns false where
  /// the transpose is not by columns, or the subset has more than a few views.
  bool relax(const float* projections, const SubsetRows&, float* volume, float factor, float least);

 private:
  enum class Kernel { columns, flat, table };
  template <class Run>
  void for_batches(const float* projections, const SubsetRows&, Run&&);
  void make_columns();
  void make_flat();
  GatherTask task(std::span<const int> items);
  GatherTask task(const int* items, std::int64_t count) const;  ///< items on the device
  FlatTask flat_task(const int* items, std::int64_t count) const;
  GatheredVolume target(float* volume, bool accumulate) const;
  PathTable path_table();
  float longest() const;  ///< mm, longest part in a slice's slab of a ray that meets the grid

  Stream& stream_;
  VolumeGrid grid_;
  Scan scan_;
  ProjectedViews& views_;
  std::vector<int> axes_;
  std::string refusal_;  ///< reason why columns are not gathered
  Kernel kernel_ = Kernel::table;
  bool has_columns_ = false, has_flat_ = false;  ///< the device has the tables of the present views
  ColumnRays columns_;                           ///< without its lists, which are on the device
  DeviceBuffer<ColumnRayView> column_views_;
  DeviceBuffer<ColumnRay> column_rays_;
  DeviceBuffer<FlatView> flat_views_;
  KeptTable<int> items_;
  DeviceBuffer<float> weighed_;
  std::unique_ptr<LayeredTextures> packed_;
  DeviceBuffer<float4> places_;
  DeviceBuffer<float2> lengths_, starts_;
};

}  // namespace backlit::cuda
