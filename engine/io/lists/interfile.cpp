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
  std::string name = lower_case(trimmed(text));
  const std::size_t bracket = name.find('[');
  if (bracket != std::string::npos) name = std::string(trimmed(name.substr(0, bracket))) + name.substr(bracket);
  return name;
}

std::map<std::string, std::string> read_fields(const std::filesystem::path& path) {
  std::map<std::string, std::string> fields;
  const std::string text = read_front(path, std::size_t{1} << 20);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    const std::size_t sign = line.find(":=");
    if (sign == std::string_view::npos || trimmed(line).starts_with(';')) continue;
    fields.emplace(name_of(line.substr(0, sign)), trimmed(line.substr(sign + 2)));
  }
  return fields;
}

}  // namespace

Interfile::Interfile(const std::filesystem::path& path) : where_(path.string()), fields_(read_fields(path)) {}

const std::string& Interfile::text(const std::string& name) const {
  const auto found = fields_.find(name);
  if (found == fields_.end() || found->second.empty())
    throw InputError(where_, fmt::format("'{}' is missing", name), "is it the header of coincidences?");
  return found->second;
}

std::string Interfile::word(const std::string& name, const std::string& otherwise) const {
  const auto found = fields_.find(name);
  return found == fields_.end() || found->second.empty() ? otherwise : lower_case(found->second);
}

std::int64_t Interfile::count(const std::string& name, std::int64_t most, std::int64_t otherwise) const {
  if (otherwise > 0 && !fields_.contains(name)) return otherwise;
  const std::int64_t value = parse_integers(text(name), 1, where_, name)[0];
  if (value < 1 || value > most)
    throw InputError(where_, fmt::format("'{}' is {}", name, value), fmt::format("give 1 to {}", most));
  return value;
}

std::vector<std::int64_t> Interfile::integers(const std::string& name) const {
  std::string list = text(name);
  std::erase_if(list, [](char c) { return c == '{' || c == '}'; });
  return parse_integers(list, 0, where_, name);
}

double Interfile::number(const std::string& name, double otherwise) const {
  return has(name) ? parse_numbers(text(name), 1, where_, name)[0] : otherwise;
}

double Interfile::length_mm(const std::string& name_cm) const {
  const double value = 10 * parse_numbers(text(name_cm), 1, where_, name_cm)[0];
  if (!(value > 0 && value < 1e5)) throw InputError(where_, fmt::format("'{}' is {}", name_cm, value / 10));
  return value;
}

}  // namespace backlit::formats
