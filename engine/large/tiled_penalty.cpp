// Penalties of volumes in tiles: each is worked on with a border of its neighbours' voxels.
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include <backlit/data/host_array.hpp>
#include "large/tiled_backend.hpp"

namespace backlit {
namespace {

/// A row of a penalty's matrix reaches from a voxel to its 26 neighbours.
Box with_border(const Box& b, const ArrayShape& whole) {
  const Size3 size{whole.n0, whole.n1, whole.n2};
  Box wide;
  for (int n = 0; n < 3; ++n) {
    wide.first[n] = std::max<std::int64_t>(b.first[n] - 1, 0);
    wide.size[n] = std::min(b.first[n] + b.size[n] + 1, size[n]) - wide.first[n];
  }
  return wide;
}

/// All of a volume's values, in host memory.
class Gathered {
 public:
  Gathered(Backend& backend, const DeviceArray& x) : shape_(x.shape()), values_(shape_.count()) {
    backend.download(x, values_.span());
  }
  void send(const Box& box, Backend& device, DeviceArray& into) {
    part_.resize(static_cast<std::size_t>(box.shape().count()));
    read_box(values_.span(), shape_, box, part_);
    device.upload(part_, into);
  }

 private:
  ArrayShape shape_;
  HostArray<float> values_;
  std::vector<float> part_;
};

/// What of a part with its border is the part, into the values of the whole tile.
void keep_inside(Backend& device, const DeviceArray& bordered, const Box& border, const Box& part, const Tile& tile,
                 std::span<float> values) {
  const auto count = [](const Box& b) { return static_cast<std::size_t>(b.shape().count()); };
  std::vector<float> wide(count(border)), inside(count(part));
  device.download(bordered, wide);
  Box within = part, at = part;
  for (int n = 0; n < 3; ++n) {
    within.first[n] -= border.first[n];
    at.first[n] -= tile.box.first[n];
  }
  read_box(wide, border.shape(), within, inside);
  write_box(values, tile.box.shape(), at, inside);
}

/// A tile in parts that the device takes with their borders.
std::vector<Box> parts_of(const Box& tile, const Capabilities& can) {
  const auto largest = [](std::int64_t limit, std::int64_t size) {
    return limit > 2 ? std::min(limit - 2, size) : size;
  };
  std::vector<Box> parts =
      boxes_of(tile.shape(), {largest(can.largest_side, tile.size[0]), largest(can.largest_side, tile.size[1]),
                              largest(can.most_slices, tile.size[2])});
  for (Box& part : parts)
    for (int n = 0; n < 3; ++n) part.first[n] += tile.first[n];
  return parts;
}

}  // namespace

void TiledBackend::stiffness(const NeighbourPenalty& penalty, const DeviceArray& x, const DeviceArray& d,
                             DeviceArray& y) {
  NeighbourOperations& neighbours = *device_->neighbours();
  if (!dynamic_cast<const TiledArray*>(&y)) return neighbours.stiffness(penalty, x, d, y);
  Gathered from(*this, x);
  std::optional<Gathered> along;
  if (&d != &x) along.emplace(*this, d);
  ArrayPtr part_x, part_d, part_y;
  std::vector<float> values;
  for (const Tile& tile : tiles_of(y)) {
    values.resize(static_cast<std::size_t>(tile.box.shape().count()));
    for (const Box& part : parts_of(tile.box, device_->capabilities())) {
      const Box border = with_border(part, y.shape());
      if (!part_x || part_x->shape() != border.shape())
        for (ArrayPtr* array : {&part_x, &part_d, &part_y}) {
          array->reset();  // before memory is asked for again
          *array = device_->make_array(border.shape());
        }
      from.send(border, *device_, *part_x);
      if (along) along->send(border, *device_, *part_d);
      neighbours.stiffness(penalty, *part_x, along ? *part_d : *part_x, *part_y);
      keep_inside(*device_, *part_y, border, part, tile, values);
    }
    if (tile.device)
      device_->upload(values, *tile.device);
    else
      std::ranges::copy(values, tile.host.begin());
  }
}

}  // namespace backlit
