// JSON as --json prints it.
#pragma once

#include <string>

namespace backlit::cli {

/// Names of files may be no UTF-8: what is none becomes U+FFFD.
template <class Json>
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace backlit::cli
