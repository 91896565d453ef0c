// A view's values, and what they say of planes through its source.
#pragma once

#include "calibration/calibration_views.hpp"

namespace backlit {

/// A view's values and the position of its detector. Places on the detector are mm from its centre along u and v. A
/// plane is given by its unit normal; it contains the source and meets the detector in a line. NaN where values at an
/// end of this line exceed `limit`: the object is cut off there.
class MeasuredPlane {
 public:
  MeasuredPlane(const CalibrationViews&, std::size_t place, const Scan&, float limit);

  /// Derivative of the plane's integral by its distance from the origin, up to a factor that all views share
  /// (Grangeat). Let h = (x - source) . normal on the detector, and |m| the length of its gradient there. The result is
  /// L / |m|^2 times the derivative, across the line h = 0, of the integral along this line of values over ray lengths.
  float derivative(const Vec3& normal) const;

  struct Integral {
    float value, noise;  ///< noise: of the value, when each pixel has noise of one
  };
  /// Integral over the plane of the object divided by its distance from a line through the source: the same for all
  /// sources on that line, when the object lies on one side of it. `away`: unit vector in the plane, across that line,
  /// towards the object.
  Integral integral(const Vec3& normal, const Vec3& away) const;

 private:
  /// The line x cos + y sin = place, in samples: one a row, between two columns; of a flat line one a column, between
  /// two rows.
  struct Line;
  Line line(double cos, double sin, double place) const;
  /// Sum along the line of values over ray lengths, and over (x - source) . away. No division by the latter where
  /// `away` is 0.
  Integral sum(const Line&, const Vec3& away) const;

  std::int64_t columns_, rows_;
  const float* values_;
  float limit_;
  double width_, height_, column0_, row0_, distance_;
  Vec3 u_, v_, from_source_;
};

}  // namespace backlit
