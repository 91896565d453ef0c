// Prepares views for the arithmetic of distance_driven.hpp.
#pragma once

#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include "projectors/distance_driven/distance_driven.hpp"

namespace backlit {

/// A view as distance-driven projection needs it. Columns are ordered so that their edges ascend across the view.
struct DistanceDrivenView {
  int axis;                               ///< slabs are perpendicular to it: 0 = x, 1 = y
  bool reversed;                          ///< the first column here is the last one of the detector
  std::vector<ColumnEdge<double>> edges;  ///< one more than columns
  std::vector<RowEdges<double>> columns;
};

/// The main axis is x where the source is farther out along x than along y (parallel: the rays' direction). It does not
/// depend on the grid, so that the parts of a grid add up to the whole. One row and one slice are a 2-D problem: the
/// row covers the slice, whatever direction v has. Throws Unsupported(where), with the reason. It refuses tilted
/// detectors (v must run along z and u across it), sources among or behind the slabs, and fans that leave the main axis
/// by more than 84 degrees.
DistanceDrivenView make_distance_driven(const Detector&, const View&, const VolumeGrid&, const char* where);

/// Checks all views of a scan in this manner: throws for the first view that cannot be used, naming it.
void require_distance_driven(const VolumeGrid&, const Scan&);

}  // namespace backlit
