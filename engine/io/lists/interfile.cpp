#include "io/lists/interfile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "io/byte_source.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

std::string name_of(std::string_view text) {
  text = trimmed(text);
  while (!text.empty() && (text[0] == '!' || text[0] == '%')) text.remove_prefix(1);
  std::string name(trimmed(text));
  const std::size_t bracket = name.find('[');
  if (bracket != std::string::npos) name = std::string(trimmed(name.substr(0, bracket))) + name.substr(bracket);
  return name;
}

HeaderFields read_fields(const std::filesystem::path& path) {
  constexpr std::int64_t most = 1 << 14;
  HeaderFields fields(path.string());
  const std::string text = read_front(path, std::size_t{1} << 20);
  for (TextLines lines(text); lines.next();) {
    const std::string_view line = lines.line();
    if (lines.number() > most)
      throw InputError(path.string(), fmt::format("has more than {} lines", most), "is it a header?");
    const std::size_t sign = line.find(":=");
    if (sign == std::string_view::npos || line.starts_with(';')) continue;
    const std::string_view value = trimmed(line.substr(sign + 2));
    // Lines without a value are headings.
    if (!value.empty())
      fields.add(name_of(line.substr(0, sign)), std::string(value), fmt::format("line {}", lines.number()));
  }
  return fields;
}

}  // namespace

Interfile::Interfile(const std::filesystem::path& path) : fields_(read_fields(path)) {}

std::string Interfile::text(const std::string& name, const char* meaning) {
  if (auto found = fields_.text(name, meaning)) return std::move(*found);
  missing(name);
}

void Interfile::missing(const std::string& name) const {
  throw InputError(where(), fmt::format("'{}' is missing", name), "is it the header of coincidences?");
}

std::string Interfile::word(const std::string& name, const std::string& otherwise, const char* meaning) {
  const auto found = fields_.text(name, meaning);
  return found ? lower_case(*found) : otherwise;
}

std::int64_t Interfile::count(const std::string& name, const char* meaning, std::int64_t most, std::int64_t otherwise) {
  if (otherwise > 0 && !has(name)) return otherwise;
  const std::int64_t value = parse_integers(text(name, meaning), 1, where(), name)[0];
  if (value < 1 || value > most)
    throw InputError(where(), fmt::format("'{}' is {}", name, value), fmt::format("give 1 to {}", most));
  return value;
}

std::vector<std::int64_t> Interfile::integers(const std::string& name, const char* meaning) {
  std::string list = text(name, meaning);
  std::erase_if(list, [](char c) { return c == '{' || c == '}'; });
  return parse_integers(list, 0, where(), name);
}

double Interfile::number(const std::string& name, double otherwise, const char* meaning, const char* unit,
                         double scale) {
  return fields_.number(name, meaning, unit, scale).value_or(otherwise);
}

double Interfile::length_mm(const std::string& name_cm, const char* meaning) {
  if (!has(name_cm)) missing(name_cm);
  const double value = number(name_cm, 0, meaning, "mm", 10);
  if (!(value > 0 && value < 1e5)) throw InputError(where(), fmt::format("'{}' is {}", name_cm, value / 10));
  return value;
}

}  // namespace backlit::formats
