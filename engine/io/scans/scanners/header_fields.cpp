#include "io/scans/scanners/header_fields.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include "io/byte_source.hpp"
#include "io/text_fields.hpp"

namespace backlit {
namespace {

/// Whether `name` is `wanted` or ends in ".wanted"; both in lower case.
bool names(std::string_view name, std::string_view wanted) {
  if (!name.ends_with(wanted)) return false;
  return name.size() == wanted.size() || name[name.size() - wanted.size() - 1] == '.';
}

std::string file_name(const std::filesystem::path& path) { return path.filename().string(); }

void add_elements(HeaderFields& fields, const tinyxml2::XMLElement& element, const std::string& prefix) {
  for (const auto* a = element.FirstAttribute(); a; a = a->Next())
    fields.add(prefix + a->Name(), a->Value(), fmt::format("line {}", a->GetLineNum()));
  for (const auto* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
    if (const char* text = child->GetText())
      fields.add(prefix + child->Name(), std::string(trimmed(text)), fmt::format("line {}", child->GetLineNum()));
    add_elements(fields, *child, fmt::format("{}{}.", prefix, child->Name()));
  }
}

}  // namespace

std::string read_small_text(const std::filesystem::path& path, std::size_t most) {
  require_regular_file(path);
  std::string text = read_front(path, most + 1);
  if (text.size() > most)
    throw InputError(path.string(), fmt::format("is larger than {} bytes", most),
                     "files of this format are small: check the path");
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  return text;
}

std::string with_unit(double value, std::string_view unit) {
  const auto single = static_cast<float>(value);
  const std::string number =
      static_cast<double>(single) == value ? fmt::format("{}", single) : fmt::format("{:.9g}", value);
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

HeaderFields HeaderFields::of_ini(const std::filesystem::path& path) {
  HeaderFields fields(path.string());
  const std::string text = read_small_text(path);
  std::string section;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (line.empty() || line.front() == ';' || line.front() == '#') continue;
    const std::string where = fmt::format("line {}", number);
    if (line.front() == '[' && line.back() == ']') {
      section = std::string(trimmed(line.substr(1, line.size() - 2))) + ".";
      continue;
    }
    const std::size_t equals = line.find('=');
    const std::string key = section + std::string(trimmed(line.substr(0, equals)));
    fields.add(key, equals == std::string_view::npos ? "" : std::string(trimmed(line.substr(equals + 1))), where);
  }
  return fields;
}

HeaderFields HeaderFields::of_xml(const std::filesystem::path& path) {
  HeaderFields fields(path.string());
  const std::string text = read_small_text(path);
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS || !document.RootElement())
    throw InputError(fmt::format("{}:{}", path.string(), document.ErrorLineNum()), "is no proper XML",
                     "the file is damaged");
  add_elements(fields, *document.RootElement(), "");
  return fields;
}

void HeaderFields::add(std::string name, std::string value, std::string where) {
  constexpr std::size_t most = 1 << 18;
  if (fields_.size() >= most) throw InputError(file_, fmt::format("holds more than {} fields", most));
  fields_.push_back({std::move(name), std::move(value), std::move(where)});
}

const HeaderFields::Field* HeaderFields::find(std::string_view name) const {
  const std::string wanted = lower_case(name);
  for (const Field& field : fields_)
    if (names(lower_case(field.name), wanted)) return &field;
  return nullptr;
}

bool HeaderFields::has(std::string_view name) const {
  const Field* field = find(name);
  return field && !field->value.empty();
}

HeaderFields::Field* HeaderFields::take(std::string_view name) {
  Field* field = const_cast<Field*>(find(name));
  if (!field || field->value.empty()) return nullptr;
  field->used = true;
  return field;
}

std::optional<std::string> HeaderFields::text(std::string_view name, std::string_view meaning) {
  const Field* field = take(name);
  if (!field) return {};
  if (!meaning.empty())
    note_fact(std::string(meaning), field->value,
              fmt::format("{}{}{}, {}", file_name(file_), field->where.empty() ? "" : " ", field->where, field->name));
  return field->value;
}

std::optional<double> HeaderFields::number(std::string_view name, std::string_view meaning, std::string_view unit,
                                           double scale) {
  const Field* field = take(name);
  if (!field) return {};
  double value = 0;
  try {
    value = parse_numbers(field->value, 1, "", "")[0] * scale;
  } catch (const InputError&) {
    fail(name, fmt::format("'{}' is no number", field->value.substr(0, 40)), "the file is damaged");
  }
  if (!std::isfinite(value)) fail(name, "the number is too large", "the file is damaged");
  if (!meaning.empty())
    note_fact(std::string(meaning), with_unit(value, unit),
              fmt::format("{}{}{}, {}", file_name(file_), field->where.empty() ? "" : " ", field->where, field->name));
  return value;
}

double HeaderFields::require(std::string_view name, std::string_view meaning, std::string_view unit, double scale) {
  const auto value = number(name, meaning, unit, scale);
  if (!value)
    throw InputError(file_, fmt::format("has no {} ({})", name, meaning),
                     "write a .scan.toml beside it: assets/scans has examples");
  return *value;
}

double HeaderFields::require_positive(std::string_view name, std::string_view meaning, std::string_view unit,
                                      double scale) {
  const double value = require(name, meaning, unit, scale);
  if (!(value > 0)) fail(name, fmt::format("{} is not positive", value), fmt::format("it is the {}", meaning));
  return value;
}

std::int64_t HeaderFields::require_count(std::string_view name, std::string_view meaning, std::int64_t most) {
  const double value = require(name, meaning);
  if (value != std::floor(value) || value < 1 || value > static_cast<double>(most))
    fail(name, fmt::format("{} is no whole number from 1 to {}", value, most), fmt::format("it is the {}", meaning));
  return static_cast<std::int64_t>(value);
}

void HeaderFields::note_fact(std::string meaning, std::string value, std::string source) {
  facts_.push_back({std::move(meaning), std::move(value), std::move(source)});
}

void HeaderFields::fail(std::string_view name, const std::string& problem, const std::string& remedy) const {
  const Field* field = find(name);
  throw InputError(field && !field->where.empty() ? fmt::format("{} {}", file_, field->where) : file_,
                   fmt::format("{}: {}", field ? field->name : std::string(name), problem), remedy);
}

void HeaderFields::add_to(ScanFile& file) const {
  file.facts.insert(file.facts.end(), facts_.begin(), facts_.end());
  for (const Field& field : fields_)
    if (!field.used) file.unused.push_back(fmt::format("{} = {}", field.name, field.value));
}

}  // namespace backlit
