#include "model/sources/scan_import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "io/text_fields.hpp"
#include "model/sources/file_beside.hpp"
#include "model/sources/raw_import.hpp"

namespace backlit::viewer {
namespace {

namespace fs = std::filesystem;

/// The images in the folder whose name begins with one of the words, as a pattern; empty: there are none. "io_1.tif"
/// begins with "io", "iodine_1.tif" does not.
std::string images_named(const fs::path& folder, const std::string& ending, std::initializer_list<const char*> words) {
  std::vector<std::string> names;
  for (const fs::path& file : files_in(folder)) {
    const std::string name = file.filename().string(), low = lower_case(name);
    const std::string first = low.substr(0, low.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
    const bool named = std::ranges::any_of(words, [&](const char* word) { return first == word; });
    if (named && lower_case(file.extension().string()) == ending) names.push_back((folder / name).string());
  }
  if (names.size() < 2) return names.empty() ? "" : names[0];
  // "flat*.tif", so that images from before and after the scan are taken; a stack, where that names others, too.
  const std::string one = fs::path(*std::ranges::min_element(names)).filename().string();
  const std::string word = one.substr(0, lower_case(one).find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
  const std::string all = (folder / (word + "*" + fs::path(one).extension().string())).string();
  return natural_glob(all).size() == names.size() ? all : stack_of((folder / one).string());
}

/// A path as the scan file has it: relative to the file, which lies beside the views.
std::string quoted(const std::string& images, const fs::path& folder) {
  const fs::path path = fs::absolute(images);
  std::string text;
  for (const char c : path.parent_path() == folder ? path.filename().string() : path.string()) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return '"' + text + '"';
}

std::string order_of_pixels(const ScanImport& scan) {
  DetectorPlacement placement;
  place_first_pixel(placement, scan.first_row_top, !scan.first_column_left);
  if (placement.tilt_u == 0 && placement.tilt_n == 0) return {};
  return fmt::format("tilt_deg = [{}, 0, {}]  # the first pixel is at the {} {}, seen from the source\n",
                     placement.tilt_u, placement.tilt_n, scan.first_row_top ? "top" : "bottom",
                     scan.first_column_left ? "left" : "right");
}

std::string text_of(const ScanImport& scan, const fs::path& folder) {
  const bool cone = scan.source_to_axis_mm > 0;
  std::string text = fmt::format("[detector]\npixel_mm = {:.9g}\n", scan.pixel_mm);
  text += order_of_pixels(scan);
  text += fmt::format("\n[trajectory]\nkind = \"{}\"\n", cone ? "circular" : "parallel");
  if (cone)
    text += fmt::format("source_to_axis_mm = {:.9g}\nsource_to_detector_mm = {:.9g}\n", scan.source_to_axis_mm,
                        scan.source_to_detector_mm);
  text += fmt::format("arc_deg = {:.9g}\n\n[data]\nprojections = {}\nkind = \"{}\"\n", scan.arc_deg,
                      quoted(scan.images, folder), scan.counts ? "counts" : "line_integrals");
  if (!scan.counts) return text;
  if (!scan.flats.empty()) text += fmt::format("flats = {}\n", quoted(scan.flats, folder));
  if (!scan.darks.empty()) text += fmt::format("darks = {}\n", quoted(scan.darks, folder));
  return text;
}

/// "view_*.tif" -> "view", "*.tif" -> "scan".
std::string stem_of(const std::string& images) {
  std::string name = fs::path(images).filename().string();
  name = name.substr(0, name.find_first_of("*.["));
  while (!name.empty() && (name.back() == '_' || name.back() == '-' || name.back() == ' ')) name.pop_back();
  return name.empty() ? "scan" : name;
}

}  // namespace

ScanImport guess_scan(const std::string& images) {
  ScanImport scan;
  scan.images = images;
  const StackInfo info = open_stack(images)->info();
  scan.counts = !info.type.starts_with('f');
  if (info.pixel_mm) scan.pixel_mm = info.pixel_mm->x;
  const fs::path path(images), folder = path.parent_path();
  const std::string ending = lower_case(path.extension().string());
  scan.flats = images_named(folder, ending,
                            {"flat", "flats", "flatfield", "open", "openbeam", "ref", "reference", "white", "io"});
  scan.darks = images_named(folder, ending, {"dark", "darks", "darkfield", "offset", "black"});
  if (scan.flats == images) scan.flats.clear();
  if (scan.darks == images) scan.darks.clear();
  return scan;
}

std::string missing(const ScanImport& scan) {
  const double axis = scan.source_to_axis_mm, detector = scan.source_to_detector_mm;
  const auto wrong = [](double x) { return !std::isfinite(x) || x < 0; };
  if (wrong(scan.pixel_mm) || scan.pixel_mm == 0)
    return "the pixel size must be above 0 mm: look it up in the detector's data sheet";
  if (!std::isfinite(scan.arc_deg) || scan.arc_deg == 0) return "the arc must not be 0 degrees";
  if (wrong(axis) || wrong(detector)) return "distances must not be below 0 mm";
  if ((axis > 0) != (detector > 0)) return "give both distances, or neither for parallel beams";
  if (detector < axis) return "the detector is nearer to the source than the axis: are the two distances exchanged?";
  return {};
}

std::string save_scan(const ScanImport& scan) {
  if (const std::string text = missing(scan); !text.empty()) throw InputError(scan.images, text);
  const StackInfo views = open_stack(scan.images)->info();
  for (const std::string& images : {scan.flats, scan.darks}) {
    if (images.empty() || !scan.counts) continue;
    const StackInfo info = open_stack(images)->info();
    if (info.columns != views.columns || info.rows != views.rows)
      throw InputError(
          images,
          fmt::format("has {} x {} pixels, the views {} x {}", info.columns, info.rows, views.columns, views.rows),
          "give images of one size");
  }
  const fs::path folder = fs::absolute(scan.images).parent_path();
  return write_beside((folder / stem_of(scan.images)).string(), ".scan.toml", text_of(scan, folder));
}

}  // namespace backlit::viewer
