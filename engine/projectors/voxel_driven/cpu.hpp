// Voxel-driven backprojection: each voxel's centre is projected and the view sampled there, bilinearly or at the
// nearest pixel.
#pragma once

#include <string>
#include <vector>

#include <backlit/core/index_range.hpp>
#include <backlit/projectors/ct_options.hpp>
#include "geometry/view_map.hpp"
#include "projectors/shared/cpu/cpu_operator.hpp"

namespace backlit {

/// back() sums the samples unweighted (Weighting::none) or times (R / depth)^2 (Weighting::fdk). forward() is its exact
/// transpose, a splat of voxels, and no line integral: methods that compare with measured data need another model.
class CpuVoxelDriven final : public CpuCtOperator {
 public:
  CpuVoxelDriven(const VolumeGrid&, const Scan&, Weighting, Interpolation);
  /// Slices of the grid from rows of the detector, with the coordinates that they have in the whole: voxels that see no
  /// other rows get the same bits.
  CpuVoxelDriven(const VolumeGrid&, const Scan&, Weighting, Interpolation, const IndexRange& slices,
                 const IndexRange& rows);

  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  bool matched() const override { return weighting_ == Weighting::none; }
  std::string variant() const override {
    return nearest_ ? "voxel_driven double, interpolation=nearest" : "voxel_driven double";
  }

 private:
  void add_forward(const double* volume, double* projections, const SubsetRows&) override;
  void add_back(const double* projections, double* volume, const SubsetRows&) override;

  void add_columns(const double* projections, double* volume, const SubsetRows& rows);
  bool find(const ViewMap<double>&, std::int64_t i, std::int64_t j, std::int64_t k, DetectorPosition<double>&) const;

  Weighting weighting_;
  bool nearest_, by_columns_;
  std::int64_t first_slice_, first_row_;
  std::vector<ViewMap<double>> maps_;  ///< from voxel indices
  std::vector<double> axis_distance_;
};

}  // namespace backlit
