// Names of variants: "key=value,key=value".
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <sstream>
#include <string>

#include <backlit/core/error.hpp>

namespace backlit::gl {

/// Calls f(key, value) for each item.
template <class F>
void for_items(const std::string& text, F&& f) {
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const auto equals = item.find('=');
    f(item.substr(0, equals), equals == item.npos ? std::string() : item.substr(equals + 1));
  }
}

/// The enumerator called `value`: its number is the place of that name in `names`. Throws InputError listing the names.
template <class Enum, std::size_t N>
Enum find_value(const std::array<const char*, N>& names, const std::string& key, const std::string& value) {
  for (std::size_t i = 0; i < N; ++i)
    if (value == names[i]) return static_cast<Enum>(i);
  throw InputError("variant", fmt::format("unknown {} '{}'", key, value),
                   fmt::format("choose one of {}", fmt::join(names, ", ")));
}

}  // namespace backlit::gl
