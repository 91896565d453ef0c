#include <backlit/projectors/emission/emission_options.hpp>

#include <sstream>

#include "core/find_name.hpp"

namespace backlit {
namespace {

constexpr std::array slices{"axis", "facing"};
constexpr std::array backs{"matched", "attenuated", "plain"};

}  // namespace

const char* name(EmissionOptions::Slices s) { return slices[static_cast<std::size_t>(s)]; }
const char* name(EmissionOptions::Back b) { return backs[static_cast<std::size_t>(b)]; }
EmissionOptions::Slices slices_from(const std::string& n) {
  return find_name<EmissionOptions::Slices>(slices, n, "emission slices");
}
EmissionOptions::Back back_from(const std::string& n) {
  return find_name<EmissionOptions::Back>(backs, n, "emission back");
}

Parameters describe(EmissionWords& o) {
  return {
      {"attenuation", &o.attenuation, "emission: volume of attenuation on the grid, 1/mm; empty: nothing attenuates"},
      {"scatter", &o.scatter, "emission: standard deviation of the blur that 100 mm of path add; 0: none", "mm", 0,
       1000},
      {"scatter_kernel", &o.scatter_kernel,
       "emission: dependence of a slab's blur, any of attenuation,distance,direction, or none"},
      {"emission_slices",
       &o.emission_slices,
       "emission: slices along the grid's axes, or facing the detector",
       "",
       0,
       0,
       {"axis", "facing"}},
      {"emission_back",
       &o.emission_back,
       "emission: model of backprojection; attenuated and plain are no transposes",
       "",
       0,
       0,
       {"matched", "attenuated", "plain"}},
      {"detector_distance", &o.detector_distance,
       "emission: distance from the grid's middle to the detector's face; 0: the scan's, but outside the grid", "mm", 0,
       1e6},
  };
}

EmissionOptions emission_options(const EmissionWords& w, Precision precision, Pipeline pipeline) {
  EmissionOptions o;
  o.precision = precision;
  o.pipeline = pipeline;
  o.slices = slices_from(w.emission_slices);
  o.back = back_from(w.emission_back);
  o.scatter_mm = w.scatter;
  o.detector_mm = w.detector_distance;
  o.scatter_by_attenuation = o.scatter_by_distance = o.scatter_by_direction = false;
  std::istringstream items(w.scatter_kernel);
  for (std::string item; std::getline(items, item, ',');) {
    if (item == "none" && w.scatter_kernel == "none") break;
    static constexpr std::array names{"attenuation", "distance", "direction"};
    enum class Adjust { attenuation, distance, direction };
    const auto found = find_name<Adjust>(names, item, "scatter kernel");
    (found == Adjust::attenuation ? o.scatter_by_attenuation
     : found == Adjust::distance  ? o.scatter_by_distance
                                  : o.scatter_by_direction) = true;
  }
  return o;
}

}  // namespace backlit
