#include "large/ranks/row_sums.hpp"

#include <algorithm>

#include "device/row_transfer.hpp"

namespace backlit {
namespace {

IndexRange common(const IndexRange& a, const IndexRange& b) {
  const std::int64_t first = std::max(a.first, b.first), end = std::min(a.end(), b.end());
  return {first, std::max<std::int64_t>(0, end - first)};
}

/// How many rows of others a rank has, too, at most.
std::int64_t most_in_common(const std::vector<IndexRange>& parts) {
  std::int64_t most = 0;
  for (std::size_t a = 0; a < parts.size(); ++a) {
    std::int64_t rows = 0;
    for (std::size_t b = 0; b < parts.size(); ++b) rows += a == b ? 0 : common(parts[a], parts[b]).count;
    most = std::max(most, rows);
  }
  return most;
}

/// Rows that a rank has in common with others, in runs.
std::vector<IndexRange> runs_of(std::vector<IndexRange> shared) {
  std::erase_if(shared, [](const IndexRange& r) { return r.count == 0; });
  std::ranges::sort(shared, {}, &IndexRange::first);
  std::vector<IndexRange> runs;
  for (const IndexRange& r : shared)
    if (runs.empty() || r.first > runs.back().end())
      runs.push_back(r);
    else
      runs.back().count = std::max(runs.back().end(), r.end()) - runs.back().first;
  return runs;
}

}  // namespace

std::span<std::byte> RowSums::Rows::of(HostValues& values, std::int64_t view, const IndexRange& rows) const {
  return values.bytes((view * range.count + rows.first - range.first) * columns, rows.count * columns);
}

void RowSums::prepare(Backend& device, const std::vector<IndexRange>& shared, const DeviceArray& images) {
  if (images.shape() == prepared_for_) return;
  rows_.clear();
  for (const IndexRange& run : runs_of(shared))
    rows_.push_back({run, images.shape().n0, HostValues(device, images, run), HostValues(device, images, run)});
  out_.resize(shared.size());
  in_.resize(shared.size());
  prepared_for_ = images.shape();
}

void RowSums::add_up(Ranks& ranks, RowLink* link, Backend& device, const Parting& parting, DeviceArray& images) {
  const IndexRange& mine = parting.mine();
  const std::size_t count = parting.parts().size(), me = parting.rank();
  std::vector<IndexRange> shared(count);
  for (std::size_t r = 0; r < count; ++r)
    if (r != me) shared[r] = common(mine, parting.parts()[r]);
  const auto within = [&](const IndexRange& rows) { return IndexRange{rows.first - mine.first, rows.count}; };
  if (link && ranks.minimum(link->takes(images) ? 1 : 0) > 0) {
    std::ranges::transform(shared, shared.begin(), [&](const IndexRange& r) { return r.count > 0 ? within(r) : r; });
    return link->add_up(shared, most_in_common(parting.parts()), images);
  }
  prepare(device, shared, images);
  const std::int64_t views = images.shape().n2;

  for (auto& bytes : out_) bytes.clear();
  for (Rows& rows : rows_) {
    store_rows(device, images, within(rows.range), rows.own.bytes());
    for (std::size_t r = 0; r < count; ++r) {
      if (common(shared[r], rows.range).count == 0) continue;
      for (std::int64_t view = 0; view < views; ++view) {
        const auto part = rows.of(rows.own, view, shared[r]);
        out_[r].insert(out_[r].end(), part.begin(), part.end());
      }
    }
  }
  for (std::size_t r = 0; r < count; ++r) in_[r].resize(out_[r].size());
  ranks.exchange({out_.begin(), out_.end()}, {in_.begin(), in_.end()});
  for (Rows& rows : rows_) {
    std::ranges::fill(rows.sum.bytes(), std::byte{0});
    for (std::size_t r = 0; r < count; ++r) {
      if (r == me) rows.sum.add(rows.own.bytes(), rows.sum.bytes());
      if (common(shared[r], rows.range).count == 0) continue;
      for (std::int64_t view = 0; view < views; ++view) {
        const auto to = rows.of(rows.sum, view, shared[r]);
        rows.sum.add(std::span(in_[r]).subspan(static_cast<std::size_t>(view) * to.size(), to.size()), to);
      }
    }
    restore_rows(device, rows.sum.bytes(), within(rows.range), images);
  }
}

}  // namespace backlit
