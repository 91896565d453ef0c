// The detector column on which the rotation axis projects.
#pragma once

#include <backlit/data/projections.hpp>

namespace backlit {

struct CenterEstimate {
  double center_px = 0;  ///< column (0-based, fractional) on which the axis projects
  std::string method;    ///< how it was found
};

/// Finds the axis to 0.5 pixel for parallel, fan and cone, full and half scans, at most 0.45 x columns from the middle.
/// Keeps a few rows of every view; stage "read", the search after it is not watched. Throws InputError when the scan
/// does not determine it (too few views, arc too short), saying what to give instead.
CenterEstimate find_center(ProjectionSource& source, const Watch& = {});

/// The scan with its detector shifted along u so that the axis projects to `center_px`.
Scan with_center(const Scan&, double center_px);

/// The column on which the axis projects in the scan's own geometry (mean over views, mid-plane).
double center_of(const Scan&);

}  // namespace backlit
