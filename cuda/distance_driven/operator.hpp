// Distance-driven operators on the device.
#pragma once

#include <memory>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit::cuda {

class CudaBackend;

/// Of distance_driven, with branches, or of branchless_dd: sums along columns in fp32. Throws Unsupported for what
/// make_distance_driven() refuses.
std::unique_ptr<LinearOperator> make_distance_driven_operator(CudaBackend&, const VolumeGrid&, const Scan&,
                                                              const CtOptions&);

/// Device memory that such an operator takes.
std::int64_t distance_driven_bytes(const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::cuda
