// Converts views back to distances, angles, offsets and tilts, the numbers that people write.
#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <optional>

#include <backlit/io/scans/scan_geometry.hpp>

namespace backlit {
namespace {

Vec3 turned_back(const Vec3& a, double angle) {
  return {std::cos(angle) * a.x + std::sin(angle) * a.y, -std::sin(angle) * a.x + std::cos(angle) * a.y, a.z};
}

/// Offsets and tilts of a view whose source, or beam, is at +x. `ahead` receives the x of the detector's ideal place,
/// mm.
DetectorPlacement placement_of(const View& view, double* ahead) {
  const Vec3 u = glm::normalize(view.u), v = glm::normalize(view.v), n = glm::cross(u, v);
  DetectorPlacement p;
  // From the components of the turned normal along the ideal u (+y), v (+z) and normal (+x), and of the turned u and v
  // along +y.
  p.tilt_v = std::asin(std::clamp(n.y, -1.0, 1.0)) / radians_per_degree;
  p.tilt_u = std::atan2(-n.z, n.x) / radians_per_degree;
  p.tilt_n = std::atan2(-v.y, u.y) / radians_per_degree;
  const Vec3 at = glm::inverse(glm::dmat3(Vec3(1, 0, 0), -view.u, -view.v)) * view.center;
  *ahead = at.x;
  p.offset_u = at.y;
  p.offset_v = at.z;
  return p;
}

/// Angles in degrees. Multiples of 360 are added so that each is nearest to the one before it.
std::vector<double> angles_of(const Scan& scan) {
  std::vector<double> angles;
  for (const View& view : scan.views) {
    const Vec3 from = view.beam == Beam::parallel ? -view.direction : view.source;
    double angle = std::atan2(from.y, from.x) / radians_per_degree;
    if (!angles.empty()) angle += 360 * std::round((angles.back() - angle) / 360);
    angles.push_back(angle);
  }
  return angles;
}

/// The view turned back about the axis to the angle 0.
View at_angle_zero(View view, double angle_deg) {
  for (Vec3* part : {&view.source, &view.direction, &view.center, &view.u, &view.v})
    *part = turned_back(*part, angle_deg * radians_per_degree);
  return view;
}

/// The mean offset becomes the placement's, the rest of each view its shift.
void find_shifts(Trajectory& t, const Scan& scan) {
  constexpr double least = 1e-6;  // px
  double sum_u = 0, sum_v = 0, longest = 0, ahead = 0;
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const DetectorPlacement p = placement_of(at_angle_zero(scan.views[i], t.angles_deg[i]), &ahead);
    t.shifts.push_back({p.offset_u, p.offset_v});
    sum_u += p.offset_u;
    sum_v += p.offset_v;
    longest =
        std::max({longest, std::abs(p.offset_u - t.placement.offset_u), std::abs(p.offset_v - t.placement.offset_v)});
  }
  if (!(longest > least)) {
    t.shifts.clear();
    return;
  }
  t.placement.offset_u = sum_u / static_cast<double>(scan.views.size());
  t.placement.offset_v = sum_v / static_cast<double>(scan.views.size());
  for (ViewShift& shift : t.shifts) shift = {shift.u - t.placement.offset_u, shift.v - t.placement.offset_v};
}

bool agree(const std::vector<View>& a, const std::vector<View>& b, double length) {
  const auto near = [&](const Vec3& p, const Vec3& q, double scale) { return glm::length(p - q) <= 1e-9 * scale; };
  return std::ranges::equal(a, b, [&](const View& p, const View& q) {
    return near(p.source, q.source, length) && near(p.direction, q.direction, 1) && near(p.center, q.center, length) &&
           near(p.u, q.u, glm::length(q.u)) && near(p.v, q.v, glm::length(q.v));
  });
}

}  // namespace

std::optional<Trajectory> find_trajectory(const Scan& scan) {
  if (scan.views.empty() || scan.detector.shape == Detector::Shape::curved) return std::nullopt;
  Trajectory t;
  t.angles_deg = angles_of(scan);
  const View view = at_angle_zero(scan.views.front(), t.angles_deg.front());
  double ahead = 0;
  t.placement = placement_of(view, &ahead);
  if (view.beam == Beam::parallel) {
    t.kind = Trajectory::Kind::parallel;
  } else {
    t.source_to_axis = view.source.x;
    t.source_to_detector = view.source.x - ahead;
  }
  find_shifts(t, scan);
  const auto views = static_cast<double>(t.angles_deg.size());
  const double step = t.angles_deg.size() > 1 ? (t.angles_deg.back() - t.angles_deg.front()) / (views - 1) : 0;
  const Trajectory::Arc arc{t.angles_deg.front(), step * views, static_cast<std::int64_t>(t.angles_deg.size())};
  const std::vector<double> equal = equal_angles(arc.views, arc.start_deg, arc.arc_deg);
  const bool even = std::ranges::equal(equal, t.angles_deg, [](double a, double b) { return std::abs(a - b) < 1e-9; });
  if (even && arc.arc_deg != 0) {
    t.arc = arc;
    t.angles_deg = equal;
  }
  const double length = std::max(glm::length(view.source), glm::length(view.center)) + glm::length(view.u);
  return agree(make_views(t, scan.detector), scan.views, length) ? std::optional(t) : std::nullopt;
}

}  // namespace backlit
