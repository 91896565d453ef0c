// Slice-interpolated projection and its adjoint as an operator of the CUDA backend.
#pragma once

#include <memory>

#include <backlit/device/box.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit::cuda {

class CudaBackend;

/// Of the grid's voxels in `tile`, as if all others were zero: with places and numbers of the whole, bit for bit. Of
/// less than the whole grid the transpose alone, but with precision exact.
std::unique_ptr<LinearOperator> make_slice_operator(CudaBackend&, const VolumeGrid&, const Box& tile, const Scan&,
                                                    const CtOptions&);

}  // namespace backlit::cuda
