// The exam in the header of PETSIRD: what standardized uptake values take.
#pragma once

#include <backlit/data/list_mode.hpp>
#include "io/lists/petsird/yardl.hpp"

namespace backlit::formats {

/// Sets weight_kg, dose_bq and isotope where the header tells them. The dose is that at the beginning of the
/// acquisition; without both times, or for a nuclide whose half-life is not known here, it stays unknown.
void read_petsird_exam(const YardlValue& header, ListModeInfo&);

}  // namespace backlit::formats
