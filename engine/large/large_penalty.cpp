// Penalties of volumes in slabs: a few slices at a time are worked on, with one more on each side.
#include <algorithm>
#include <optional>
#include <vector>

#include <backlit/data/host_array.hpp>
#include "large/large_backend.hpp"

namespace backlit {
namespace {

/// Slices of a slab at a time: no more than textures hold with their neighbours, and as few as keep three arrays of
/// them within a sixteenth of `memory`.
std::int64_t slices_at_a_time(const Capabilities& can, const ArrayShape& slab, std::int64_t memory) {
  std::int64_t most = slab.n2;
  if (memory > 0) most = std::min(most, memory / (16 * 3 * slab.n0 * slab.n1 * std::int64_t{sizeof(float)}) - 2);
  if (can.most_slices > 2) most = std::min(most, can.most_slices - 2);
  return std::max<std::int64_t>(most, 1);
}

}  // namespace

void LargeBackend::stiffness(const NeighbourPenalty& penalty, const DeviceArray& x, const DeviceArray& d,
                             DeviceArray& y) {
  NeighbourOperations& neighbours = *device_->neighbours();
  if (!dynamic_cast<const LargeArray*>(&y)) return neighbours.stiffness(penalty, x, d, y);
  const ArrayShape whole = y.shape();
  const auto gathered = [&](const DeviceArray& array) {
    HostArray<float> values(array.count());
    download(array, values.span());
    return values;
  };
  HostArray<float> from = gathered(x), result(y.count());
  std::optional<HostArray<float>> along;
  if (&d != &x) along = gathered(d);
  ArrayPtr part_x, part_d, part_y;
  std::vector<float> values;
  for (const ArrayPart& slab : parts_of(y)) {
    const std::int64_t most = slices_at_a_time(device_->capabilities(), slab.shape, memory_),
                       end = slab.first + slab.count();
    for (std::int64_t first = slab.first; first < end; first += most) {
      const std::int64_t count = std::min(most, end - first), before = std::max<std::int64_t>(first - 1, 0),
                         slices = std::min(first + count + 1, whole.n2) - before, slice = whole.n0 * whole.n1;
      const ArrayShape shape{whole.n0, whole.n1, slices};
      if (!part_x || part_x->shape() != shape)
        for (ArrayPtr* array : {&part_x, &part_d, &part_y}) {
          array->reset();  // before memory is asked for again
          *array = device_->make_array(shape);
        }
      const auto at = static_cast<std::size_t>(before * slice), size = static_cast<std::size_t>(slices * slice);
      device_->upload(from.span().subspan(at, size), *part_x);
      if (along) device_->upload(along->span().subspan(at, size), *part_d);
      neighbours.stiffness(penalty, *part_x, along ? *part_d : *part_x, *part_y);
      values.resize(size);
      device_->download(*part_y, values);
      std::copy_n(values.begin() + (first - before) * slice, count * slice, result.data() + first * slice);
    }
  }
  upload(result.span(), y);
}

}  // namespace backlit
