// The benchmark cases, by the names used everywhere (docs/methods.md says where each comes from).
#pragma once

#include <string>
#include <vector>

#include "geometry/view.hpp"
#include "geometry/volume_grid.hpp"

namespace backlit {

struct BenchCase {
  std::string name;
  std::string about;  ///< one line for --help and reports
  VolumeGrid grid;
  Scan scan;
};

/// Names of all cases.
std::vector<std::string> bench_case_names();

/// Throws InputError listing the names when there is no such case.
BenchCase bench_case(const std::string& name);

}  // namespace backlit
