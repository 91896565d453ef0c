// How far views of one object contradict each other under a geometry. Three criteria, one for each kind of scan.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "calibration/calibration_views.hpp"

namespace backlit {

class Consistency {
 public:
  virtual ~Consistency() = default;

  /// Differences between views that should agree, over what views differ by when they have nothing in common: their
  /// mean square is about 0 for the true geometry and about 2 for a wrong one. Their number and order do not depend on
  /// the scan; NaN where one cannot be had.
  virtual std::vector<float> residuals(const Scan&) const = 0;
  /// The two views, by their place in CalibrationViews, that a residual compares.
  virtual std::pair<int, int> views_of(std::size_t residual) const = 0;
};

/// Cone beams on flat detectors. `object_radius` (mm): planes are compared that come this near to the origin.
std::unique_ptr<Consistency> make_epipolar(CalibrationViews, const Scan&, double object_radius);

// `blur`, in coarser pixels: large ones lead from far off, small ones are exact.

/// A parallel view that lies between two others on the circle, some of them mirrored, which stands for half a turn on.
struct MirroredView {
  std::int64_t view, before, after;  ///< of the scan
  bool before_mirrored, after_mirrored;
  double share;  ///< of `after`
};
/// At most `most` of them, evenly spread.
std::vector<MirroredView> find_mirrored_views(const Scan&, std::int64_t most);
/// Parallel beams; the views are all that the pairs name.
std::unique_ptr<Consistency> make_mirrored_views(const CalibrationViews&, const std::vector<MirroredView>&,
                                                 double blur);

/// One row of a cone beam, flat or curved detector, all views of the scan: each ray against the
/// opposite one.
std::unique_ptr<Consistency> make_conjugate_rays(const CalibrationViews&, const Scan&, double blur);

}  // namespace backlit
