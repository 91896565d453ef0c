#include "model/geometry_parameters.hpp"

#include <algorithm>
#include <array>

#include <backlit/core/error.hpp>

namespace backlit::viewer {

std::span<const GeometryParameter> geometry_parameters() {
  using G = GeometryState;
  static constexpr std::array all{
      GeometryParameter{"center_shift", "column_offset", &G::center_shift, 1, true, 2},
      GeometryParameter{"offset_v", "row_offset", &G::offset_v, 2, false, 2},
      GeometryParameter{"tilt_n", "in_plane", &G::tilt_n, 0.25, false, 3},
      GeometryParameter{"tilt_u", "tilt_u", &G::tilt_u, 1, false, 2},
      GeometryParameter{"tilt_v", "tilt_v", &G::tilt_v, 1, false, 2},
      GeometryParameter{"detector_distance", "detector_distance", &G::detector_distance, 0.01, true, 4}};
  return all;
}

const std::vector<std::string>& geometry_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const GeometryParameter& p : geometry_parameters()) list.emplace_back(p.name);
    return list;
  }();
  return names;
}

const GeometryParameter& geometry_parameter(const std::string& name) {
  for (const GeometryParameter& p : geometry_parameters())
    if (name == p.name) return p;
  throw InputError(name, "is no number of the geometry",
                   "center_shift, offset_v, tilt_n, tilt_u, tilt_v, "
                   "detector_distance");
}

const CalibratedParameter& found_by(const Calibration& c, const GeometryParameter& p) {
  const auto found = std::ranges::find(c.parameters, p.found, &CalibratedParameter::name);
  if (found == c.parameters.end()) throw Failure("viewer", std::string("no calibration of ") + p.found);
  return *found;
}

GeometryState taken(GeometryState state, const Calibration& c, const std::string& name) {
  if (name == "reversed" && !c.direction_determined)
    throw InputError(name, "the views do not determine it", "set it by hand");
  if (!name.empty() && name != "reversed")
    if (const CalibratedParameter& p = found_by(c, geometry_parameter(name)); !p.determined)
      throw InputError(name, "the views do not determine it: " + p.reason, "set it by hand");
  if (c.direction_determined && (name.empty() || name == "reversed")) state.reversed = c.correction.reversed;
  for (const GeometryParameter& g : geometry_parameters())
    if (const CalibratedParameter& p = found_by(c, g); p.determined && (name.empty() || name == g.name))
      state.*g.member = p.value;
  return state;
}

}  // namespace backlit::viewer
