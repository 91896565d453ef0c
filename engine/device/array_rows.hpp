// Rows of an array along n2.
#pragma once

#include <cstddef>
#include <cstdint>

#include <backlit/device/device_array.hpp>

namespace backlit {

/// Where row `first` begins among the values. Throws Failure(backend) unless `values` from there on are whole rows of
/// the array.
std::int64_t begin_of_rows(const ArrayShape&, std::int64_t first, std::size_t values, const char* backend);

}  // namespace backlit
