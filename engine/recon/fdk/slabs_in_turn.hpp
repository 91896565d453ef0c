// Filtered backprojection of slabs one after another: each is given away while the next one is made.
#pragma once

#include "recon/fdk/grouped_fdk.hpp"

namespace backlit {

/// Null where this process makes one slab, or a part of one. `make` makes a slab. Only the rows are read that a slab
/// sees, some of them again for the next one. The device holds one slab and its rows of the views.
std::unique_ptr<Reconstruction> make_slabs_in_turn(const ReconInput&, const FdkOptions&, const MakeFdk& make);

}  // namespace backlit
