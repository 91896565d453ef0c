// The order in which FDK takes the views of a scan.
#pragma once

#include <backlit/data/projections.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/projectors/ct_options.hpp>

namespace backlit {

/// `source`, or `source` with its views in the order of quarter-turn groups. The latter is for a backend that packs by
/// quarter turns and has no room for all views at once. Batches of neighbouring views contain no groups, and without
/// packing the volume differs by the hardware's rounding.
std::shared_ptr<ProjectionSource> in_packing_order(Backend&, std::shared_ptr<ProjectionSource> source,
                                                   const VolumeGrid&, const CtOptions&, const FilterOptions&);

}  // namespace backlit
