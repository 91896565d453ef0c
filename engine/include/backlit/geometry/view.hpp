// One exposure: positions of the source, the detector and its pixels. Every projector takes its geometry from Views.
#pragma once

#include <backlit/geometry/types.hpp>

#include <vector>

namespace backlit {

enum class Beam { cone, parallel };

/// Properties that all views of a scan share. Pixel centres are at integers; memory [row][column], column fastest.
struct Detector {
  enum class Shape { flat, curved };

  std::int64_t columns = 0;
  std::int64_t rows = 0;
  double pixel_u = 1;  ///< mm, width of a column (arc length when curved)
  double pixel_v = 1;  ///< mm, height of a row
  Shape shape = Shape::flat;
  /// Curved: mm from the detector's centre to the axis of its cylinder, on the source's side. 0: focused on the source,
  /// for cone beams only; see cylinder_radius().
  double radius = 0;

  std::int64_t pixels() const { return columns * rows; }
  double middle_column() const { return 0.5 * static_cast<double>(columns - 1); }
  double middle_row() const { return 0.5 * static_cast<double>(rows - 1); }

  bool operator==(const Detector&) const = default;
};

/// The twelve numbers of a view (ASTRA's cone_vec), mm. For parallel beams `direction` takes the place of `source`.
struct View {
  Beam beam = Beam::cone;
  Vec3 source{0};     ///< cone: the focal spot
  Vec3 direction{0};  ///< parallel: unit vector from source to detector
  Vec3 center{0};     ///< the detector's middle, (columns-1)/2, (rows-1)/2
  Vec3 u{0};          ///< one step to the next column; curved: the tangent at the centre, |u| an arc length
  Vec3 v{0};          ///< one step to the next row

  bool operator==(const View&) const = default;
};

/// All views of one acquisition, in the order of the projections in memory.
struct Scan {
  Detector detector;
  std::vector<View> views;

  std::int64_t view_count() const { return static_cast<std::int64_t>(views.size()); }
  Beam beam() const { return views.empty() ? Beam::cone : views.front().beam; }

  /// Throws InputError(where) naming the first view that is degenerate (zero or parallel u and v, source on the
  /// detector, rays along the detector, non-finite numbers, mixed beams, a curved detector that closes on itself).
  void check(const char* where) const;
};

/// mm in space of the detector's point (column, row), flat or curved; fractions allowed.
Vec3 detector_point(const Detector& detector, const View& view, double column, double row);

/// mm: detector.radius, or when that is 0 the distance from source to detector centre across the cylinder's axis (v).
double cylinder_radius(const Detector& detector, const View& view);

/// Unit vector along the ray that ends at (column, row), from source to detector.
Vec3 ray_direction(const Detector& detector, const View& view, double column, double row);

/// The detector's unit normal e with e . (D - S) > 0 (parallel: along the rays), and L = e . (D - S).
struct DetectorNormal {
  Vec3 normal;
  double distance;  ///< mm, L; 0 for parallel beams
};
DetectorNormal detector_normal(const View& view);

/// Radians by which a view's rays come from above (+z) or below the plane of rotation. 30 degrees in laminography at
/// that elevation, 0 on a circle or a helix. It is the smaller of two angles: of the detector's normal and of the ray
/// to its centre. A tilted or a shifted detector changes one of them and raises no ray.
double elevation(const View& view);

/// mm, the point of the axis on a cone beam's central ray. On a circle it has the source's z; in laminography it is the
/// origin.
Vec3 point_on_axis(const View& view);

}  // namespace backlit
