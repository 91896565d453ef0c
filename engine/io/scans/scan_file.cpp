#include <backlit/io/scans/scan_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include "io/scans/geometry_format_list.hpp"
#include "io/scans/scan_format_list.hpp"
#include "io/volumes/volume_format_list.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

/// Files that people try first and that lack half of a scan: geometry without data, or data without geometry.
void refuse_half_scans(const FileFront& front) {
  const std::string name = front.path.filename().string();
  const auto recognizes = [&](const auto& formats) {
    return std::ranges::any_of(formats, [&](const auto& f) { return f.recognizes && f.recognizes(front); });
  };
  if (recognizes(geometry_formats()))
    throw InputError(front.path.string(), "a geometry without projections",
                     fmt::format("write a .scan.toml with [detector] columns, rows, pixel_mm; [trajectory] geometry = "
                                 "\"{}\"; [data] projections = \"...\"",
                                 name));
  if (recognizes(volume_formats()))
    throw InputError(front.path.string(), "images without a geometry",
                     fmt::format("write a .scan.toml with [detector] pixel_mm; [trajectory] kind, angles and "
                                 "distances; [data] projections = \"{}\" (assets/scans has examples)",
                                 name));
  if (front.bytes.find('\0') != std::string::npos)
    throw InputError(front.path.string(), "not a scan",
                     fmt::format("scans are {}", fmt::join(readable_titles(scan_formats()), ", ")));
}

/// What is of no other format is read as text: that says best what is wrong.
const ScanFormat& format_of(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    throw InputError(path.string(), "a folder, not a scan", "name the .scan.toml in it");
  require_regular_file(path);
  if (!fs::exists(path, error))
    throw InputError(path.empty() ? "''" : path.string(), "no such file, or it cannot be read");
  const FileFront front = file_front(path);
  if (const ScanFormat* format = scan_format_list().find(front)) return *format;
  refuse_half_scans(front);
  return scan_formats().front();
}

ScanFile load(const fs::path& path, bool with_data) {
  ScanFile file = format_of(path).load(path, with_data);
  file.inputs.push_back(path);
  return file;
}

}  // namespace

bool is_scan(const fs::path& path) { return scan_format_list().recognized(file_front(path)) != nullptr; }

ScanFile load_scan(const fs::path& path) { return load(path, true); }
ScanFile load_scan_geometry(const fs::path& path) { return load(path, false); }

void save_scan(const Scan& scan, const ScanWriteOptions& options, const fs::path& path) {
  const ScanFormat* format = scan_format_list().saved_as(path);
  (format ? *format : scan_formats().front()).save(scan, options, path);
}

}  // namespace backlit
