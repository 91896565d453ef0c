#include <backlit/io/scans/scan_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "io/lists/list_format_list.hpp"
#include "io/other_files.hpp"
#include "io/scans/directions.hpp"
#include "io/scans/geometries/geometry_format_list.hpp"
#include "io/scans/scan_format_list.hpp"
#include "io/volumes/volume_format_list.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

template <class Formats>
bool any_recognizes(const Formats& formats, const FileFront& front) {
  return std::ranges::any_of(formats, [&](const auto& f) { return f.recognizes && f.recognizes(front); });
}

/// Refuses files that are only half of a scan: geometry without data, or data without geometry. And lists of PET.
void refuse_half_scans(const FileFront& front) {
  const std::string name = front.path.filename().string();
  if (any_recognizes(geometry_formats(), front))
    throw InputError(front.path.string(), "a geometry without projections",
                     fmt::format("write a .scan.toml with [detector] columns, rows, pixel_mm; [trajectory] geometry = "
                                 "\"{}\"; [data] projections = \"...\"",
                                 name));
  if (any_recognizes(volume_formats(), front))
    throw InputError(front.path.string(), "images without a geometry",
                     fmt::format("write a .scan.toml with [detector] pixel_mm; [trajectory] kind, angles and "
                                 "distances; [data] projections = \"{}\" (assets/scans has examples)",
                                 name));
  if (any_recognizes(list_formats(), front))
    throw InputError(front.path.string(), "a list of PET events, not a scan", "backlit pet reconstructs it");
  if (front.bytes.find('\0') != std::string::npos)
    throw InputError(front.path.string(), "not a scan",
                     fmt::format("scans are {}", fmt::join(readable_titles(scan_formats()), ", ")));
}

/// Null also for files that cannot be opened.
const ScanFormat* recognized_or_null(const fs::path& path) {
  try {
    return scan_format_list().recognized(file_front(path));
  } catch (const InputError&) {
    return nullptr;
  }
}

/// Names what a folder without a scan holds: the only list of PET events, or bare images.
void refuse_folder_without_scan(const fs::path& folder) {
  std::map<std::string, int> images;  // their number, by the title of their format
  std::vector<std::string> lists;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_regular_file(error)) continue;
    try {
      const FileFront front = file_front(entry.path());
      if (list_format_list().recognized(front)) lists.push_back(entry.path().filename().string());
      const VolumeFormat* format = volume_format_list().recognized(front);
      if (format && has_extension(entry.path(), {".tif", ".tiff", ".edf", ".his", ".hnd", ".hnc", ".xim"}))
        ++images[format->title];
    } catch (const InputError&) {  // a file that cannot be opened
    }
  }
  if (lists.size() == 1)
    throw InputError(folder.string(), "a folder with a list of PET events",
                     fmt::format("name the list: {}", (folder / lists.front()).string()));
  if (images.empty()) return;
  for (const char* up : {"..", "../.."})  // a TrueBeam's images lie in folders below its Scan.xml
    if (const fs::path scan = (folder / up).lexically_normal() / "Scan.xml"; recognized_or_null(scan))
      throw InputError(folder.string(), "a folder with the images of a scan",
                       fmt::format("name the scan: {}", scan.string()));
  const auto& [title, count] = *std::ranges::max_element(images, {}, [](const auto& kind) { return kind.second; });
  throw InputError(folder.string(), fmt::format("{} {} image{} without angles", count, title, count == 1 ? "" : "s"),
                   fmt::format("write a .csv with file,angle_deg beside {}", count == 1 ? "it" : "them"));
}

/// The only scan in a folder. Of several scans, the only one in our own format is taken.
fs::path scan_in(const fs::path& folder) {
  std::vector<fs::path> scans, ours;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_regular_file(error)) continue;
    const ScanFormat* format = recognized_or_null(entry.path());
    if (!format) continue;
    scans.push_back(entry.path());
    if (format == &scan_formats().front()) ours.push_back(entry.path());
  }
  if (ours.size() == 1) return ours.front();
  if (scans.empty()) refuse_folder_without_scan(folder);
  sort_naturally(scans);
  if (scans.size() == 1) return scans.front();
  std::vector<std::string> names;
  for (const fs::path& scan : scans) names.push_back(scan.filename().string());
  if (names.size() > 8) names.resize(8);
  throw InputError(folder.string(),
                   scans.empty() ? "a folder without a scan" : fmt::format("a folder of {} scans", scans.size()),
                   scans.empty() ? fmt::format("scans are {}", fmt::join(readable_titles(scan_formats()), ", "))
                                 : fmt::format("name one of them: {}", fmt::join(names, ", ")));
}

/// A file of no other format is read as TOML, because that reader gives the most useful error.
const ScanFormat& format_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) require_regular_file(path);
  if (!fs::exists(path, error))
    throw InputError(path.empty() ? "''" : path.string(), "no such file, or it cannot be read");
  const FileFront front = file_front(path);
  if (const ScanFormat* format = scan_format_list().recognized(front)) return *format;
  refuse_other_file(front);
  const ScanFormat* format = scan_format_list().find(front);
  // An extension alone, such as .xml, does not make a geometry a scan.
  const bool by_extension = format && std::ranges::count(format->extensions, path.extension().string()) > 0;
  if (format && !(by_extension && any_recognizes(geometry_formats(), front))) return *format;
  refuse_half_scans(front);
  return scan_formats().front();
}

ScanFile load(const fs::path& given, bool with_data) {
  std::error_code error;
  const bool searched = fs::is_directory(given, error) && !recognized_or_null(given);
  if (searched && volume_format_list().recognized({given, ""})) refuse_half_scans({given, ""});
  const fs::path path = searched ? scan_in(given) : given;
  const ScanFormat& format = format_of(path);
  ScanFile file = format.load(path, with_data);
  if (format.checks_directions) check_directions(file);
  file.inputs.push_back(path);
  return file;
}

}  // namespace

bool is_scan(const fs::path& path) {
  std::error_code error;
  const FileFront front = file_front(path);
  if (scan_format_list().recognized(front)) return true;
  return fs::is_directory(path, error) && !volume_format_list().recognized(front);
}

ScanFile load_scan(const fs::path& path) { return load(path, true); }
ScanFile load_scan_geometry(const fs::path& path) { return load(path, false); }

void save_scan(const Scan& scan, const ScanWriteOptions& options, const fs::path& path) {
  const ScanFormat* format = scan_format_list().saved_as(path);
  (format ? *format : scan_formats().front()).save(scan, options, path);
}

}  // namespace backlit
