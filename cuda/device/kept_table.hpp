// Tables that are copied to the device once, and again only when they change.
#pragma once

#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <backlit/core/error.hpp>
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/upload.hpp"

namespace backlit::cuda {

/// A table on the device with a copy in host memory, for comparison with new values.
template <class T>
class KeptTable {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  KeptTable() = default;
  /// Room for `most` entries, made at the first put().
  explicit KeptTable(std::int64_t most) : most_(most) {}

  /// The table on the device, valid in the stream's order. Copies `values` when they have changed; at most as many as
  /// there is room for.
  const T* put(Stream& stream, std::span<const T> values) {
    if (std::ssize(values) > most_)
      throw Failure("cuda", "more views than the table was made for", "make the operator again");
    if (table_.count() == 0) table_ = DeviceBuffer<T>(most_);
    if (values.size() != there_.size() || std::memcmp(values.data(), there_.data(), values.size_bytes()) != 0) {
      upload(stream, table_.data(), values.data(), values.size_bytes());
      there_.assign(values.begin(), values.end());
    }
    return table_.data();
  }

 private:
  std::int64_t most_ = 0;
  DeviceBuffer<T> table_;
  std::vector<T> there_;
};

}  // namespace backlit::cuda
