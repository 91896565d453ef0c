// Random but valid actions, the same for the same seed: the kill test.
#pragma once

#include "model/model.hpp"

namespace backlit::viewer {

/// One invocation that makes sense now, of a row of the table that has `random`.
Action random_action(Model&, std::mt19937&);

}  // namespace backlit::viewer
