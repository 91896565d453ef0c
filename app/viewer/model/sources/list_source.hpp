// Opens lists of PET events.
#pragma once

#include "model/sources/source.hpp"

namespace backlit::viewer {

/// Name of the example: hot rods in a small ring with time of flight, simulated when it is opened.
inline constexpr const char* list_demo = "demo:pet";

/// Reads the list once to count events. Throws InputError, and Cancelled.
Source open_list(const std::string& path, const PetState&, const Watch&);
Source open_list_demo(const Watch&);

}  // namespace backlit::viewer
