#include "device/row_transfer.hpp"

#include <algorithm>
#include <vector>

namespace backlit {
namespace {

/// Where the bytes of some rows lie among those of whole images.
struct RowBytes {
  RowBytes(Backend& backend, const DeviceArray& a, const IndexRange& rows)
      : all(static_cast<std::size_t>(backend.stored_bytes(a))), images(static_cast<std::size_t>(a.shape().n2)) {
    const std::size_t row = all / (static_cast<std::size_t>(a.shape().n1) * images);
    image = all / images;
    first = row * static_cast<std::size_t>(rows.first);
    count = row * static_cast<std::size_t>(rows.count);
  }

  std::size_t all, images, image, first, count;
};

RowTransfer* transfer(Backend& backend) { return dynamic_cast<RowTransfer*>(&backend.innermost()); }

}  // namespace

void store_rows(Backend& backend, const DeviceArray& array, const IndexRange& rows, std::span<std::byte> host) {
  if (RowTransfer* const t = transfer(backend); t && t->store_rows(array, rows, host)) return;
  const RowBytes at(backend, array, rows);
  std::vector<std::byte> all(at.all);
  backend.store(array, all);
  for (std::size_t i = 0; i < at.images; ++i)
    std::copy_n(all.data() + i * at.image + at.first, at.count, host.data() + i * at.count);
}

void restore_rows(Backend& backend, std::span<const std::byte> host, const IndexRange& rows, DeviceArray& array) {
  if (RowTransfer* const t = transfer(backend); t && t->restore_rows(host, rows, array)) return;
  const RowBytes at(backend, array, rows);
  std::vector<std::byte> all(at.all);
  backend.store(array, all);
  for (std::size_t i = 0; i < at.images; ++i)
    std::copy_n(host.data() + i * at.count, at.count, all.data() + i * at.image + at.first);
  backend.restore(all, array);
}

}  // namespace backlit
