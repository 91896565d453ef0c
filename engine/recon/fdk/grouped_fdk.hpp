// Filtered backprojection of slabs that several ranks make together, each from a share of the views.
#pragma once

#include <functional>
#include <memory>

#include <backlit/recon/methods/fdk.hpp>
#include <backlit/recon/reconstruction.hpp>

namespace backlit {

using MakeFdk = std::function<std::unique_ptr<Reconstruction>(const ReconInput&, const FdkOptions&)>;

/// Null where one process works, or each rank makes a slab of its own. `make` makes what this rank adds to its group's
/// slab, on its own device. Ranks communicate once, when the volume is downloaded. Each then gets the sum of some of
/// the slab's slices, in the order of ranks, or of none where there are more ranks than slices.
std::unique_ptr<Reconstruction> make_grouped_fdk(const ReconInput&, const FdkOptions&, const MakeFdk& make);

}  // namespace backlit
