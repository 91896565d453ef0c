// Names of the kernels for lines through an image: `backlit bench lm75 --variant unsorted+looped`.
#pragma once

#include <string>

#include "cuda/lines_of_response/kernel.hpp"
#include "cuda/lines_of_response/variant.hpp"

namespace backlit::cuda {

/// Words separated by '+'. Throws Unsupported that lists them.
LineVariant line_variant(const std::string& text);

/// LineVariant::start of the kernels in line_variants.cu.
bool start_variant(Stream&, const LinePlan&, const Arguments&, const LineVariant&, bool forward);

}  // namespace backlit::cuda
