// Line integrals by bilinear interpolation in slices (see projector/slice_steps.hpp), and their exact transpose.
#pragma once

#include <vector>

#include "backend/cpu/cpu_operator.hpp"
#include "projector/ray.hpp"
#include "projector/slice_steps.hpp"

namespace backlit {

class CpuSliceInterpolated final : public CpuCtOperator {
 public:
  CpuSliceInterpolated(const VolumeGrid&, const Scan&);
  std::string variant() const override { return "slice_interpolated double"; }

 private:
  void add_forward(const double* volume, double* projections, const SubsetRows&) override;
  void add_back(const double* projections, double* volume, const SubsetRows&) override;
  void fill_rays(std::int64_t view);

  std::vector<RayFrame<double>> frames_;
  std::vector<VoxelBox> slabs_;    ///< disjoint parts of the grid, written by one thread each
  std::vector<Ray<double>> rays_;  ///< of the view that back() works on
};

}  // namespace backlit
