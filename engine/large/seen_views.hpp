// The views of a scan that see a slab, and the operator of a slab that leaves out the others.
#pragma once

#include <memory>

#include <backlit/core/index_range.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "geometry/rows_seen.hpp"

namespace backlit {

/// Voxels by which footprints, blobs and interpolation reach beyond the centre of a voxel, at most.
inline constexpr double widest_voxel = 3;

/// From the first to the last view that may see the grid. All where a view's source lies beside or in it.
IndexRange views_seen(const VolumeGrid&, const Scan&);

/// The operator `all` of a slab. Calls whose views all lie outside `seen` write 0 or nothing, and cost nothing: a helix
/// sees a slab from a part of its turns. Returns `all` itself where all views see the slab.
std::unique_ptr<LinearOperator> of_seen_views(Backend&, std::unique_ptr<LinearOperator> all, const IndexRange& seen);

}  // namespace backlit
