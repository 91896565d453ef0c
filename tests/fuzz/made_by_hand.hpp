// Samples of formats that are only read.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace backlit::fuzz {

/// What writes a small file of the format `name` of a table ("volume", "scan", "geometry", "list", "scanner"), and the
/// files that belong to it beside it. Empty where there is none.
std::function<void(const std::filesystem::path&)> made_by_hand(const std::string& table, const std::string& name);

}  // namespace backlit::fuzz
