// The headers of MetaImage and NRRD: one "name, sign, value" a line. Both hold the same few properties under different
// names.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <backlit/io/file_info.hpp>
#include "io/header_fields.hpp"

namespace backlit {

struct TextHeader {
  std::map<std::string, std::string> fields;
  std::int64_t bytes = 0;  ///< length of the text; the data follow

  /// The value of the first of `names` that exists; empty when there is none.
  std::string get(std::initializer_list<const char*> names) const;
};

/// The two or three sizes of an image. One field holds their number, the other the sizes. Throws InputError(where).
std::vector<std::int64_t> image_sizes(const TextHeader&, const char* dimensions_field, const char* sizes_field,
                                      const std::string& where);

/// Notes the known fields of a file's header in a FileInfo and lists the others as not used.
void describe_text_header(const TextHeader&, const std::string& file, std::span<const KnownField>, FileInfo&);

}  // namespace backlit
