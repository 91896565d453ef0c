// Contradictions between views of one object for a given geometry. There are three criteria, one for each kind of scan.
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

  /// Differences between views that should agree, scaled so that independent views have a mean square of 2. The mean
  /// square is about 0 for the true geometry and about 2 for a wrong one. Number and order of residuals do not depend
  /// on the scan. A residual that cannot be computed is NaN.
  virtual std::vector<float> residuals(const Scan&) const = 0;
  /// The two views that a residual compares, by their index in CalibrationViews.
  virtual std::pair<int, int> views_of(std::size_t residual) const = 0;
  /// How many residuals each view has, where the same ray of every view has the same place among them; else 0.
  virtual std::int64_t rays() const { return 0; }
};

/// Integrals determine more, but of views whose sources lie on a line through the object, and of objects wider than the
/// detector, only derivatives can be compared.
enum class PlaneQuantity { integral, derivative };

/// Cone beams on flat detectors. Compares planes whose distance from the origin is at most `object_radius` (mm).
std::unique_ptr<Consistency> make_epipolar(CalibrationViews, const Scan&, double object_radius, PlaneQuantity);

// `blur` is in coarser pixels. Large values find distant solutions, small values are exact.

/// A parallel view that lies between two others on the circle. `mirrored` ones are the mirror images of views half a
/// turn away.
struct MirroredView {
  std::int64_t view, before, after;  ///< of the scan
  bool before_mirrored, after_mirrored;
  double share;  ///< weight of `after` in the interpolation
};
/// At most `most` such views, evenly spread.
std::vector<MirroredView> find_mirrored_views(const Scan&, std::int64_t most);
/// Parallel beams. The CalibrationViews hold all views in the pairs.
std::unique_ptr<Consistency> make_mirrored_views(const CalibrationViews&, const std::vector<MirroredView>&,
                                                 double blur);

/// One row of a cone beam, flat or curved detector, all views of the scan: compares each ray with the opposite ray.
/// With `in_plane_of_sources`, the views' values are those of horizontal rays; otherwise of one row of pixels.
std::unique_ptr<Consistency> make_conjugate_rays(const CalibrationViews&, const Scan&, double blur,
                                                 bool in_plane_of_sources);

}  // namespace backlit
