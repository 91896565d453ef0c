// Distance-driven operators on the device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit::cuda {

class CudaBackend;

/// Variants of Model::branchless_dd, best first: "bc" (sums along columns, fp32), "bl" (areas, four corners a
/// footprint), "bz" (areas, corners shared along lines), and "db" (as bc, in double). Areas are looked up in hardware
/// unless the precision is exact. "NAME,plain": without taking the mean away first. "NAME,compensated": an entry is two
/// floats, looked up in software whatever the precision; tables of twice the size.
const std::vector<std::string>& branchless_variants();

/// Throws Unsupported for what make_distance_driven() refuses.
std::unique_ptr<LinearOperator> make_distance_driven_operator(CudaBackend&, const VolumeGrid&, const Scan&,
                                                              const CtOptions&);

/// Device memory that such an operator takes.
std::int64_t distance_driven_bytes(const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::cuda
