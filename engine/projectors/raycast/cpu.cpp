// Ray casting in double precision: the reference.
#include <algorithm>

#include "projectors/list.hpp"
#include "projectors/raycast/samples.hpp"
#include "projectors/shared/cpu/ray_driven.hpp"

namespace backlit {
namespace {

class Raycast final : public CpuRayDriven {
 public:
  Raycast(const VolumeGrid& grid, const Scan& scan, double step)
      : CpuRayDriven(grid, scan), step_(step * std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z})) {}
  std::string variant() const override { return "raycast double"; }

 private:
  double sum(const Ray<double>& ray, std::int64_t /*view*/, const double* volume) const override {
    return sum_samples(ray_samples(ray, box_.size, step_), volume, box_);
  }
  void spread(const Ray<double>& ray, std::int64_t /*view*/, const VoxelBox& part, double* volume,
              double amount) const override {
    spread_samples(ray_samples(ray, box_.size, step_), volume, part, amount);
  }

  double step_;  ///< mm
};

}  // namespace

ProjectorInfo raycast_cpu() {
  ProjectorInfo info;
  info.model = Model::raycast;
  info.device = "cpu";
  info.precisions = {Precision::exact, Precision::fast};
  info.options = {"step"};
  info.make = [](Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return std::make_unique<Raycast>(grid, scan, options.step);
  };
  return info;
}

}  // namespace backlit
