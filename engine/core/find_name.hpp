// Enumerators by the names that users write.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>

#include <backlit/core/error.hpp>

namespace backlit {

/// The enumerator whose index is that of `name` in `names`. Throws InputError listing `names`.
template <class Enum, std::size_t N>
Enum find_name(const std::array<const char*, N>& names, const std::string& name, const char* option) {
  for (std::size_t i = 0; i < N; ++i)
    if (name == names[i]) return static_cast<Enum>(i);
  throw InputError(option, fmt::format("unknown value '{}'", name),
                   fmt::format("choose one of {}", fmt::join(names, ", ")));
}

}  // namespace backlit
