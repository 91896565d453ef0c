// Slice-interpolated projection and its adjoint as an operator of the CUDA backend.
#pragma once

#include <memory>

#include "backend/ct_options.hpp"
#include "backend/fdk_schedule.hpp"
#include "geometry/view.hpp"
#include "geometry/volume_grid.hpp"
#include "operator/linear_operator.hpp"

namespace backlit::cuda {

class CudaBackend;

/// Of all slices of the grid; or the transpose alone onto `slices` of them, every voxel of which gets what it gets from
/// the whole, bit for bit.
std::unique_ptr<LinearOperator> make_slice_operator(CudaBackend&, const VolumeGrid&, const Scan&, const CtOptions&,
                                                    Run slices = {});

}  // namespace backlit::cuda
