// Blobs in double precision: the reference.
#include "projectors/blob/blob.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/cpu/ray_driven.hpp"

namespace backlit {
namespace {

class Blob final : public CpuRayDriven {
 public:
  using CpuRayDriven::CpuRayDriven;
  std::string variant() const override { return "blob double"; }

 private:
  double sum(const Ray<double>& ray, std::int64_t /*view*/, const double* volume) const override {
    return sum_blobs(blob_steps(ray, box_), volume);
  }
  void spread(const Ray<double>& ray, std::int64_t /*view*/, const VoxelBox& part, double* volume,
              double amount) const override {
    spread_blobs(blob_steps(ray, part), volume, amount);
  }
};

}  // namespace

ProjectorInfo blob_cpu() {
  ProjectorInfo info;
  info.model = Model::blob;
  info.device = "cpu";
  info.precisions = {Precision::exact, Precision::fast};
  info.make = [](Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions&) {
    return std::make_unique<Blob>(grid, scan);
  };
  return info;
}

}  // namespace backlit
