// The corrections, each defined in the file of its name.
#pragma once

#include <backlit/preprocess/corrections.hpp>

namespace backlit::correction {

Correction flat_components();
Correction defects();
Correction zingers();
Correction air();
Correction dead_stripes();
Correction large_stripes();
Correction stripes();
Correction phase();
Correction scatter();
Correction fitted_scatter();
Correction water_spectrum();
Correction hardening();
Correction flatten();
Correction metal();
Correction truncation();

}  // namespace backlit::correction
