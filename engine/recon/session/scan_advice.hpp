// Advice to the user on scans for which FDK gives poor results.
#pragma once

#include <string>
#include <vector>

#include <backlit/data/projections.hpp>
#include "preprocess/view_edges.hpp"

namespace backlit {

/// Sentences about too few views, and about projections that are cut off at the detector's sides. `center_px` is the
/// column on which the axis projects; `continued`: whether the filter continues rows.
std::vector<std::string> advice_on_fdk(const Scan&, const std::vector<ViewEdges>&, double center_px, bool continued);

}  // namespace backlit
