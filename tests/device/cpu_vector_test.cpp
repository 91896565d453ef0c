// Vector operations of the CPU backend.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include <backlit/device/backend.hpp>

using namespace backlit;

TEST_CASE("The maximum is found in every chunk, and is not a number when one value is none") {
  auto backend = make_backend("cpu");
  auto array = backend->make_array({101, 77, 23});  // two chunks and a part of a third
  std::vector<float> values(101 * 77 * 23, -7.5f);
  const auto maximum = [&] {
    backend->upload(values, *array);
    return backend->maximum(*array);
  };
  CHECK(maximum() == -7.5f);
  for (const std::size_t at : {std::size_t{0}, std::size_t{65535}, std::size_t{65536}, values.size() - 1}) {
    values[at] = 3;
    CHECK(maximum() == 3);
    values[at] = std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isnan(maximum()));
    values[at] = -7.5f;
  }
}
