// `backlit simulate --listmode`: PET events instead of views.
#pragma once

#include <cstdint>
#include <string>

#include <backlit/geometry/grid_options.hpp>
#include <backlit/pet/simulate.hpp>
#include "command.hpp"

namespace backlit::cli {

struct ListModeFlags {
  bool on = false;
  std::string scanner = "gemini_tf", attenuation, attenuation_output;
  ListModeSimulation simulation;

  void add_flags(CLI::App&);
};

/// Options of simulate that scans and lists of events share.
struct ListModeJob {
  std::string phantom, output, truth;
  double scale = 1;
  std::int64_t seed = 1;
  GridOptions grid;
};

void simulate_list_mode(ListModeFlags, const ListModeJob&, const Console&);

}  // namespace backlit::cli
