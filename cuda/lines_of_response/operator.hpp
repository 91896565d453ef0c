// Lines of response on CUDA.
#pragma once

#include <backlit/projectors/linear_operator.hpp>
#include <backlit/projectors/lines_of_response/line_options.hpp>
#include "cuda/device/cuda_backend.hpp"
#include "cuda/lines_of_response/variant.hpp"

namespace backlit::cuda {

/// Weights of Gaussian tubes are computed from exponentials, others are looked up. A call for a part of the rows costs
/// as much as one for all rows. `variant` is for studies.
std::unique_ptr<LinearOperator> make_line_operator(CudaBackend&, const VolumeGrid&, const LineList&, const LineOptions&,
                                                   const LineVariant& variant = {});

}  // namespace backlit::cuda
