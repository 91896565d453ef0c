#include "io/lists/castor_header.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include "io/byte_source.hpp"
#include "io/header_fields.hpp"
#include "io/text_fields.hpp"

namespace backlit {

CastorHeader::CastorHeader(const std::filesystem::path& path) : where_(path.string()) {
  const std::string text = read_front(path, std::size_t{1} << 20);
  for (TextLines lines(text); lines.next();) {
    const std::string_view line = trimmed(lines.line().substr(0, lines.line().find('#')));
    if (line.empty()) continue;
    const std::size_t colon = line.find(':');
    const std::string name(trimmed(line.substr(0, colon))), key = lower_case(name);
    const std::string place = fmt::format("{}:{}", where_, lines.number());
    if (colon == std::string_view::npos || key.empty())
      throw InputError(place, "is not 'key: value'", "is this a header of CASToR's?");
    if (!fields_.emplace(key, Field{std::string(trimmed(line.substr(colon + 1))), name, lines.number()}).second)
      throw InputError(place, fmt::format("'{}' is given twice", key.substr(0, 60)), "keep one");
  }
}

const std::string* CastorHeader::find(const std::string& key) const {
  const auto found = fields_.find(lower_case(key));
  if (found == fields_.end()) return nullptr;
  found->second.used = true;
  return &found->second.value;
}

void CastorHeader::add_to(ListModeFile& file) const {
  HeaderFields fields(where_);
  std::map<std::int64_t, const Field*> lines;
  for (const auto& [key, field] : fields_) lines[field.line] = &field;
  for (const auto& [line, field] : lines) {
    fields.add(field->key, field->value, fmt::format("line {}", line));
    if (field->used) fields.text(field->key, field->key);
  }
  fields.add_to(file);
}

void CastorHeader::missing(const std::string& key) const {
  throw InputError(where_, fmt::format("'{}' is missing", key), fmt::format("add a line '{}: ...'", key));
}

std::optional<std::string> CastorHeader::text(const std::string& key) const {
  const std::string* value = find(key);
  return value ? std::optional(*value) : std::nullopt;
}

std::string CastorHeader::required_text(const std::string& key) const {
  const std::string* value = find(key);
  if (!value || value->empty()) missing(key);
  return *value;
}

double CastorHeader::number(const std::string& key, std::optional<double> otherwise) const {
  const std::string* value = find(key);
  if (value) return parse_numbers(*value, 1, where_, key)[0];
  if (!otherwise) missing(key);
  return *otherwise;
}

std::int64_t CastorHeader::integer(const std::string& key, std::int64_t low, std::int64_t high,
                                   std::optional<std::int64_t> otherwise) const {
  const std::string* value = find(key);
  if (!value) {
    if (!otherwise) missing(key);
    return *otherwise;
  }
  const std::int64_t result = parse_integers(*value, 1, where_, key)[0];
  if (result < low || result > high)
    throw InputError(where_, fmt::format("'{}' is {}", key, result), fmt::format("give {} to {}", low, high));
  return result;
}

}  // namespace backlit
