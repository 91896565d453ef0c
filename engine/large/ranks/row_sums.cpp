#include "large/ranks/row_sums.hpp"

#include <algorithm>

#include "device/row_transfer.hpp"
#include "large/ranks/host_values.hpp"

namespace backlit {
namespace {

IndexRange common(const IndexRange& a, const IndexRange& b) {
  const std::int64_t first = std::max(a.first, b.first), end = std::min(a.end(), b.end());
  return {first, std::max<std::int64_t>(0, end - first)};
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

/// Rows of all views on the host, view after view.
struct Rows {
  IndexRange range;
  std::int64_t columns;
  HostValues values;

  /// Of one view.
  std::span<std::byte> of(std::int64_t view, const IndexRange& rows) {
    return values.bytes((view * range.count + rows.first - range.first) * columns, rows.count * columns);
  }
};

}  // namespace

void add_up_rows(Ranks& ranks, Backend& device, const Parting& parting, DeviceArray& images) {
  const IndexRange& mine = parting.mine();
  const std::size_t count = parting.parts().size(), me = parting.rank();
  std::vector<IndexRange> shared(count);
  for (std::size_t r = 0; r < count; ++r)
    if (r != me) shared[r] = common(mine, parting.parts()[r]);
  const std::int64_t columns = images.shape().n0, views = images.shape().n2;
  const auto within = [&](const IndexRange& rows) { return IndexRange{rows.first - mine.first, rows.count}; };

  std::vector<Rows> own;
  std::vector<std::vector<std::byte>> out(count), in(count);
  for (const IndexRange& run : runs_of(shared)) {
    Rows& rows = own.emplace_back(Rows{run, columns, HostValues(device, images, run)});
    store_rows(device, images, within(run), rows.values.bytes());
    for (std::size_t r = 0; r < count; ++r) {
      if (common(shared[r], run).count == 0) continue;
      for (std::int64_t view = 0; view < views; ++view) {
        const auto part = rows.of(view, shared[r]);
        out[r].insert(out[r].end(), part.begin(), part.end());
      }
      in[r].resize(out[r].size());
    }
  }
  ranks.exchange({out.begin(), out.end()}, {in.begin(), in.end()});
  for (Rows& rows : own) {
    Rows sum{rows.range, columns, HostValues(device, images, rows.range)};  // zero
    for (std::size_t r = 0; r < count; ++r) {
      if (r == me) sum.values.add(rows.values.bytes(), sum.values.bytes());
      if (common(shared[r], rows.range).count == 0) continue;
      for (std::int64_t view = 0; view < views; ++view) {
        const auto to = sum.of(view, shared[r]);
        sum.values.add(std::span(in[r]).subspan(static_cast<std::size_t>(view) * to.size(), to.size()), to);
      }
    }
    restore_rows(device, sum.values.bytes(), within(rows.range), images);
  }
}

}  // namespace backlit
