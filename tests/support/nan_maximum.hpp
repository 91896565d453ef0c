// Maximum of values that contain NaN, for every backend.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include <backlit/device/backend.hpp>

namespace backlit::test {

/// A single NaN at any place makes the maximum NaN, so that errors become visible. Infinity does not.
inline void check_maximum_of_nan(Backend& backend) {
  const auto array = backend.make_array({61, 53, 7});  // more than one block of any backend's reduction
  std::vector<float> values(static_cast<std::size_t>(array->count()), -2.0f);
  const auto maximum = [&] {
    backend.upload(values, *array);
    return backend.maximum(*array);
  };
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{4097}, values.size() - 1}) {
    INFO("value " << at);
    values[at] = std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isnan(maximum()));
    values[at] = std::numeric_limits<float>::infinity();
    CHECK(maximum() == std::numeric_limits<float>::infinity());
    values[at] = -2;
  }
  CHECK(maximum() == -2);
}

}  // namespace backlit::test
