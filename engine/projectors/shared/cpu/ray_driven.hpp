// Line integrals along the ray of each pixel, and their exact transpose; a model defines the weights along a ray.
#pragma once

#include <memory>
#include <vector>

#include "projectors/joseph/slice_steps.hpp"
#include "projectors/shared/cpu/cpu_operator.hpp"
#include "projectors/shared/ray.hpp"

namespace backlit {

class CpuRayDriven : public CpuCtOperator {
 public:
  CpuRayDriven(const VolumeGrid&, const Scan&);

 protected:
  virtual double sum(const Ray<double>&, std::int64_t view, const double* volume) const = 0;
  /// Adds `amount` to the voxels of `part`, each by its share in sum().
  virtual void spread(const Ray<double>&, std::int64_t view, const VoxelBox& part, double* volume,
                      double amount) const = 0;

  const VoxelBox box_;  ///< the whole grid

 private:
  void add_forward(const double* volume, double* projections, const SubsetRows&) override;
  void add_back(const double* projections, double* volume, const SubsetRows&) override;
  void fill_rays(std::int64_t view);

  std::vector<RayFrame<double>> frames_;
  std::vector<VoxelBox> slabs_;    ///< disjoint parts of the grid; one thread writes each
  std::vector<Ray<double>> rays_;  ///< rays of the present view of back()
};

}  // namespace backlit
