// What the CUDA backend has a name for, for tables and the study.
#pragma once

#include <vector>

#include <backlit/projectors/ct_options.hpp>

namespace backlit::cuda {

/// As Backend::variants().
std::vector<CtOptions> named_variants(Model);

}  // namespace backlit::cuda
