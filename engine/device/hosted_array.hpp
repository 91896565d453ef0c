// Arrays that are downloaded by other means than their device's.
#pragma once

#include <algorithm>
#include <span>

#include <backlit/device/device_array.hpp>

namespace backlit {

/// An array for Backend::download_rows() alone.
class SelfDownloading : public DeviceArray {
 public:
  /// Rows from `first` on along n2, as many as `host` has room for.
  virtual void download_rows(std::int64_t first, std::span<float> host) const = 0;

 protected:
  explicit SelfDownloading(const ArrayShape& shape) : DeviceArray(shape, Layout::linear) {}
};

/// Values that lie in host memory, which is their owner's.
class HostedArray final : public SelfDownloading {
 public:
  HostedArray(const ArrayShape& shape, std::span<const float> values) : SelfDownloading(shape), values_(values) {}
  void download_rows(std::int64_t first, std::span<float> host) const override {
    std::ranges::copy(values_.subspan(static_cast<std::size_t>(first * shape().n0 * shape().n1), host.size()),
                      host.begin());
  }

 private:
  std::span<const float> values_;
};

}  // namespace backlit
