#include "io/header_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
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

/// Many numbers as their count and range, few of them as they are; nothing where the text is no list of numbers.
std::optional<std::string> short_list(const std::string& text, double scale) {
  constexpr std::size_t most = 16;
  std::vector<double> numbers;
  try {
    numbers = parse_numbers(text, 0, "", "");
  } catch (const InputError&) {
    return {};
  }
  if (numbers.empty()) return {};
  for (double& value : numbers) value *= scale;
  if (numbers.size() > most) {
    const auto [least, greatest] = std::ranges::minmax(numbers);
    return fmt::format("{} numbers, {} to {}", numbers.size(), with_unit(least, ""), with_unit(greatest, ""));
  }
  std::string list;
  for (const double value : numbers) list += (list.empty() ? "" : ", ") + with_unit(value, "");
  return list;
}

/// Nothing where the text is no list of numbers.
std::optional<std::string> in_unit(const std::string& text, const KnownField& known) {
  auto list = short_list(text, known.scale);
  if (!list || known.unit.empty()) return list;
  return fmt::format("{} {}", *list, known.unit);
}

/// A value that is not used, shortened where it is long.
std::string shortened(const std::string& value) {
  constexpr std::size_t most = 200;
  if (value.size() <= most) return value;
  return short_list(value, 1).value_or(fmt::format("{}... ({} characters)", value.substr(0, most), value.size()));
}

template <class T>
std::string numbers_text(const BinaryFields& header, const BinaryField& field) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < field.count; ++i)
    numbers.push_back(fmt::format("{}", header.get<T>(field.at + i * sizeof(T))));
  return fmt::format("{}", fmt::join(numbers, " "));
}

std::string value_text(const BinaryFields& header, const BinaryField& field) {
  switch (field.type) {
    case BinaryField::Type::u16:
      return numbers_text<std::uint16_t>(header, field);
    case BinaryField::Type::i16:
      return numbers_text<std::int16_t>(header, field);
    case BinaryField::Type::i32:
      return numbers_text<std::int32_t>(header, field);
    case BinaryField::Type::u32:
      return numbers_text<std::uint32_t>(header, field);
    case BinaryField::Type::f32:
      return numbers_text<float>(header, field);
    case BinaryField::Type::f64:
      return numbers_text<double>(header, field);
    case BinaryField::Type::text:
      break;
  }
  const std::string_view text = header.text(field.at, field.count);
  return std::string(trimmed(text.substr(0, text.find('\0'))));
}

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
  for (TextLines lines(text); lines.next();) {
    const std::string_view line = lines.line();
    if (line.empty() || line.front() == ';' || line.front() == '#') continue;
    const std::string where = fmt::format("line {}", lines.number());
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

HeaderFields HeaderFields::of_binary(const BinaryFields& header, std::span<const BinaryField> list) {
  HeaderFields fields(header.where());
  for (const BinaryField& field : list) {
    if (std::string value = value_text(header, field); !value.empty())
      fields.add(std::string(field.known.name), std::move(value), fmt::format("byte {}", field.at));
    if (!field.known.meaning.empty()) fields.note_known({&field.known, 1});
  }
  return fields;
}

void HeaderFields::add(std::string name, std::string value, std::string where) {
  constexpr std::size_t most = 1 << 18;
  if (fields_.size() >= most) throw InputError(file_, fmt::format("holds more than {} fields", most));
  std::ranges::replace_if(
      value, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  fields_.push_back({std::move(name), std::move(value), std::move(where)});
}

std::string HeaderFields::source(std::string_view name) const {
  const Field* const field = find(name);
  const std::string file = std::filesystem::path(file_).filename().string();
  if (!field) return fmt::format("{}, {}", file, name);
  return field->where.empty() ? fmt::format("{}, {}", file, field->name)
                              : fmt::format("{} {}, {}", file, field->where, field->name);
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
  if (!meaning.empty()) note_fact(std::string(meaning), field->value, source(name));
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
  if (!meaning.empty()) note_fact(std::string(meaning), with_unit(value, unit), source(name));
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

std::int64_t HeaderFields::require_count(std::string_view name, std::string_view meaning, std::int64_t most,
                                         std::string_view unit) {
  const double value = require(name, meaning, unit);
  if (value != std::floor(value) || value < 1 || value > static_cast<double>(most))
    fail(name, fmt::format("{} is no whole number from 1 to {}", value, most), fmt::format("it is the {}", meaning));
  return static_cast<std::int64_t>(value);
}

void HeaderFields::note_known(std::span<const KnownField> list) {
  for (const KnownField& known : list)
    if (const Field* field = take(known.name))
      note_fact(std::string(known.meaning), in_unit(field->value, known).value_or(field->value), source(known.name));
}

void HeaderFields::note_fact(std::string meaning, std::string value, std::string source) {
  facts_.push_back({std::move(meaning), std::move(value), std::move(source)});
}

void HeaderFields::fail(std::string_view name, const std::string& problem, const std::string& remedy) const {
  const Field* field = find(name);
  throw InputError(field && !field->where.empty() ? fmt::format("{} {}", file_, field->where) : file_,
                   fmt::format("{}: {}", field ? field->name : std::string(name), problem), remedy);
}

void HeaderFields::add_to(std::vector<ScanFact>& facts, std::vector<std::string>& unused) const {
  std::vector<std::string> mine;
  for (const Field& field : fields_)
    if (!field.used) mine.push_back(fmt::format("{} = {}", field.name, shortened(field.value)));
  facts.insert(facts.begin(), facts_.begin(), facts_.end());
  unused.insert(unused.begin(), mine.begin(), mine.end());
}

}  // namespace backlit
