// From the words of ReconOptions to what a backend understands.
#pragma once

#include <backlit/recon/reconstruction.hpp>

namespace backlit {

/// Throws InputError for names that do not exist; `automatic` stands for model "auto".
CtOptions operator_options(const ReconOptions&, Model automatic);

}  // namespace backlit
