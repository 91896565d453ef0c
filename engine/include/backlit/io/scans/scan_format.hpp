// Formats of scans: geometry and projections together. One file each in engine/io/scans.
#pragma once

#include <list>

#include <backlit/io/file_format.hpp>
#include <backlit/io/scans/scan_file.hpp>

namespace backlit {

struct ScanFormat : FileFormat {
  /// Reads a scan. Without `with_data` the reader opens projections only when the geometry needs them. Throws
  /// InputError. Required.
  std::function<ScanFile(const std::filesystem::path&, bool with_data)> load;
  /// load_scan() compares turning sense and flips with the data; false for geometries that a user states.
  bool checks_directions = true;
  /// Writes a scan, atomically. Empty when saved_as is empty.
  std::function<void(const Scan&, const ScanWriteOptions&, const std::filesystem::path&)> save{};
};

/// The table, in the order in which help names the formats.
const std::list<ScanFormat>& scan_formats();

/// Adds a format to the end of the table, for load_scan() and is_scan(). Throws InputError when its name is taken.
void register_scan_format(ScanFormat);

}  // namespace backlit
