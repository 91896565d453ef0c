// What a user should hear before FDK makes the best of a scan that does not suit it.
#pragma once

#include <string>
#include <vector>

#include <backlit/data/projections.hpp>

namespace backlit {

/// What a view holds at its outermost columns, as shares of its largest value.
struct ViewEdges {
  double left = 0, right = 0;
};

/// Of up to 16 views of line integrals, spread over the scan.
std::vector<ViewEdges> edges_of_views(ProjectionSource&);

/// One sentence each: too few views, projections that are cut off at the detector's sides. `center_px` is the column on
/// which the axis projects.
std::vector<std::string> advice_on_fdk(const Scan&, const std::vector<ViewEdges>&, double center_px);

}  // namespace backlit
