// "orbit_rows": quarter turns with exact weights along v; the texture filters along u, with 8-bit weights.
#pragma once

#include <memory>

#include <backlit/projectors/linear_operator.hpp>
#include "cuda/device/cuda_backend.hpp"

namespace backlit::cuda {

/// For the scans that orbit_fine supports; throws Unsupported for others.
std::unique_ptr<LinearOperator> make_row_backprojector(CudaBackend&, const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::cuda
