#include <backlit/io/scans/geometry_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "io/scans/geometries/geometry_format_list.hpp"
#include "io/text_fields.hpp"

namespace backlit {
namespace fs = std::filesystem;
namespace {

std::string read_text(const fs::path& file) {
  constexpr std::uintmax_t largest = 256u << 20;
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    throw InputError(file.string(), "there is no such file", "check [trajectory] geometry in the scan file");
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > largest)
    throw InputError(file.string(), "it is larger than any geometry (256 MiB)", "give a file of views");
  std::ifstream in(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(size))) throw InputError(file.string(), "it cannot be read");
  return text;
}

std::vector<View> read_one(const fs::path& file, Detector& detector, double source_to_detector,
                           const glm::dvec2& image_middle) {
  GeometryText text{file.string(), read_text(file), source_to_detector, {0, 0}};
  if (trimmed(text.text).empty()) throw InputError(text.name, "it is empty", "give a file of views");
  const GeometryFormat* format = geometry_format_list().find({file, text.text});
  if (!format)
    throw InputError(text.name, "it is in no format of geometries known here",
                     fmt::format("known are {}", fmt::join(readable_titles(geometry_formats()), ", ")));
  if (format->image_frame_counts) text.image_middle = image_middle;
  return format->read(text, detector);
}

/// The file, or all files that match the pattern; at least one.
std::vector<fs::path> matching(const fs::path& file) {
  const std::string pattern = file.string();
  if (fs::exists(file) || pattern.find_first_of("*?[") == std::string::npos) return {file};
  std::vector<fs::path> files = natural_glob(pattern);
  if (files.empty()) throw InputError(pattern, "no file matches this pattern", "check the folder and the pattern");
  return files;
}

}  // namespace

std::vector<View> read_geometry(const fs::path& file, Detector& detector, double source_to_detector,
                                const glm::dvec2& image_middle) {
  Scan scan{detector, {}};
  for (const fs::path& one : matching(file))
    for (const View& view : read_one(one, scan.detector, source_to_detector, image_middle)) scan.views.push_back(view);
  scan.check(file.c_str());
  detector = scan.detector;
  return scan.views;
}

bool image_frame_counts(const fs::path& file) {
  const GeometryFormat* format = geometry_format_list().find(file_front(matching(file).front()));
  return format && format->image_frame_counts;
}

void write_geometry(const Scan& scan, const fs::path& file) {
  scan.check("geometry to write");
  if (const GeometryFormat* format = geometry_format_list().saved_as(file))
    return write_text(file, format->write(scan, file.string()));
  throw InputError(file.string(), fmt::format("'{}' is no extension of a geometry", file.extension().string()),
                   fmt::format("geometries are saved as {}", fmt::join(savable_titles(geometry_formats()), ", ")));
}

}  // namespace backlit
