// Voxel-driven backprojection as an operator of the CUDA backend.
#pragma once

#include <memory>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "cuda/voxel_driven/plan.hpp"

namespace backlit::cuda {

class CudaBackend;

/// Most device memory of a backprojector when the budget is memory_bytes.
std::int64_t backprojector_bytes(const Scan&, const CtOptions&, std::int64_t memory_bytes);

std::unique_ptr<LinearOperator> make_backprojector(CudaBackend&, const VolumeGrid&, const Scan&, const CtOptions&);

/// Uses the plan's kernel, from packed textures.
std::unique_ptr<LinearOperator> make_planned_backprojector(CudaBackend&, const VolumeGrid&, const Scan&,
                                                           const CtOptions&, BackprojectionPlan);

}  // namespace backlit::cuda
