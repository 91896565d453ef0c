#include "study/cuda/orbit_rows.hpp"

#include "cuda/voxel_driven/ct_operator.hpp"
#include "cuda/voxel_driven/orbit_fine.cuh"

namespace backlit::cuda {
namespace {

void backproject_orbit_rows(Stream& stream, const Sampling& s, const OrbitScan& g, const OrbitGroups& groups,
                            const VolumeSlab& slab) {
  backproject_rows<true>(stream, "backproject orbit rows", s, g, groups, slab);
}

}  // namespace

std::unique_ptr<LinearOperator> make_row_backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                                       const CtOptions& options) {
  CtOptions fine = options;
  fine.variant = "orbit_fine";
  BackprojectionPlan plan = plan_backprojection(grid, scan, fine);
  std::get<OrbitPlan>(plan.kernel).launch = backproject_orbit_rows;
  plan.variant.replace(0, fine.variant.size(), "orbit_rows");
  return make_planned_backprojector(backend, grid, scan, options, std::move(plan));
}

}  // namespace backlit::cuda
