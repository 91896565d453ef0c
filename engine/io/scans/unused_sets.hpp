// What an HDF5 file holds besides what a reader took.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "io/header_fields.hpp"

namespace backlit {

/// Adds every data set that is not among `used` as a field: a single number with its unit, a single text, else how many
/// values it has.
void list_unused_sets(const std::filesystem::path&, const std::set<std::string>& used, HeaderFields&);

}  // namespace backlit
