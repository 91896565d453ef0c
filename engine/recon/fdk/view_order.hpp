// In which order FDK takes the views of a scan.
#pragma once

#include <backlit/data/projections.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/projectors/ct_options.hpp>

namespace backlit {

/// `source` as it is or, where it has no room for all views at once and packs by quarter turns, with its views group
/// after group: batches of neighbours hold no groups, and unpacked views give a volume that differs by what hardware
/// rounds.
std::shared_ptr<ProjectionSource> in_packing_order(Backend&, std::shared_ptr<ProjectionSource> source,
                                                   const VolumeGrid&, const CtOptions&, const FilterOptions&);

}  // namespace backlit
