// Output of `backlit info` for a list of PET events.
#pragma once

#include <string>

#include "command.hpp"

namespace backlit::cli {

struct ListModeQuestion {
  std::string file, scanner, png;
  bool flip_tof = false;
};

void print_list_mode(const ListModeQuestion&, const Console&);

}  // namespace backlit::cli
