// Line integrals from counts, with missing readings filled in.
#pragma once

#include "cuda/corrections/images.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/filter/kernels.hpp"

namespace backlit::cuda {

/// Faults are added to those of views first, first + 1, ...
void integrals_of(Stream&, const std::uint16_t* counts, const CountTables&, std::int64_t first, const Images& out);

}  // namespace backlit::cuda
