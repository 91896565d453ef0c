// Finds the geometry of a scan from its projections: no calibration phantom, no start values.
#pragma once

#include <string>
#include <vector>

#include <backlit/calibration/geometry_correction.hpp>
#include <backlit/core/parameter.hpp>
#include <backlit/data/projections.hpp>

namespace backlit {

struct CalibrationOptions {
  std::int64_t views = 48;     ///< views that are compared, evenly spread over the scan
  std::int64_t columns = 256;  ///< pixels are binned until a view has at most this many columns and rows
  bool find_center = true;     ///< look for the axis over the whole detector first; else start from the scan file's
  bool curves = false;         ///< whether the criterion along each parameter is wanted

  Parameters parameters();
};

/// One number of the geometry, as it was found or left.
struct CalibratedParameter {
  std::string name;        ///< "column_offset", as in GeometryCorrection
  std::string unit;        ///< "px", "deg"; empty for factors
  double value = 0;        ///< of the correction
  double uncertainty = 0;  ///< one standard deviation, from how much groups of views disagree; 0 where not determined
  bool determined = false;
  std::string reason;  ///< why it is not determined, or was not looked for
  /// The criterion along this parameter, the others at what was found.
  std::vector<double> at, criterion;
};

struct Calibration {
  GeometryCorrection correction;
  bool direction_determined = false;  ///< whether the views determine the direction of rotation
  Scan scan;                          ///< corrected(source.scan(), correction)
  std::vector<CalibratedParameter> parameters;
  std::string criterion;           ///< what was compared, in words
  double before = 0, after = 0;    ///< the criterion: relative disagreement of the views, 0 to about 1
  std::vector<std::string> notes;  ///< for the user, a sentence each
};

/// Cone beams on flat detectors: planes through two sources (Grangeat 1991; Debbeler et al. 2013; Aichert et al. 2015),
/// for column_offset, in_plane and the direction of rotation. Parallel beams: views against their mirror images half a
/// turn on, for column_offset and in_plane. Fewer than eight rows or curved detectors: rays against the opposite ones,
/// for column_offset, and for detector_distance where the detector is flat. What the views do not determine stays as
/// the scan file says, and the result says so. The distance from source to axis is the scale of the picture: no view
/// depends on it. Throws InputError when nothing is determined (too few views, helices, arcs too short, truncated
/// views), saying why.
Calibration calibrate(ProjectionSource&, const CalibrationOptions& = {}, const Watch& = {});

}  // namespace backlit
