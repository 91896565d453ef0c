// Converts a method's options to a backend's.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

/// Throws InputError for names that do not exist. `automatic` replaces the model "auto".
CtOptions operator_options(const OperatorOptions&, Model automatic);

}  // namespace backlit
