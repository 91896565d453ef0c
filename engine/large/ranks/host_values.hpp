// The values of an array on the host, in the precision in which the device stores them.
#pragma once

#include <cstring>
#include <vector>

#include <backlit/core/index_range.hpp>
#include <backlit/device/backend.hpp>

namespace backlit {

/// Of a value on the host: a double where the device keeps doubles (cpu), else a float.
inline std::int64_t stored_value_bytes(const Backend& device, const DeviceArray& array) {
  const std::int64_t wide = sizeof(double), narrow = sizeof(float);
  return device.stored_bytes(array) == array.count() * wide ? wide : narrow;
}

/// In linear order.
class HostValues {
 public:
  HostValues(const Backend& device, const DeviceArray& array)
      : wide_(stored_value_bytes(device, array) == static_cast<std::int64_t>(sizeof(double))),
        bytes_(static_cast<std::size_t>(array.count()) * value_bytes()) {}

  /// Of these rows of all images alone.
  HostValues(const Backend& device, const DeviceArray& array, const IndexRange& rows)
      : wide_(stored_value_bytes(device, array) == static_cast<std::int64_t>(sizeof(double))),
        bytes_(static_cast<std::size_t>(array.shape().n0 * rows.count * array.shape().n2) * value_bytes()) {}

  std::size_t value_bytes() const { return wide_ ? sizeof(double) : sizeof(float); }
  std::span<std::byte> bytes() { return bytes_; }
  /// Values [first, first + count).
  std::span<std::byte> bytes(std::int64_t first, std::int64_t count) {
    return bytes().subspan(static_cast<std::size_t>(first) * value_bytes(),
                           static_cast<std::size_t>(count) * value_bytes());
  }

  void download(Backend& device, const DeviceArray& array) {
    if (wide_) return device.store(array, bytes_);
    device.download(array, {reinterpret_cast<float*>(bytes_.data()), bytes_.size() / sizeof(float)});
  }
  void upload(Backend& device, DeviceArray& array) const {
    if (wide_) return device.restore(bytes_, array);
    device.upload({reinterpret_cast<const float*>(bytes_.data()), bytes_.size() / sizeof(float)}, array);
  }

  /// to += from, value by value.
  void add(std::span<const std::byte> from, std::span<std::byte> to) const {
    wide_ ? add<double>(from, to) : add<float>(from, to);
  }

 private:
  template <class T>
  static void add(std::span<const std::byte> from, std::span<std::byte> to) {
    for (std::size_t i = 0; i + sizeof(T) <= to.size(); i += sizeof(T)) {
      T a, b;
      std::memcpy(&a, from.data() + i, sizeof(T));
      std::memcpy(&b, to.data() + i, sizeof(T));
      b += a;
      std::memcpy(to.data() + i, &b, sizeof(T));
    }
  }

  bool wide_;
  std::vector<std::byte> bytes_;
};

}  // namespace backlit
