#include "rest_of_scan.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/file_format.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include "core/parse_toml.hpp"
#include "io/scans/corrections_toml.hpp"

namespace backlit::cli {
namespace {

namespace fs = std::filesystem;

bool is_toml(const ScanFile& file) { return has_extension(file.path, {".toml"}); }

fs::path folder_of(const fs::path& file) { return fs::weakly_canonical(fs::absolute(file).parent_path()); }

/// The file's path, relative to the folder of another. A link stays a link: other files may lie beside it.
std::string seen_from(const fs::path& file, const fs::path& other) {
  return (folder_of(file) / file.filename()).lexically_relative(folder_of(other)).string();
}

}  // namespace

void require_folder_of(const ScanFile& file, const std::string& output) {
  if (is_toml(file) && folder_of(output) != folder_of(file.path))
    throw InputError(output, "the files that the scan names are given relative to its folder",
                     fmt::format("write it to {}", fs::absolute(file.path).parent_path().string()));
}

std::string rest_of_scan(const ScanFile& file, const std::string& output, const std::vector<std::string>& replaced) {
  if (!is_toml(file)) return fmt::format("[data]\nscan = {}", toml_text(seen_from(file.path, output)));
  std::ostringstream text, rest;
  text << std::ifstream(file.path).rdbuf();
  toml::table tables = parse_toml(text.str(), file.path.string());
  for (const std::string& key : replaced) tables.erase(key);
  rest << toml::toml_formatter(tables);
  return rest.str();
}

void save_with_corrections(const ScanFile& file, CorrectionOptions corrections, const std::string& output) {
  if (!corrections.water_spectrum.empty()) corrections.water_spectrum = seen_from(corrections.water_spectrum, output);
  if (is_toml(file)) {
    require_folder_of(file, output);
    return write_text(output, fmt::format("{}\n{}", rest_of_scan(file, output, {"corrections"}),
                                          corrections_toml(std::move(corrections))));
  }
  ScanWriteOptions options;
  options.trajectory_toml = file.trajectory_toml;
  options.volume = file.volume;
  options.corrections = std::move(corrections);
  options.scan = seen_from(file.path, output);
  save_scan(file.scan, options, output);
}

}  // namespace backlit::cli
