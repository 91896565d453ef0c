#include "cuda/distance_driven/operator.hpp"

#include "cuda/distance_driven/branching.hpp"
#include "cuda/distance_driven/column_sums.hpp"
#include "cuda/projectors.hpp"
#include "projectors/distance_driven/make_distance_driven.hpp"

namespace backlit::cuda {
namespace {

class Branching final : public DistanceDriven {
 public:
  using DistanceDriven::DistanceDriven;
  std::string variant() const override { return "distance_driven bs"; }

 private:
  void add_forward(const CudaArray& volume, const Call& call, float* projections, bool accumulate) override {
    for (const int axis : {0, 1})
      in_parts(call, axis, most_blocks, [&](const SeenView* views, int count) {
        project_branching(stream(), plan(), views, count, volume.data(), projections, accumulate);
      });
  }
  void add_back(const CudaArray& projections, const Call& call, float* volume, bool accumulate) override {
    for (const int axis : {0, 1})
      backproject_branching(stream(), plan(), call.of(axis), call.count(axis), axis, projections.data(), volume,
                            accumulate || axis > 0);
  }
};

}  // namespace

std::int64_t distance_driven_bytes(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  const std::int64_t columns = grid.size[0] * grid.size[1] * (grid.size[2] + 2) * std::int64_t{sizeof(float)};
  const std::int64_t views = DistanceDrivenViews::bytes(scan);
  return options.model == Model::distance_driven ? views : views + columns + 2 * most_bytes;
}

std::unique_ptr<LinearOperator> make_distance_driven_operator(CudaBackend& backend, const VolumeGrid& grid,
                                                              const Scan& scan, const CtOptions& options) {
  if (options.model == Model::distance_driven) return std::make_unique<Branching>(backend, grid, scan);
  return std::make_unique<ColumnSums<float>>(backend, grid, scan);
}

namespace {

ProjectorInfo distance_driven_info(Model model) {
  ProjectorInfo info;
  info.model = model;
  info.device = "cuda";
  info.precisions = {Precision::exact, Precision::fast};
  info.require = [](Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions&) {
    require_distance_driven(grid, scan);
  };
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return make_distance_driven_operator(dynamic_cast<CudaBackend&>(backend), grid, scan, options);
  };
  info.bytes = [](const Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions& options, std::int64_t) {
    return distance_driven_bytes(grid, scan, options);
  };
  info.variants = [model] { return std::vector<CtOptions>{{model, Precision::fast, Packing::none}}; };
  return info;
}

}  // namespace

ProjectorInfo distance_driven_cuda() { return distance_driven_info(Model::distance_driven); }
ProjectorInfo branchless_dd_cuda() { return distance_driven_info(Model::branchless_dd); }

}  // namespace backlit::cuda
