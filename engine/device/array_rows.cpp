#include "device/array_rows.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit {

std::int64_t begin_of_rows(const ArrayShape& shape, std::int64_t first, std::size_t values, const char* backend) {
  const std::int64_t row = shape.n0 * shape.n1, begin = first * row, count = static_cast<std::int64_t>(values);
  if (first < 0 || begin + count > shape.count() || (row > 0 && count % row != 0))
    throw Failure(backend, fmt::format("{} values from row {} of an array of {}", values, first, shape.count()));
  return begin;
}

}  // namespace backlit
