#include <backlit/geometry/view_shifts.hpp>

#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include "core/solve.hpp"

namespace backlit {
namespace {

/// px by which the image moves along u and v per mm of the object near the axis.
std::pair<Vec3, Vec3> image_motion(const View& view) {
  const double magnification =
      view.beam == Beam::cone ? detector_normal(view).distance / glm::length(point_on_axis(view) - view.source) : 1;
  return {view.u * (magnification / glm::dot(view.u, view.u)), view.v * (magnification / glm::dot(view.v, view.v))};
}

}  // namespace

Scan shifted(Scan scan, const std::vector<ViewShift>& shifts) {
  if (shifts.size() != scan.views.size())
    throw InputError("view shifts", fmt::format("{} shifts for {} views", shifts.size(), scan.views.size()),
                     "give one for each view");
  if (scan.detector.shape == Detector::Shape::curved)
    throw InputError("view shifts", "views of curved detectors are not shifted", "use a flat detector");
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    View& view = scan.views[i];
    view.center -= shifts[i].u * view.u + shifts[i].v * view.v;
  }
  return scan;
}

std::vector<ViewShift> without_translation(std::vector<ViewShift> shifts, const Scan& scan) {
  std::vector<double> matrix(9, 0), right(3, 0), solution;
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const auto [u, v] = image_motion(scan.views[i]);
    for (int a = 0; a < 3; ++a) {
      right[static_cast<std::size_t>(a)] += u[a] * shifts[i].u + v[a] * shifts[i].v;
      for (int b = 0; b < 3; ++b) matrix[static_cast<std::size_t>(3 * a + b)] += u[a] * u[b] + v[a] * v[b];
    }
  }
  if (!solve(std::move(matrix), std::move(right), solution)) return shifts;
  const Vec3 translation{solution[0], solution[1], solution[2]};
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const auto [u, v] = image_motion(scan.views[i]);
    shifts[i].u -= glm::dot(u, translation);
    shifts[i].v -= glm::dot(v, translation);
  }
  return shifts;
}

double rms(const std::vector<ViewShift>& shifts) {
  double sum = 0;
  for (const ViewShift& shift : shifts) sum += shift.u * shift.u + shift.v * shift.v;
  return shifts.empty() ? 0 : std::sqrt(sum / static_cast<double>(shifts.size()));
}

}  // namespace backlit
