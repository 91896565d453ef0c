// The benchmark cases by name (docs/benchmarks/index.md gives the source of each).
#pragma once

#include <string>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

struct BenchCase {
  std::string name;
  std::string about;  ///< one line for --help and reports
  VolumeGrid grid;
  Scan scan;
};

/// Names of all cases.
std::vector<std::string> bench_case_names();

/// course512 with other sizes, named "cubeN": N^3 voxels in a cube of 256 mm. It has `views` over the full circle, of
/// 2N x 2N pixels on a square of `detector_mm`. At 512 mm every view covers the cube; at 380 mm the circle that all
/// views cover lies just within it.
BenchCase study_case(std::int64_t n, std::int64_t views, double detector_mm = 512);

/// Throws InputError that lists the names if there is no such case.
BenchCase bench_case(const std::string& name);

}  // namespace backlit
