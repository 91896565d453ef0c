// Lists of PET events as something to open.
#pragma once

#include "model/sources/source.hpp"

namespace backlit::viewer {

/// Name of the example: hot rods in a small ring with time of flight, simulated on the spot.
inline constexpr const char* list_demo = "demo:pet";

/// Reads the list once, to count. Throws InputError, and Cancelled.
Source open_list(const std::string& path, const PetState&, const Watch&);
Source open_list_demo(const Watch&);

}  // namespace backlit::viewer
