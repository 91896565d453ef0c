// The detector column on which the rotation axis projects.
#pragma once

#include <backlit/data/projections.hpp>

namespace backlit {

struct CenterEstimate {
  double center_px = 0;  ///< column (0-based, fractional) on which the axis projects
  std::string method;    ///< name of the method that found it
};

/// Finds the axis to 0.5 pixel, at most 0.45 x columns from the middle. For parallel, fan and cone beams, full and half
/// scans. Keeps a few rows of every view in memory; stage "read". The search after that reports no progress. Throws
/// InputError, with a remedy, when the scan does not determine the axis (too few views, arc too short).
CenterEstimate find_center(ProjectionSource& source, const Watch& = {});

/// The scan with its detector shifted along u so that the axis projects to `center_px`.
Scan with_center(const Scan&, double center_px);

/// The column on which the axis projects in the scan's own geometry (mean over views, mid-plane).
double center_of(const Scan&);

}  // namespace backlit
