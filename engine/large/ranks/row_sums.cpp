#include "large/ranks/row_sums.hpp"

#include <algorithm>

#include "large/ranks/host_values.hpp"

namespace backlit {
namespace {

IndexRange common(const IndexRange& a, const IndexRange& b) {
  const std::int64_t first = std::max(a.first, b.first), end = std::min(a.end(), b.end());
  return {first, std::max<std::int64_t>(0, end - first)};
}

}  // namespace

void add_up_rows(Ranks& ranks, Backend& device, const Parting& parting, DeviceArray& images) {
  const IndexRange& mine = parting.mine();
  const std::size_t count = parting.parts().size(), me = parting.rank();
  std::vector<IndexRange> shared(count);
  bool any = false;
  for (std::size_t r = 0; r < count; ++r) {
    if (r != me) shared[r] = common(mine, parting.parts()[r]);
    any = any || shared[r].count > 0;
  }
  const std::int64_t columns = images.shape().n0, views = images.shape().n2;
  HostValues own(device, images);
  if (any) own.download(device, images);
  // Rows of one view after another, as the other end wants them.
  const auto rows_of = [&](HostValues& values, std::int64_t view, const IndexRange& rows) {
    return values.bytes((view * mine.count + rows.first - mine.first) * columns, rows.count * columns);
  };
  std::vector<std::vector<std::byte>> out(count), in(count);
  Ranks::Out sent(count);
  Ranks::In received(count);
  for (std::size_t r = 0; r < count; ++r) {
    if (shared[r].count == 0) continue;
    for (std::int64_t view = 0; view < views; ++view) {
      const auto rows = rows_of(own, view, shared[r]);
      out[r].insert(out[r].end(), rows.begin(), rows.end());
    }
    in[r].resize(out[r].size());
    sent[r] = out[r];
    received[r] = in[r];
  }
  ranks.exchange(sent, received);
  if (!any) return;
  HostValues sum(device, images);  // zero
  for (std::size_t r = 0; r < count; ++r) {
    if (r == me) own.add(own.bytes(), sum.bytes());
    for (std::int64_t view = 0; view < views && shared[r].count > 0; ++view) {
      const auto to = rows_of(sum, view, shared[r]);
      own.add(std::span(in[r]).subspan(static_cast<std::size_t>(view) * to.size(), to.size()), to);
    }
  }
  sum.upload(device, images);
}

}  // namespace backlit
