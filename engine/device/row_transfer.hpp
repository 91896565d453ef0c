// Copies some rows of all images between device and host.
#pragma once

#include <cstddef>
#include <span>

#include <backlit/core/index_range.hpp>
#include <backlit/device/backend.hpp>

namespace backlit {

/// Implemented by backends that need not copy whole images. Both return false, with nothing done, where the array is of
/// another kind.
class RowTransfer {
 public:
  virtual ~RowTransfer() = default;
  virtual bool store_rows(const DeviceArray&, const IndexRange& rows, std::span<std::byte> host) = 0;
  virtual bool restore_rows(std::span<const std::byte> host, const IndexRange& rows, DeviceArray&) = 0;
};

/// Backend::store() and restore() of these rows of all images. `host` has their values, image after image.
void store_rows(Backend&, const DeviceArray&, const IndexRange& rows, std::span<std::byte> host);
void restore_rows(Backend&, std::span<const std::byte> host, const IndexRange& rows, DeviceArray&);

}  // namespace backlit
