// A program's own memory, read and written in place: any order of axes, gaps, types.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include <backlit/cuda.hpp>
#include "cuda/device/check.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/upload.hpp"
#include "support/cuda.hpp"

using namespace backlit;

namespace {

using Sizes = std::array<std::int64_t, 3>;

/// Strides of axes that lie in memory in the order of `order`, the last the fastest, with values `gap` apart.
Sizes strides_of(const Sizes& size, const std::array<int, 3>& order, std::int64_t gap) {
  Sizes stride{};
  std::int64_t step = gap;
  for (int i = 2; i >= 0; --i) {
    const auto axis = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
    stride[axis] = step;
    step *= size[axis];
  }
  return stride;
}

/// Calls f(place in memory, place in an array in C order).
template <class F>
void for_values(const Sizes& size, const Sizes& stride, F&& f) {
  std::size_t here = 0;
  for (std::int64_t i = 0; i < size[0]; ++i)
    for (std::int64_t j = 0; j < size[1]; ++j)
      for (std::int64_t k = 0; k < size[2]; ++k)
        f(static_cast<std::size_t>(i * stride[0] + j * stride[1] + k * stride[2]), here++);
}

template <class T>
std::vector<T> downloaded(cuda::DeviceBuffer<T>& there) {
  std::vector<T> values(static_cast<std::size_t>(there.count()));
  BACKLIT_CUDA(cudaMemcpy(values.data(), there.data(), there.bytes(), cudaMemcpyDeviceToHost));
  return values;
}

template <class T>
void check(Backend& backend, const Sizes& size, const Sizes& stride) {
  std::int64_t last = 0;
  for (std::size_t a = 0; a < 3; ++a) last += (size[a] - 1) * stride[a];
  std::vector<T> memory(static_cast<std::size_t>(last + 1));
  std::iota(memory.begin(), memory.end(), T{1});
  cuda::DeviceBuffer<T> there(std::ssize(memory));
  const auto upload = [&] { cuda::upload(there.data(), memory.data(), there.bytes()); };
  upload();
  const CudaMemory program{there.data(), sizeof(T) == 8 ? CudaMemory::Type::f64 : CudaMemory::Type::f32, size, stride};
  const ArrayPtr array = backend.make_array({size[2], size[1], size[0]});
  std::vector<float> values(static_cast<std::size_t>(array->count()));

  read_cuda_memory(backend, program, *array);
  backend.download(*array, values);
  bool right = true;
  for_values(size, stride,
             [&](std::size_t at, std::size_t i) { right &= values[i] == static_cast<float>(memory[at]); });
  CHECK(right);

  if (std::ranges::find(stride, 0) != stride.end()) return;  // nobody writes several values to one place
  std::vector<T> expected = memory;
  std::iota(values.begin(), values.end(), 0.5f);
  backend.upload(values, *array);
  for (const Write write : {Write::overwrite, Write::accumulate}) {
    for_values(size, stride, [&](std::size_t at, std::size_t i) {
      expected[at] = static_cast<T>(values[i]) + (write == Write::accumulate ? memory[at] : T{0});
    });
    upload();
    write_cuda_memory(backend, *array, program, write);
    backend.finish();
    CHECK(downloaded(there) == expected);
  }
}

}  // namespace

TEST_CASE("a program's memory on CUDA is read and written whatever the order of its axes") {
  BACKLIT_REQUIRE_CUDA(backend);
  for (const Sizes& size : {Sizes{5, 37, 70}, Sizes{70, 5, 33}, Sizes{1, 40, 3}, Sizes{3, 1, 600}, Sizes{2, 65, 1},
                            Sizes{1, 1, 1500}, Sizes{40, 1, 1}}) {
    std::array<int, 3> order{0, 1, 2};
    do
      for (const std::int64_t gap : {1, 2}) {
        const Sizes stride = strides_of(size, order, gap);
        INFO(size[0] << " x " << size[1] << " x " << size[2] << ", strides " << stride[0] << ", " << stride[1] << ", "
                     << stride[2]);
        check<float>(*backend, size, stride);
        check<double>(*backend, size, stride);
      }
    while (std::ranges::next_permutation(order).found);
  }
}

TEST_CASE("a program's memory on CUDA may repeat values") {
  BACKLIT_REQUIRE_CUDA(backend);
  check<float>(*backend, {4, 50, 40}, {0, 1, 0});
  check<float>(*backend, {4, 50, 40}, {40, 0, 1});
  check<double>(*backend, {4, 50, 40}, {0, 0, 0});
}
