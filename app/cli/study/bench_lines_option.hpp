// Options of `backlit bench` for lines of response.
#pragma once

#include <functional>
#include <string>

#include "command.hpp"
#include "study/bench/bench_lines.hpp"

namespace backlit::cli {

struct LinesOption {
  std::string events = "1", widths = "3", tofs = "0,636";  ///< lists of millions, voxels and ps
  double axial_mm = 104;
  LineBenchOptions lines;
};

Parameters describe(LinesOption&);

/// Times every combination of the options for one case.
void run_lines(const LinesOption&, Backend&, const std::string& name, std::int64_t repeats, const Console&,
               const std::function<void(const BenchRow&)>& report);

}  // namespace backlit::cli
