// The models that say what a ray sees, each by the header of projector/ that defines it.
#include <algorithm>

#include <backlit/device/unsupported.hpp>
#include "projectors/blob/blob.hpp"
#include "projectors/joseph/main_axes.hpp"
#include "projectors/raycast/samples.hpp"
#include "projectors/shared/cpu/ray_driven.hpp"
#include "projectors/siddon/box_lengths.hpp"

namespace backlit {
namespace {

class SliceInterpolated final : public CpuRayDriven {
 public:
  using CpuRayDriven::CpuRayDriven;
  std::string variant() const override { return "slice_interpolated double"; }

 private:
  double sum(const Ray<double>& ray, std::int64_t /*view*/, const double* volume) const override {
    return sum_slices(slice_steps(ray, box_), volume);
  }
  void spread(const Ray<double>& ray, std::int64_t /*view*/, const VoxelBox& part, double* volume,
              double amount) const override {
    spread_slices(slice_steps(ray, part), volume, amount);
  }
};

/// All rays of a view through the stack most parallel to the detector. What is too steep for it misses the grid.
class SliceInterpolatedByView final : public CpuRayDriven {
 public:
  SliceInterpolatedByView(const VolumeGrid& grid, const Scan& scan)
      : CpuRayDriven(grid, scan), axes_(view_axes(scan, grid)) {}
  std::string variant() const override { return "slice_interpolated double, stack=view"; }

 private:
  double sum(const Ray<double>& ray, std::int64_t view, const double* volume) const override {
    const int axis = axes_[static_cast<std::size_t>(view)];
    return too_steep(ray.direction, axis) ? 0 : sum_slices(slice_steps(ray, box_, axis), volume);
  }
  void spread(const Ray<double>& ray, std::int64_t view, const VoxelBox& part, double* volume,
              double amount) const override {
    const int axis = axes_[static_cast<std::size_t>(view)];
    if (!too_steep(ray.direction, axis)) spread_slices(slice_steps(ray, part, axis), volume, amount);
  }

  std::vector<int> axes_;  ///< [view]
};

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

class BoxLineIntegrated final : public CpuRayDriven {
 public:
  using CpuRayDriven::CpuRayDriven;
  std::string variant() const override { return "box_line_integrated double"; }

 private:
  double sum(const Ray<double>& ray, std::int64_t /*view*/, const double* volume) const override {
    return sum_boxes(slice_steps(ray, box_), volume);
  }
  void spread(const Ray<double>& ray, std::int64_t /*view*/, const VoxelBox& part, double* volume,
              double amount) const override {
    spread_boxes(slice_steps(ray, part), volume, amount);
  }
};

class Splat final : public CpuRayDriven {
 public:
  using CpuRayDriven::CpuRayDriven;
  std::string variant() const override { return "splat double"; }

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

std::unique_ptr<LinearOperator> make_cpu_ray_driven(const VolumeGrid& grid, const Scan& scan,
                                                    const CtOptions& options) {
  require_sound(grid, options);
  switch (options.model) {
    case Model::slice_interpolated:
      if (options.variant == "stack=view") return std::make_unique<SliceInterpolatedByView>(grid, scan);
      return std::make_unique<SliceInterpolated>(grid, scan);
    case Model::raycast:
      return std::make_unique<Raycast>(grid, scan, options.step);
    case Model::box_line_integrated:
      return std::make_unique<BoxLineIntegrated>(grid, scan);
    case Model::splat:
      return std::make_unique<Splat>(grid, scan);
    default:
      return nullptr;
  }
}

}  // namespace backlit
