#include <backlit/recon/default_method.hpp>

#include <backlit/geometry/helix.hpp>

namespace backlit {

DefaultMethod default_method(const Scan& scan, const FilterOptions& filter) {
  if (filter.force || !filter.filters() || !is_helical(scan) || !helix_problem(scan).empty()) return {};
  return {"hfdk", "the trajectory is a helix"};
}

}  // namespace backlit
