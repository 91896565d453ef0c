// Finds the geometry of a scan from its projections: no calibration phantom, no start values.
#pragma once

#include <string>
#include <vector>

#include <backlit/calibration/geometry_correction.hpp>
#include <backlit/core/parameter.hpp>
#include <backlit/data/projections.hpp>

namespace backlit {

struct CalibrationOptions {
  std::int64_t views = 48;     ///< number of views to compare, evenly spread over the scan
  std::int64_t columns = 256;  ///< pixels are binned until a view has at most this many columns and rows
  bool find_center = true;     ///< search the axis over the whole detector first; else start from the scan file's axis
  double measured_length = 0;  ///< mm, a length near the axis in a volume of the scan as it is given; 0: none
  double known_length = 0;     ///< mm, its true value
  bool curves = false;         ///< compute the criterion along each parameter

  Parameters parameters();
};

/// One parameter of the geometry: found, or left unchanged.
struct CalibratedParameter {
  std::string name;        ///< "column_offset", as in GeometryCorrection
  std::string unit;        ///< "px", "deg"; empty for factors
  double value = 0;        ///< value of the correction
  double uncertainty = 0;  ///< one standard deviation, from differences between groups of views; 0: not determined
  bool determined = false;
  std::string reason;  ///< why it is not determined or not searched
  /// The criterion along this parameter; the other parameters have the values found.
  std::vector<double> at, criterion;
  std::string compared;  ///< the data that this curve compares, in words
};

struct Calibration {
  GeometryCorrection correction;
  bool direction_determined = false;  ///< whether the views determine the direction of rotation
  std::string direction_reason;       ///< why they do not
  double scale_uncertainty = 0;       ///< of correction.axis_distance, one standard deviation; 0: no length was known
  Scan scan;                          ///< corrected(source.scan(), correction)
  std::vector<CalibratedParameter> parameters;
  std::string criterion;           ///< the data that are compared, in words
  double before = 0, after = 0;    ///< the criterion: relative disagreement of the views, 0 to about 1
  std::vector<std::string> notes;  ///< sentences for the user
};

/// What becomes of a scan whose views determine none of the parameters: an error, or all stay as they are.
enum class Undetermined { refused, left };

/// Cone beams on flat detectors: compares integrals of planes through two sources (Clackdoyle and Desbat 2015; Lesaint
/// et al. 2017), and rays in the plane of the sources with the opposite rays. This gives column_offset, row_offset,
/// in_plane, tilt_v, detector_distance and the direction of rotation. Where planes are cut off or rays almost parallel,
/// it compares derivatives of plane integrals (Grangeat 1991; Debbeler et al. 2013; Aichert et al. 2015) in place of
/// integrals, which leaves row_offset and mostly tilt_v alone. tilt_u is not searched: a taller object gives the same
/// views but for their brightness. Parallel beams: compares views with
/// mirror images of the views half a turn later. This gives column_offset and in_plane. Fewer than eight rows or curved
/// detectors: compares rays with the opposite rays. This gives column_offset, and detector_distance where the detector
/// is flat; where opposite rays agree in one direction of rotation only (see compare_turning_senses()), it gives that
/// too. Other parameters stay as in the scan file, and the result says so. The distance from source to axis only
/// scales the volume: no view depends on it, and a known length determines it. The error of such a measurement is taken
/// for half a pixel seen at the axis. Throws InputError, with the reason, for scans that cannot be compared (too few
/// views, helices, arcs too short, truncated views), and where the comparison determines nothing, unless that is left.
Calibration calibrate(ProjectionSource&, const CalibrationOptions& = {}, const Watch& = {},
                      Undetermined = Undetermined::refused);

}  // namespace backlit
