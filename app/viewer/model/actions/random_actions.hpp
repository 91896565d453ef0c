// Random but valid actions, the same for the same seed.
#pragma once

#include "model/model.hpp"

namespace backlit::viewer {

/// A valid call of a random action; only rows of the table with `random`.
Action random_action(Model&, std::mt19937&);

}  // namespace backlit::viewer
