// Formats of PET scanners: where crystals are and which pairs count. One file each in engine/io/lists.
#pragma once

#include <list>

#include <backlit/data/scanner.hpp>
#include <backlit/io/file_format.hpp>

namespace backlit {

struct ScannerFormat : FileFormat {
  /// Throws InputError naming file and key or line. Required.
  std::function<Scanner(const std::filesystem::path&)> load;
  /// Writes a scanner, whole or not at all. Empty where saved_as is.
  std::function<void(const Scanner&, const std::filesystem::path&)> save{};
};

/// The table, in the order in which help names the formats.
const std::list<ScannerFormat>& scanner_formats();

/// Adds a format to the end of the table; load_scanner() and is_scanner() know it from then on. Throws InputError when
/// its name or an extension that it saves under is taken.
void register_scanner_format(ScannerFormat);

}  // namespace backlit
