// Lines of response on CUDA.
#pragma once

#include <backlit/projectors/lines_of_response/line_options.hpp>
#include "cuda/device/cuda_backend.hpp"

namespace backlit::cuda {

/// Variants: "gaussian" computes tubes that are Gaussians from exponentials (the default for them), "table" looks all
/// tubes up. A call for a part of the rows costs what all of them cost. Throws Unsupported for other names.
std::unique_ptr<LinearOperator> make_line_operator(CudaBackend&, const VolumeGrid&, const LineList&,
                                                   const LineOptions&);

}  // namespace backlit::cuda
