#include <backlit/device/cpu/cpu_array.hpp>

#include <fmt/format.h>

#include <new>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

std::vector<double> zeros(std::int64_t count) {
  try {
    return std::vector<double>(static_cast<std::size_t>(count));
  } catch (const std::exception&) {  // bad_alloc, or length_error for absurd sizes
    throw Failure("memory", fmt::format("no room for {} values in double precision", count),
                  "ask for a smaller volume or fewer views, or use another backend");
  }
}

const CpuArray& cast(const DeviceArray& array) {
  if (const auto* mine = dynamic_cast<const CpuArray*>(&array)) return *mine;
  throw Failure("cpu backend", "was given an array of another backend");
}

}  // namespace

CpuArray::CpuArray(const ArrayShape& shape)
    : DeviceArray(shape, Layout::linear), values_(zeros(shape.count())), data_(values_.data()) {}

double* cpu_values(DeviceArray& array) { return const_cast<double*>(cast(array).data()); }
const double* cpu_values(const DeviceArray& array) { return cast(array).data(); }

}  // namespace backlit
