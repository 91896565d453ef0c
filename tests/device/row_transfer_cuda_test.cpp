// Some rows of images between device and host.
#include <catch2/catch.hpp>

#include <numeric>

#include "device/row_transfer.hpp"
#include "support/cuda.hpp"

using namespace backlit;

TEST_CASE("rows of images are copied without the others") {
  BACKLIT_REQUIRE_CUDA(cuda);
  const auto cpu = make_backend("cpu");
  for (Backend* const backend : {cuda.get(), cpu.get()}) {
    INFO(backend->name());
    backend->activate();
    const ArrayPtr array = backend->make_array({5, 7, 3});  // columns, rows, images
    std::vector<float> values(105);
    std::iota(values.begin(), values.end(), 0.0f);
    backend->upload(values, *array);
    const IndexRange rows{2, 3};
    const auto bytes = static_cast<std::size_t>(backend->stored_bytes(*array)) * 3 / 7;
    std::vector<std::byte> host(bytes);
    store_rows(*backend, *array, rows, host);
    backend->fill(*array, -1);
    restore_rows(*backend, host, rows, *array);
    std::vector<float> found(105);
    backend->download(*array, found);
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == (rows.contains(static_cast<std::int64_t>(i / 5 % 7)) ? values[i] : -1));
  }
}
