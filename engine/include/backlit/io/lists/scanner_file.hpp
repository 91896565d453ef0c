// PET scanners in files: our own text, CASToR's tables, crystal maps.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <backlit/data/scanner.hpp>

namespace backlit {

/// The file of a shipped scanner ("gemini_tf": see assets/scanners/README.md) or a path. By content: TOML; CASToR's
/// .hscan, with its .lut beside it; a crystal map (text: ring, detector, layer, x, y, z in mm a line). Throws
/// InputError naming file and key or line.
Scanner load_scanner(const std::string& path_or_name);

/// Names of the scanners that ship, sorted.
std::vector<std::string> shipped_scanners();

/// A crystal map as it is: which crystal (line) each (ring, detector, layer) is.
struct CrystalMap {
  Scanner scanner;
  std::map<std::array<std::int64_t, 3>, std::uint32_t> number;
};
CrystalMap load_crystal_map(const std::filesystem::path&);

/// Writes `path` (.hscan) and the .lut beside it, both or none. Positions are written as they are, as points of mean
/// interaction.
void save_castor_scanner(const Scanner&, const std::filesystem::path& path);

}  // namespace backlit
