#include "io/volumes/text_header.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include "io/text_fields.hpp"

namespace backlit {

std::string TextHeader::get(std::initializer_list<const char*> names) const {
  for (const char* name : names)
    if (const auto found = fields.find(name); found != fields.end()) return found->second;
  return {};
}

std::vector<std::int64_t> image_sizes(const TextHeader& header, const char* dimensions_field, const char* sizes_field,
                                      const std::string& where) {
  const auto dimensions = parse_integers(header.get({dimensions_field}), 1, where, dimensions_field)[0];
  auto sizes = parse_integers(header.get({sizes_field}), 0, where, sizes_field);
  if ((dimensions != 2 && dimensions != 3) || static_cast<std::int64_t>(sizes.size()) != dimensions)
    throw InputError(
        where, fmt::format("{} is {} and {} holds {} numbers", dimensions_field, dimensions, sizes_field, sizes.size()),
        "images of 2 or 3 dimensions can be read");
  return sizes;
}

void describe_text_header(const TextHeader& header, const std::string& file, std::span<const KnownField> known,
                          FileInfo& info) {
  HeaderFields fields(file);
  for (const auto& [name, value] : header.fields) fields.add(name, value);
  fields.note_known(known);
  fields.add_to(info);
}

}  // namespace backlit
