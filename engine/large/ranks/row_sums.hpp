// Adds up projections of slabs where the rows of several ranks overlap.
#pragma once

#include <backlit/device/backend.hpp>
#include <backlit/device/ranks.hpp>
#include "large/ranks/ranked_array.hpp"

namespace backlit {

/// `images` holds a rank's rows of some views, projected from its slab alone. Afterwards they are those of the whole
/// volume: the rows that ranks have in common are exchanged and added in the order of ranks, so that all get the same
/// bits.
void add_up_rows(Ranks&, Backend& device, const Parting&, DeviceArray& images);

}  // namespace backlit
