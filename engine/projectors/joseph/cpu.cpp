// Joseph's method in double precision: the reference.
#include <utility>

#include "projectors/joseph/column_rays.hpp"
#include "projectors/joseph/cpu.hpp"
#include "projectors/joseph/main_axes.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/cpu/ray_driven.hpp"

namespace backlit {
namespace {

class Joseph final : public CpuRayDriven {
 public:
  using CpuRayDriven::CpuRayDriven;
  std::string variant() const override { return "joseph double"; }

 private:
  double sum(const Ray<double>& ray, std::int64_t /*view*/, const double* volume) const override {
    return sum_slices(slice_steps(ray, box_), volume);
  }
  void spread(const Ray<double>& ray, std::int64_t /*view*/, const VoxelBox& part, double* volume,
              double amount) const override {
    spread_slices(slice_steps(ray, part), volume, amount);
  }
};

/// All rays of a view go through the stack most parallel to the detector. Rays too steep for that stack miss the grid.
class JosephByView final : public CpuRayDriven {
 public:
  JosephByView(const VolumeGrid& grid, const Scan& scan, std::vector<int> axes)
      : CpuRayDriven(grid, scan), axes_(std::move(axes)) {}
  std::string variant() const override { return "joseph double, stack=view"; }

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

}  // namespace

std::unique_ptr<LinearOperator> joseph_by_rays(const VolumeGrid& grid, const Scan& scan, std::vector<int> axes) {
  if (axes.empty()) return std::make_unique<Joseph>(grid, scan);
  return std::make_unique<JosephByView>(grid, scan, std::move(axes));
}

ProjectorInfo joseph_cpu() {
  ProjectorInfo info;
  info.model = Model::joseph;
  info.device = "cpu";
  info.precisions = {Precision::exact, Precision::fast};
  info.options = {"stack"};
  info.make = [](Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    const std::vector<int> axes = options.stack == StackChoice::view ? view_axes(scan, grid) : std::vector<int>();
    constexpr std::int64_t enough_rows = 8;  // for what a column's rays share to be most of the work
    const bool columns = scan.detector.rows >= enough_rows && column_rays_refusal(scan, grid, axes).empty();
    return columns ? joseph_by_columns(grid, scan, axes) : joseph_by_rays(grid, scan, axes);
  };
  return info;
}

}  // namespace backlit
