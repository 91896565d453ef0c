// Slice-interpolated projection and its adjoint as an operator of the CUDA backend.
#pragma once

#include <memory>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit::cuda {

class CudaBackend;

std::unique_ptr<LinearOperator> make_slice_operator(CudaBackend&, const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::cuda
