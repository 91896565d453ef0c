// Formats of PET scanners: positions of crystals and the pairs that count. One file each in engine/io/lists.
#pragma once

#include <list>

#include <backlit/data/scanner.hpp>
#include <backlit/io/file_format.hpp>

namespace backlit {

struct ScannerFormat : FileFormat {
  /// Throws InputError naming file and key or line. Required.
  std::function<Scanner(const std::filesystem::path&)> load;
  /// Writes a scanner, complete or not at all. Empty when saved_as is empty.
  std::function<void(const Scanner&, const std::filesystem::path&)> save{};
};

/// The table, in the order in which help names the formats.
const std::list<ScannerFormat>& scanner_formats();

/// Adds a format to the end of the table, for load_scanner() and is_scanner(). Throws InputError when its name or an
/// extension under which it saves is taken.
void register_scanner_format(ScannerFormat);

}  // namespace backlit
