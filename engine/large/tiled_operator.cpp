#include "large/tiled_operator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "projectors/part_of_call.hpp"

namespace backlit {
namespace {

constexpr std::size_t x_slot = 0, y_slot = 1, gather_slot = 2;

std::int64_t paged_values(const std::vector<Tile>& tiles) {
  std::int64_t n = 0;
  for (const Tile& t : tiles) n += static_cast<std::int64_t>(t.host.size());
  return n;
}

/// Whether tiles should be the outer loop and batches of views the inner one: what is in the inner loop comes to the
/// device again for each of the outer. Values that cross the bus, counted.
bool tiles_outside(const std::vector<Tile>& tiles, std::size_t batches, std::int64_t paged_views) {
  const auto count = static_cast<std::int64_t>(tiles.size());
  return paged_values(tiles) + count * paged_views <=
         paged_views + static_cast<std::int64_t>(batches) * paged_values(tiles);
}

}  // namespace

void TilePlans::keep_only(const std::vector<Tile>& tiles) {
  std::erase_if(plans_, [&](const Plan& plan) {
    return std::ranges::none_of(tiles, [&](const Tile& tile) { return tile.box.size == plan.size; });
  });
}

LinearOperator& TilePlans::sized(const Size3& size) {
  for (const Plan& plan : plans_)
    if (plan.size == size && plan.ct) return *plan.ct;
  return at({{0, 0, 0}, size});
}

LinearOperator& TilePlans::at(const Box& box) {
  auto found = std::ranges::find_if(plans_, [&](const Plan& p) { return p.size == box.size; });
  if (found == plans_.end()) {
    Plan plan;
    make(plan, box);
    plans_.push_back(std::move(plan));
    return *plans_.back().ct;
  }
  if (!found->ct) {  // there was no memory for it
    make(*found, box);
  } else if (found->at != box.first) {
    Size3 offset;
    for (std::size_t a = 0; a < 3; ++a) offset[a] = box.first[a] - found->made_for[a];
    if (found->ct->move_by(offset))
      found->at = box.first;
    else
      make(*found, box);
  }
  return *found->ct;
}

void TilePlans::make(Plan& plan, const Box& box) {
  plan.ct.reset();  // before memory is asked for again
  plan.size = box.size;
  // Places are rounded as they are seen from voxel 0 of a plan: the grid's, where plans move.
  const Size3 origin{0, 0, 0};
  if (moves_ && options_.model == Model::voxel_driven && box.first != origin) {
    auto ct = device_.make_tile(grid_, {origin, box.size}, scan_, options_);
    moves_ = ct->move_by(box.first);
    if (moves_) {
      plan.ct = std::move(ct);
      plan.made_for = origin;
      plan.at = box.first;
      return;
    }
  }
  plan.ct = device_.make_tile(grid_, box, scan_, options_);
  plan.made_for = plan.at = box.first;
}

TiledOperator::TiledOperator(Backend& device, std::shared_ptr<Budget> budget, const VolumeGrid& grid, const Scan& scan,
                             const CtOptions& options, const Tiling& tiling)
    : device_(device),
      budget_(std::move(budget)),
      grid_(grid),
      detector_(scan.detector),
      views_(scan.view_count()),
      tiling_(tiling),
      boxes_(boxes_of(shape_of(grid), tiling.tile)),
      plans_(std::make_shared<TilePlans>(device, grid, scan, options, budget_,
                                         smaller_plans_bytes(device, grid, scan, options, tiling))) {
  const LinearOperator& first = plans_->at(boxes_.front());
  plan_variant_ = first.variant();
  matched_ = first.matched();
  packs_ = first.prefers_whole();
  domain_staging_ = std::make_shared<Staging>(device, [plans = plans_](const ArrayShape& s) {
    return plans->sized({s.n0, s.n1, s.n2}).make_domain();
  });
  range_staging_ = std::make_shared<Staging>(device, [plans = plans_, tile = tiling.tile](const ArrayShape& s) {
    return plans->sized(tile).make_range(s.n2);
  });
}

bool TiledOperator::paged() const {
  const std::int64_t bytes = grid_.voxels() * static_cast<std::int64_t>(sizeof(float));
  return pages_ || (budget_->limit() > 0 && bytes > budget_->limit() - plans_->held());
}

ArrayPtr TiledOperator::make_domain() {
  auto array = std::make_unique<TiledArray>(domain(), boxes_, domain_staging_, budget_);
  pages_ = pages_ || paged_values(array->tiles()) > 0;
  return array;
}

ArrayPtr TiledOperator::make_range(std::int64_t rows) {
  const ArrayShape shape = shape_of(detector_, rows);
  return std::make_unique<TiledArray>(shape, boxes_of(shape, {shape.n0, shape.n1, tiling_.rows}), range_staging_,
                                      budget_);
}

std::string TiledOperator::variant() const {
  std::string text = plan_variant_;
  if (boxes_.size() > 1) {
    const auto parts = [&](std::size_t a) { return (grid_.size[a] + tiling_.tile[a] - 1) / tiling_.tile[a]; };
    text += fmt::format(",tiles={}x{}x{}", parts(0), parts(1), parts(2));
  }
  return text;
}

std::vector<Tile> TiledOperator::volume_tiles(const DeviceArray& x) {
  if (x.shape() != domain())
    throw Failure("tiled operator", "the volume's array has another shape than the plan's grid");
  std::vector<Tile> tiles = tiles_of(x);
  plans_->keep_only(tiles);
  return tiles;
}

std::vector<TiledOperator::Batch> TiledOperator::batches(const DeviceArray& y, const std::vector<Tile>& tiles,
                                                         const Subset& s) const {
  const SubsetRows rows(range(), s, y.shape());
  std::vector<Batch> list;
  if (y.shape().n2 != views_) {  // just the rows of the subset
    for (const Tile& t : tiles) list.push_back({&t, {rows.row(t.box.first[2]), t.box.size[2], s.stride}, 0, 0});
    return list;
  }
  const auto index_from = [&](std::int64_t row) {  // of the subset's first row from there on
    return row <= s.first ? 0 : std::min(s.count, (row - s.first + s.stride - 1) / s.stride);
  };
  for (const Tile& t : tiles) {
    const std::int64_t begin = t.box.first[2], size = t.box.size[2];
    const std::int64_t from = index_from(begin), count = index_from(begin + size) - from;
    if (count == 0) continue;
    const Subset part{rows.row(from), count, s.stride};
    list.push_back({&t, part, part.first - begin, count == size || size == views_ ? 0 : s.stride});
  }
  return list;
}

/// Calls f(array on the device that holds the batch's rows and no others, or all rows of the operator).
template <class F>
void TiledOperator::use(const Batch& batch, Access access, F&& f) {
  const Tile& t = *batch.tile;
  if (batch.stride == 0) return t.use(access, y_slot, f);
  const auto row = static_cast<std::size_t>(detector_.pixels());
  std::vector<float> all, some(static_cast<std::size_t>(batch.part.count) * row);
  std::span<float> values = t.host;
  if (t.device) {
    all.resize(static_cast<std::size_t>(t.box.shape().count()));
    values = all;
    device_.download(*t.device, values);
  }
  const auto for_rows = [&](auto&& g) {
    for (std::int64_t i = 0; i < batch.part.count; ++i)
      g(values.begin() + (batch.first + i * batch.stride) * detector_.pixels(), some.begin() + i * detector_.pixels());
  };
  for_rows([&](auto from, auto to) { std::copy_n(from, row, to); });
  DeviceArray& gathered = range_staging_->slot(gather_slot, shape_of(detector_, batch.part.count));
  device_.upload(some, gathered);
  f(gathered);
  if (access == Access::read) return;
  device_.download(gathered, some);
  for_rows([&](auto to, auto from) { std::copy_n(from, row, to); });
  if (t.device) device_.upload(values, *t.device);
}

/// Calls f(tile, its volume, batch, its images, overwrite or accumulate) for every pair.
template <class F>
void TiledOperator::for_pairs(const std::vector<Tile>& tiles, const std::vector<Batch>& parts, Direction direction,
                              Write write, F&& f) {
  std::int64_t paged_views = 0;
  for (const Batch& b : parts) paged_views += static_cast<std::int64_t>(b.tile->host.size());
  const bool forward = direction == Direction::forward;
  const Access fresh = write == Write::overwrite ? Access::write : Access::update;
  const auto opens = [&](const Tile& t, const Batch& b) {  // first sight of what is written
    return forward ? &t == &tiles.front() : &b == &parts.front();
  };
  const auto access = [&](bool written, bool first) {
    return !written ? Access::read : first ? fresh : Access::update;
  };
  const auto work = [&](const Tile& t, DeviceArray& volume, const Batch& b, DeviceArray& images) {
    f(t, volume, b, images, opens(t, b) ? write : Write::accumulate);
  };
  if (tiles_outside(tiles, parts.size(), (forward ? 2 : 1) * paged_views)) {
    for (const Tile& t : tiles)
      t.use(access(!forward, true), x_slot, [&](DeviceArray& volume) {
        for (const Batch& b : parts)
          use(b, access(forward, opens(t, b)), [&](DeviceArray& images) { work(t, volume, b, images); });
      });
    return;
  }
  for (const Batch& b : parts)
    use(b, access(forward, true), [&](DeviceArray& images) {
      for (const Tile& t : tiles)
        t.use(access(!forward, opens(t, b)), x_slot, [&](DeviceArray& volume) { work(t, volume, b, images); });
    });
}

void TiledOperator::forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) {
  const auto tiles = volume_tiles(x), views = tiles_of(y);
  const std::int64_t call_views = std::max(subset.count, call_views_);
  for_pairs(tiles, batches(y, views, subset), Direction::forward, write,
            [&](const Tile& tile, DeviceArray& volume, const Batch& b, DeviceArray& images, Write how) {
              LinearOperator& plan = plans_->at(tile.box);
              if (auto* part = dynamic_cast<PartOfCall*>(&plan)) part->part_of_call(call_views);
              plan.forward(volume, images, b.part, how);
            });
}

void TiledOperator::back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) {
  const auto tiles = volume_tiles(x), views = tiles_of(y);
  const auto parts = batches(y, views, subset);
  if (parts.empty() && write == Write::overwrite)
    for (const Tile& t : tiles) t.use(Access::write, x_slot, [&](DeviceArray& volume) { device_.fill(volume, 0); });
  for_pairs(tiles, parts, Direction::back, write,
            [&](const Tile& tile, DeviceArray& volume, const Batch& b, DeviceArray& images, Write how) {
              plans_->at(tile.box).back(images, volume, b.part, how);
            });
}

bool TiledOperator::relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset& subset) {
  const auto tiles = volume_tiles(x), views = tiles_of(y);
  const auto parts = batches(y, views, subset);
  if (parts.size() != 1) return false;
  const Batch& all = parts.front();
  bool done = true;
  use(all, Access::read, [&](DeviceArray& images) {
    for (const Tile& t : tiles) {
      t.use(Access::update, x_slot,
            [&](DeviceArray& volume) { done = plans_->at(t.box).relax(images, volume, factor, least, all.part); });
      if (!done && &t == &tiles.front()) return;
      if (!done) throw Failure("tiled operator", "one tile refuses what another did");
    }
  });
  return done;
}

void TiledOperator::sensitivity(DeviceArray& x, const Subset& subset) {
  const auto tiles = volume_tiles(x);
  for (const Tile& t : tiles)
    t.use(Access::write, x_slot, [&](DeviceArray& volume) { plans_->at(t.box).sensitivity(volume, subset); });
}

}  // namespace backlit
