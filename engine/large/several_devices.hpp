// One operator on several devices: projection shared by views, backprojection by slabs of slices, so that nothing has
// to be summed between devices and results are those of one device; or by views where these are more than the volume,
// or slices too few for kernels that take 64 at a time (branchless_dd): volumes are then summed. Voxel-driven: by
// slabs.
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

/// Arrays are the first device's; it sends the others what they need and takes back what they did. Shares follow the
/// speeds of the devices, measured when the plan is made. Throws Unsupported where the first backend cannot give parts
/// of its arrays (rows()). The backends must outlive the operator and belong to the thread that made it.
std::unique_ptr<LinearOperator> make_split_ct(const std::vector<Backend*>&, const VolumeGrid&, const Scan&,
                                              const CtOptions&);

}  // namespace backlit
