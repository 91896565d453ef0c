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

}  // namespace

void require_folder_of(const ScanFile& file, const std::string& output) {
  const auto folder_of = [](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path).parent_path()); };
  if (is_toml(file) && folder_of(output) != folder_of(file.path))
    throw InputError(output, "the files that the scan names are given relative to its folder",
                     fmt::format("write it to {}", fs::absolute(file.path).parent_path().string()));
}

std::string rest_of_scan(const ScanFile& file, const std::string& output, const std::vector<std::string>& replaced) {
  if (!is_toml(file)) {
    const fs::path relative = fs::absolute(file.path).lexically_relative(fs::absolute(output).parent_path());
    return fmt::format("[data]\nscan = {}",
                       toml_text((relative.empty() ? fs::absolute(file.path) : relative).string()));
  }
  std::ostringstream text, rest;
  text << std::ifstream(file.path).rdbuf();
  toml::table tables = parse_toml(text.str(), file.path.string());
  for (const std::string& key : replaced) tables.erase(key);
  rest << toml::toml_formatter(tables);
  return rest.str();
}

void save_with_corrections(const ScanFile& file, CorrectionOptions corrections, const std::string& output) {
  const fs::path folder = fs::absolute(output).parent_path();
  if (!corrections.water_spectrum.empty())
    corrections.water_spectrum = fs::absolute(corrections.water_spectrum).lexically_relative(folder).string();
  if (is_toml(file)) {
    require_folder_of(file, output);
    return write_text(output, fmt::format("{}\n{}", rest_of_scan(file, output, {"corrections"}),
                                          corrections_toml(std::move(corrections))));
  }
  ScanWriteOptions options;
  options.trajectory_toml = file.trajectory_toml;
  options.volume = file.volume;
  options.corrections = std::move(corrections);
  const fs::path relative = fs::absolute(file.path).lexically_relative(folder);
  options.scan = relative.empty() ? fs::absolute(file.path).string() : relative.string();
  save_scan(file.scan, options, output);
}

}  // namespace backlit::cli
