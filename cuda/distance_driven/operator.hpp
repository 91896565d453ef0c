// Distance-driven operators on the device.
#pragma once

#include <memory>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit::cuda {

class CudaBackend;

/// The operator of distance_driven, with branches, or of branchless_dd: sums along columns in fp32. Throws Unsupported
/// where make_distance_driven() does.
std::unique_ptr<LinearOperator> make_distance_driven_operator(CudaBackend&, const VolumeGrid&, const Scan&,
                                                              const CtOptions&);

/// Bytes of device memory for such an operator.
std::int64_t distance_driven_bytes(const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::cuda
