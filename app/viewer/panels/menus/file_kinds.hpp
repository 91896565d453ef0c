// Which files the file dialog lists for an action.
#pragma once

#include <string>

#include "model/actions/actions.hpp"

namespace backlit::viewer {

/// Whether a file of that name is of a kind that the action reads or writes.
bool suits(const Action&, const std::string& file_name);

}  // namespace backlit::viewer
