// Varian's older on-board imager: .hnd or .hnc images with their geometry in an XML file, or in their own headers.
#pragma once

#include <filesystem>

#include <backlit/io/scans/scan_file.hpp>

namespace backlit::formats {

/// Whether a folder, or Scan0 or Acquisitions in it, holds .hnd or .hnc images other than air scans.
bool has_obi_images(const std::filesystem::path& folder);

/// `path`: ProjectionInfo.xml, Scan.xml, or a folder of images without either. Throws InputError.
ScanFile load_obi(const std::filesystem::path& path);

}  // namespace backlit::formats
