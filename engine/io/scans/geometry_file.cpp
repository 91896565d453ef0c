#include <backlit/io/scans/geometry_file.hpp>

#include <fmt/format.h>

#include <fstream>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "io/scans/geometry_formats.hpp"
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

std::vector<View> read_one(const fs::path& file, Detector& detector, double source_to_detector) {
  const std::string text = read_text(file);
  const std::string_view start = trimmed(std::string_view(text).substr(text.starts_with("\xEF\xBB\xBF") ? 3 : 0));
  if (start.empty()) throw InputError(file.string(), "it is empty", "give a file of views");
  return start.front() == '<' ? read_rtk_xml(text, file.string(), detector)
                              : read_vector_table(text, file.string(), detector, source_to_detector);
}

}  // namespace

std::vector<View> read_geometry(const fs::path& file, Detector& detector, double source_to_detector) {
  const std::string pattern = file.string();
  std::vector<fs::path> files{file};
  if (!fs::exists(file) && pattern.find_first_of("*?[") != std::string::npos) {
    files = natural_glob(pattern);
    if (files.empty()) throw InputError(pattern, "no file matches this pattern", "check the folder and the pattern");
  }
  Scan scan{detector, {}};
  for (const fs::path& one : files)
    for (const View& view : read_one(one, scan.detector, source_to_detector)) scan.views.push_back(view);
  scan.check(pattern.c_str());
  detector = scan.detector;
  return scan.views;
}

void write_geometry(const Scan& scan, const fs::path& file) {
  scan.check("geometry to write");
  const std::string extension = file_extension(file.string());
  if (extension == ".xml") return write_text(file, write_rtk_xml(scan, file.string()));
  if (extension == ".txt") return write_text(file, write_vector_table(scan, file.string()));
  if (extension == ".matrices") return write_text(file, write_matrices(scan));
  throw InputError(file.string(), fmt::format("'{}' is no extension of a geometry", extension),
                   "give .xml (RTK), .txt (ASTRA) or .matrices (3x4 matrices)");
}

}  // namespace backlit
