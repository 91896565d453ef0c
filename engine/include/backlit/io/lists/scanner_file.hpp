// PET scanners in files of any format; see scanner_format.hpp.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <backlit/data/scanner.hpp>

namespace backlit {

/// Loads a shipped scanner by name ("gemini_tf": see assets/scanners/README.md), or a file of one of scanner_formats().
/// The content decides the format, then the extension. Throws InputError naming file and key or line.
Scanner load_scanner(const std::string& path_or_name);

/// Names of the scanners that ship, sorted.
std::vector<std::string> shipped_scanners();

/// A crystal map: `number` gives the crystal (the line in the file) of each (ring, detector, layer).
struct CrystalMap {
  Scanner scanner;
  std::map<std::array<std::int64_t, 3>, std::uint32_t> number;
};
CrystalMap load_crystal_map(const std::filesystem::path&);

/// Whether a file is one of scanner_formats(), by its content.
bool is_scanner(const std::filesystem::path&);

/// Writes a scanner in the format of the extension: CASToR's .hscan and the .lut beside it, both or none. Positions are
/// written unchanged, as points of mean interaction. Throws InputError for an unknown extension (listing the known
/// ones).
void save_scanner(const Scanner&, const std::filesystem::path& path);

}  // namespace backlit
