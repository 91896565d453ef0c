// Variants of branchless_dd that studies compare: sums along columns in double, and summed areas (Liu et al. 2017).
#pragma once

#include <backlit/projectors/projector.hpp>

namespace backlit::cuda {

/// "bc" (the product's: sums along columns, fp32), "db" (the same in double), "bl" (areas, four corners for each
/// footprint), "bz" (areas, corners shared along lines). Areas are looked up in hardware unless the precision is exact.
/// "NAME,plain": without subtracting the mean. "NAME,compensated": an entry is two floats, looked up in software in any
/// precision; tables have twice the size.
ProjectorInfo studied_branchless_dd();

}  // namespace backlit::cuda
