#include <backlit/io/lists/scanner_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <backlit/core/assets.hpp>
#include <backlit/core/error.hpp>
#include "io/lists/scanner_format_list.hpp"
#include "io/text_fields.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".scanner.toml";

Scanner load_file(const fs::path& path) {
  if (const ScannerFormat* format = scanner_format_list().find(file_front(path))) return format->load(path);
  if (file_extension(path.string()) == ".geom")
    throw InputError(path.string(), "CASToR's .geom files are not read",
                     "make its .lut with CASToR, and name the .hscan");
  return load_crystal_map(path).scanner;  // gives the most useful error
}

}  // namespace

bool is_scanner(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && scanner_format_list().recognized(file_front(path));
}

std::vector<std::string> shipped_scanners() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(asset_folder("scanners"), none)) {
    const std::string file = entry.path().filename().string();
    if (file.ends_with(extension)) names.push_back(file.substr(0, file.size() - extension.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Scanner load_scanner(const std::string& path_or_name) {
  std::error_code none;
  if (fs::is_regular_file(path_or_name, none)) return load_file(path_or_name);
  const auto names = shipped_scanners();
  if (std::find(names.begin(), names.end(), path_or_name) == names.end())
    throw InputError(path_or_name, "no such scanner",
                     fmt::format("give a file ({}) or {}", fmt::join(readable_titles(scanner_formats()), ", "),
                                 one_of_shipped(names)));
  return load_file(asset_folder("scanners") / (path_or_name + std::string(extension)));
}

void save_scanner(const Scanner& scanner, const fs::path& path) {
  if (const ScannerFormat* format = scanner_format_list().saved_as(path)) return format->save(scanner, path);
  throw InputError(path.string(), fmt::format("no format for scanners is called '{}'", path.extension().string()),
                   fmt::format("scanners are saved as {}", fmt::join(savable_titles(scanner_formats()), ", ")));
}

}  // namespace backlit
