#include "render/images/text_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <backlit/core/assets.hpp>
#include <backlit/core/error.hpp>

namespace backlit {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t largest_file = 1 << 20;
constexpr const char* blanks = " \t\r";

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace

void TextLine::fail(const std::string& problem, const std::string& remedy) const {
  throw InputError(where, problem, remedy);
}

double TextLine::number(const std::string& text) const {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value))
    fail(fmt::format("'{}' is not a number", text), "give a finite number");
  return value;
}

std::vector<double> TextLine::numbers(std::size_t count, const std::string& what) const {
  std::vector<double> values;
  for (const std::string& field : split_fields(all)) values.push_back(number(field));
  if (values.size() != count) fail(fmt::format("{} numbers", values.size()), fmt::format("give {}: {}", count, what));
  return values;
}

std::vector<TextLine> text_lines(const std::string& text, const std::string& where) {
  std::vector<TextLine> lines;
  std::istringstream in(text);
  std::string raw;
  for (int number = 1; std::getline(in, raw); ++number) {
    const std::string line = trimmed(raw.substr(0, raw.find('#')));
    if (line.empty()) continue;
    const auto space = line.find_first_of(blanks);
    lines.push_back({fmt::format("{}:{}", where, number), line.substr(0, space),
                     space == std::string::npos ? "" : trimmed(line.substr(space)), line});
  }
  return lines;
}

std::vector<std::string> split_fields(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

NamedText read_named_text(const char* folder, const std::string& name_or_path, const std::string& kind) {
  const auto names = asset_names(folder);
  const bool shipped = std::ranges::find(names, name_or_path) != names.end();
  const fs::path path = shipped ? asset_folder(folder) / (name_or_path + ".txt") : fs::path(name_or_path);
  std::error_code none;
  if (!fs::is_regular_file(path, none))
    throw InputError(kind, fmt::format("'{}' is neither a known name nor a file", name_or_path),
                     fmt::format("choose {}", one_of_shipped(names)));
  if (fs::file_size(path, none) > largest_file)
    throw InputError(path.string(), "the file is larger than 1 MiB", fmt::format("give a {} as text", kind));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path.string(), "the file cannot be read");
  return {path.stem().string(), path.string(), {std::istreambuf_iterator<char>(file), {}}};
}

std::vector<std::string> asset_names(const char* folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(asset_folder(folder), none))
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace backlit
