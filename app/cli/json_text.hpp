// JSON text for --json.
#pragma once

#include <string>

namespace backlit::cli {

/// File names may be invalid UTF-8: invalid bytes become U+FFFD.
template <class Json>
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace backlit::cli
