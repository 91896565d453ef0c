// Advice to the user on scans for which FDK gives poor results.
#pragma once

#include <string>
#include <vector>

#include <backlit/data/projections.hpp>

namespace backlit {

/// Values of a view at its outermost columns, as shares of its largest value.
struct ViewEdges {
  double left = 0, right = 0;
};

/// Edges of up to 16 views of line integrals, spread over the scan.
std::vector<ViewEdges> edges_of_views(ProjectionSource&);

/// Sentences about too few views, and about projections that are cut off at the detector's sides. `center_px` is the
/// column on which the axis projects.
std::vector<std::string> advice_on_fdk(const Scan&, const std::vector<ViewEdges>&, double center_px);

}  // namespace backlit
