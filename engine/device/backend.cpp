// Default implementations for backends without their own.
#include <backlit/device/backend.hpp>

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

template <class Byte, class Float>
std::span<Float> floats(std::span<Byte> bytes) {
  return {reinterpret_cast<Float*>(bytes.data()), bytes.size() / sizeof(float)};
}

}  // namespace

std::int64_t Backend::stored_bytes(const DeviceArray& a) const {
  return a.count() * static_cast<std::int64_t>(sizeof(float));
}
void Backend::store(const DeviceArray& a, std::span<std::byte> host) { download(a, floats<std::byte, float>(host)); }
void Backend::restore(std::span<const std::byte> host, DeviceArray& a) {
  upload(floats<const std::byte, const float>(host), a);
}

void Backend::subtract_from(const DeviceArray& x, DeviceArray& y) {
  scale(y, -1);
  axpy(1, x, y);
}

void Backend::add_square(const DeviceArray& x, DeviceArray& total) {
  float value = 0;
  download(total, {&value, 1});
  value += static_cast<float>(dot(x, x));
  upload({&value, 1}, total);
}

}  // namespace backlit
