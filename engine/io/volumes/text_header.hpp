// The headers of MetaImage and NRRD: one "name, sign, value" a line, the same few facts under other names.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace backlit {

struct TextHeader {
  std::map<std::string, std::string> fields;
  std::int64_t bytes = 0;  ///< of the text; data follow

  /// The first of several names for the same thing; empty when there is none.
  std::string get(std::initializer_list<const char*> names) const;
};

/// The two or three sizes of an image, from the fields that hold their number and themselves. Throws InputError(where).
std::vector<std::int64_t> image_sizes(const TextHeader&, const char* dimensions_field, const char* sizes_field,
                                      const std::string& where);

}  // namespace backlit
