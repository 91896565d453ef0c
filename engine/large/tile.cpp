#include "large/tile.hpp"

#include <algorithm>

#include <backlit/data/host_array.hpp>

namespace backlit {
namespace {

std::int64_t bytes_of(const ArrayShape& s) { return s.count() * static_cast<std::int64_t>(sizeof(float)); }

/// A share of the budget, taken already, and the device array that it is for, if one could be made: they go together.
struct Resident {
  std::shared_ptr<Budget> budget;
  std::int64_t bytes = 0;
  ArrayPtr array;
  ~Resident() { budget->give_back(bytes); }
};

Tile make_tile(const Box& box, const std::shared_ptr<Staging>& staging, const std::shared_ptr<Budget>& budget) {
  Tile tile{.box = box, .staging = staging};
  if (const std::int64_t bytes = bytes_of(box.shape()); budget->take(bytes)) {
    const auto resident = std::make_shared<Resident>(budget, bytes);
    resident->array = staging->make(box.shape());
    tile.device = resident->array.get();
    tile.owner = resident;
  } else {
    const auto memory = std::make_shared<HostArray<float>>(box.shape().count());
    tile.host = memory->span();
    tile.owner = memory;
  }
  return tile;
}

}  // namespace

DeviceArray& Staging::slot(std::size_t which, const ArrayShape& shape) {
  std::vector<ArrayPtr>& kept = slots_[which];
  const auto found = std::ranges::find_if(kept, [&](const ArrayPtr& a) { return a->shape() == shape; });
  if (found != kept.end()) {
    std::rotate(kept.begin(), found, found + 1);
  } else {
    if (kept.size() == 2) kept.pop_back();  // before memory is asked for again
    kept.insert(kept.begin(), make_(shape));
  }
  return *kept.front();
}

TiledArray::TiledArray(const ArrayShape& shape, const std::vector<Box>& boxes, std::shared_ptr<Staging> staging,
                       std::shared_ptr<Budget> budget)
    : DeviceArray(shape, Layout::linear), staging_(std::move(staging)), budget_(std::move(budget)) {
  for (const Box& box : boxes) tiles_.push_back(make_tile(box, staging_, budget_));
}

TiledArray::TiledArray(const ArrayShape& shape, std::vector<Tile> tiles, const TiledArray& like)
    : DeviceArray(shape, Layout::linear), tiles_(std::move(tiles)), staging_(like.staging_), budget_(like.budget_) {}

ArrayPtr TiledArray::make_like() const {
  std::vector<Box> boxes;
  for (const Tile& t : tiles_) boxes.push_back(t.box);
  return std::make_unique<TiledArray>(shape(), boxes, staging_, budget_);
}

ArrayPtr TiledArray::rows(std::int64_t first, std::int64_t count) const {
  std::vector<Tile> parts;
  for (const Tile& t : tiles_) {
    if (t.box.size[0] != shape().n0 || t.box.size[1] != shape().n1) return nullptr;
    const std::int64_t begin = std::max(first, t.box.first[2]);
    const std::int64_t n = std::min(first + count, t.box.first[2] + t.box.size[2]) - begin;
    if (n <= 0) continue;
    Tile part = t;
    part.box = {{0, 0, begin - first}, {shape().n0, shape().n1, n}};
    const std::int64_t skip = begin - t.box.first[2];
    if (t.device) {
      ArrayPtr array = staging_->device().rows(*t.device, skip, n);
      if (!array) return nullptr;
      if (n == count) return array;
      part.device = array.get();
      part.owner = std::shared_ptr<DeviceArray>(std::move(array));
    } else {
      const std::int64_t row = shape().n0 * shape().n1;
      part.host = t.host.subspan(static_cast<std::size_t>(skip * row), static_cast<std::size_t>(n * row));
    }
    parts.push_back(std::move(part));
  }
  return std::make_unique<TiledArray>(ArrayShape{shape().n0, shape().n1, count}, std::move(parts), *this);
}

void TiledArray::upload(std::span<const float> host) {
  std::vector<float> gathered;
  for (const Tile& t : tiles_) {
    std::span<float> values = t.host;
    if (t.device) {
      gathered.resize(static_cast<std::size_t>(t.box.shape().count()));
      values = gathered;
    }
    read_box(host, shape(), t.box, values);
    if (t.device) staging_->device().upload(values, *t.device);
  }
}

void TiledArray::download(std::span<float> host) const {
  std::vector<float> gathered;
  for (const Tile& t : tiles_) {
    std::span<float> values = t.host;
    if (t.device) {
      gathered.resize(static_cast<std::size_t>(t.box.shape().count()));
      values = gathered;
      staging_->device().download(*t.device, values);
    }
    write_box(host, shape(), t.box, values);
  }
}

std::vector<Tile> tiles_of(const DeviceArray& array) {
  if (const auto* tiled = dynamic_cast<const TiledArray*>(&array)) return tiled->tiles();
  const ArrayShape& s = array.shape();
  return {Tile{.box = {{0, 0, 0}, {s.n0, s.n1, s.n2}}, .device = const_cast<DeviceArray*>(&array)}};
}

}  // namespace backlit
