#include <backlit/geometry/default_grid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr const char* where = "default volume";
constexpr const char* remedy = "give the volume's size and voxels ([volume], `grid` and `voxel`)";

struct Ray {
  Vec3 origin, direction;
  double flat_square() const { return direction.x * direction.x + direction.y * direction.y; }
};

Ray ray_to(const Detector& d, const View& view, double column, double row) {
  const Vec3 end = detector_point(d, view, column, row);
  if (view.beam == Beam::parallel) return {end, view.direction};
  return {view.source, end - view.source};
}

/// Signed distance in mm between a ray and the axis.
double miss(const Ray& ray) {
  return (ray.origin.x * ray.direction.y - ray.origin.y * ray.direction.x) / std::sqrt(ray.flat_square());
}

/// The column of the middle row whose ray meets the axis.
double axis_column(const Detector& d, const View& view) {
  const auto side = [&](double column) {  // sign: the side of the axis; linear along rows of a flat detector
    const Ray ray = ray_to(d, view, column, d.middle_row());
    return ray.origin.x * ray.direction.y - ray.origin.y * ray.direction.x;
  };
  double from = -0.5, to = static_cast<double>(d.columns) - 0.5;
  const double first = side(from), last = side(to);
  if (d.shape == Detector::Shape::flat) return from + (to - from) * first / (first - last);
  const bool rising = last > 0;
  for (int i = 0; i < 60; ++i) {
    const double half = 0.5 * (from + to);
    ((side(half) > 0) == rising ? to : from) = half;
  }
  return from;
}

/// z at which a ray is nearest to the axis.
double crossing(const Ray& ray) {
  const double t = -(ray.origin.x * ray.direction.x + ray.origin.y * ray.direction.y) / ray.flat_square();
  return ray.origin.z + t * ray.direction.z;
}

/// The region around the axis that one view sees, mm.
struct Sight {
  double wide, narrow;         ///< radius that its columns cover on the wider and on the narrower side
  double bottom, middle, top;  ///< z at which the axis projects to both ends of the rows and to the central row
  double shrink_u, shrink_v;   ///< mm at the axis per mm on the detector
  double slope;                ///< |dz| per mm across the axis of the central ray
  double azimuth;              ///< radians, of the source seen from the axis
};

Sight sight_of(const Detector& d, const View& view, std::size_t index) {
  const double right = static_cast<double>(d.columns) - 0.5, top = static_cast<double>(d.rows) - 0.5;
  const Ray central = ray_to(d, view, d.middle_column(), d.middle_row());
  if (!(central.flat_square() > 1e-4 * glm::dot(central.direction, central.direction)))
    throw InputError(where, fmt::format("the rays of view {} run along the rotation axis", index), remedy);
  Sight s{};
  double low = std::numeric_limits<double>::infinity(), high = low;
  for (double row : {-0.5, top}) {  // the rows' ends differ when the detector is tilted
    const double a = miss(ray_to(d, view, -0.5, row)), b = miss(ray_to(d, view, right, row));
    low = std::min(low, -std::min(a, b));
    high = std::min(high, std::max(a, b));
  }
  s.narrow = std::min(low, high);
  s.wide = std::max(low, high);
  if (!(s.narrow > 0)) throw InputError(where, fmt::format("view {} does not see the rotation axis", index), remedy);

  const double column = axis_column(d, view);
  const Ray axis = ray_to(d, view, column, d.middle_row());
  const double z0 = crossing(ray_to(d, view, column, -0.5)), z1 = crossing(ray_to(d, view, column, top));
  s.bottom = std::min(z0, z1);
  s.top = std::max(z0, z1);
  s.middle = crossing(axis);
  s.slope = std::abs(axis.direction.z) / std::sqrt(axis.flat_square());
  s.azimuth = std::atan2(-axis.direction.y, -axis.direction.x);
  // Depth of the axis over depth of the detector, both along this ray.
  const double share =
      view.beam == Beam::parallel ? 1 : glm::length(Vec3(0, 0, s.middle) - view.source) / glm::length(axis.direction);
  s.shrink_u = share * glm::length(view.u);
  s.shrink_v = share * glm::length(view.v);
  return s;
}

/// Whether the source goes full circle: its azimuths have no gap that is much larger than the median gap.
bool closes(const std::vector<Sight>& sights) {
  std::vector<double> azimuths, gaps;
  for (const Sight& s : sights) azimuths.push_back(s.azimuth);
  std::sort(azimuths.begin(), azimuths.end());
  for (std::size_t i = 0; i < azimuths.size(); ++i) {
    const double next = i + 1 < azimuths.size() ? azimuths[i + 1] : azimuths[0] + 2 * pi;
    if (next - azimuths[i] > 1e-6) gaps.push_back(next - azimuths[i]);
  }
  std::sort(gaps.begin(), gaps.end());
  return gaps.size() >= 3 && gaps.back() <= 3 * gaps[gaps.size() / 2];
}

std::int64_t voxels_in(double length, double spacing) {
  const double n = std::floor(length / spacing + 1e-6);
  return n < 1 ? 1 : static_cast<std::int64_t>(std::min(n, 1e9));
}

/// Twelve digits, so that 0.8 mm pixels turned by some angle give 0.8 mm voxels and not 0.7999999999999999.
double tidy(double length) { return std::stod(fmt::format("{:.12g}", length)); }

/// The part of the axis to reconstruct.
struct Span {
  double low, high;
};

Span span_on_axis(const std::vector<Sight>& sights) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Span common{-far, far}, middles{far, -far};
  for (const Sight& s : sights) {
    common = {std::max(common.low, s.bottom), std::min(common.high, s.top)};
    middles = {std::min(middles.low, s.middle), std::max(middles.high, s.middle)};
  }
  return common.high - common.low >= middles.high - middles.low ? common : middles;
}

std::vector<Sight> sights_of(const Scan& scan) {
  std::vector<Sight> sights;
  for (std::size_t i = 0; i < scan.views.size(); ++i) sights.push_back(sight_of(scan.detector, scan.views[i], i));
  return sights;
}

double common_radius(const std::vector<Sight>& sights) {
  const bool full = closes(sights);
  double radius = std::numeric_limits<double>::infinity();
  for (const Sight& s : sights) radius = std::min(radius, full ? s.wide : s.narrow);
  return radius;
}

}  // namespace

double field_of_view_radius(const Scan& scan) { return common_radius(sights_of(scan)); }

VolumeGrid default_grid(const Scan& scan) {
  scan.check(where);
  const Detector& d = scan.detector;
  const std::vector<Sight> sights = sights_of(scan);
  double radius = common_radius(sights), slope = 0;
  double pixel_u = std::numeric_limits<double>::infinity(), pixel_v = pixel_u;
  for (const Sight& s : sights) {
    pixel_u = std::min(pixel_u, s.shrink_u);
    pixel_v = std::min(pixel_v, s.shrink_v);
    slope = std::max(slope, s.slope);
  }
  Span z = span_on_axis(sights);
  if (slope > 0.1 && d.rows > 1) {
    // A raised ray climbs by `slope` per mm. Half of the rows is used for the plate's width, the rest for its
    // thickness.
    const double half = 0.5 * (z.high - z.low);
    radius = std::min(radius, 0.5 * half / slope);
    z = {z.low + radius * slope, z.high - radius * slope};
  }
  VolumeGrid grid;
  const double edge = tidy(d.rows == 1 ? pixel_u : std::min(pixel_u, pixel_v));
  grid.spacing = Vec3(edge, edge, d.rows == 1 ? tidy(pixel_v) : edge);
  const std::int64_t across = voxels_in(2 * radius, edge);
  grid.size = {across, across, voxels_in(z.high - z.low, grid.spacing.z)};
  grid.center = Vec3(0, 0, 0.5 * (z.low + z.high));
  if (std::abs(grid.center.z) < 1e-9 * edge) grid.center.z = 0;
  grid.check(where);
  return grid;
}

}  // namespace backlit
