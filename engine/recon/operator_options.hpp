// From what users ask for to what a backend understands.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

/// Throws InputError for names that do not exist; `automatic` stands for model "auto".
CtOptions operator_options(const OperatorOptions&, Model automatic);

}  // namespace backlit
