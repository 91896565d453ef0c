#pragma once

#include "command.hpp"

namespace backlit::cli {

void add_plan(CLI::App&, Action&);

}  // namespace backlit::cli
