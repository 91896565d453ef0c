// Siddon's method in double precision: the reference.
#include "projectors/list.hpp"
#include "projectors/shared/cpu/ray_driven.hpp"
#include "projectors/siddon/box_lengths.hpp"

namespace backlit {
namespace {

class Siddon final : public CpuRayDriven {
 public:
  using CpuRayDriven::CpuRayDriven;
  std::string variant() const override { return "siddon double"; }

 private:
  double sum(const Ray<double>& ray, std::int64_t /*view*/, const double* volume) const override {
    return sum_boxes(slice_steps(ray, box_), volume);
  }
  void spread(const Ray<double>& ray, std::int64_t /*view*/, const VoxelBox& part, double* volume,
              double amount) const override {
    spread_boxes(slice_steps(ray, part), volume, amount);
  }
};

}  // namespace

ProjectorInfo siddon_cpu() {
  ProjectorInfo info;
  info.model = Model::siddon;
  info.device = "cpu";
  info.precisions = {Precision::exact, Precision::fast};
  info.make = [](Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions&) {
    return std::make_unique<Siddon>(grid, scan);
  };
  return info;
}

}  // namespace backlit
