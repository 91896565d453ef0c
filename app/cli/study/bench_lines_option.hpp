// What `backlit bench` asks of lines of response.
#pragma once

#include <functional>
#include <string>

#include "command.hpp"
#include "study/bench/bench_lines.hpp"

namespace backlit::cli {

struct LinesOption {
  std::string events = "1", widths = "3", tofs = "0,636";  ///< lists: millions, voxels, ps
  double axial_mm = 104;
  LineBenchOptions lines;
};

Parameters describe(LinesOption&);

/// Every combination for one case.
void run_lines(const LinesOption&, Backend&, const std::string& name, std::int64_t repeats, const Console&,
               const std::function<void(const BenchRow&)>& report);

}  // namespace backlit::cli
