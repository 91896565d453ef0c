// One operator on several devices. Projection divides the views, backprojection divides the slices into slabs. Then
// nothing is summed between devices, and results equal those of one device. Backprojection divides the views when they
// are larger than the volume, or when there are too few slices for kernels that process 64 together (branchless_dd).
// Then the volumes of the devices are summed. Voxel-driven backprojection always divides the slices.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit {

class Backend;
struct CtOptions;

/// Arrays belong to the first device, which sends data to the others and receives their results. Shares follow the
/// speeds of the devices, measured when the plan is made. Throws Unsupported where the first backend cannot give parts
/// of its arrays (rows()). The backends must outlive the operator and belong to the thread that made it.
std::unique_ptr<LinearOperator> make_split_ct(const std::vector<Backend*>&, const VolumeGrid&, const Scan&,
                                              const CtOptions&);

}  // namespace backlit
