// Penalties of volumes that ranks share: each needs one slice of the rank before it and one of the rank behind it.
#include <algorithm>
#include <array>
#include <vector>

#include <backlit/data/host_array.hpp>
#include "large/ranks/host_values.hpp"
#include "large/ranks/ranked_backend.hpp"
#include "large/slice_windows.hpp"

namespace backlit {
namespace {

using Operand = RankedBackend::Operand;

/// Slices at the front and at the back of a slab, of several volumes one after another.
using Edges = std::array<std::vector<std::byte>, 2>;

/// Sends the front to the rank before this one and the back to the rank behind it, and takes theirs: what lies before
/// the slabs and what lies behind them.
Edges exchange_edges(Ranks& ranks, const Edges& mine) {
  const auto me = static_cast<std::size_t>(ranks.rank()), count = static_cast<std::size_t>(ranks.size());
  Ranks::Out out(count);
  Ranks::In in(count);
  Edges theirs;
  for (const std::size_t side : {0, 1}) {
    if (side == 0 ? me == 0 : me + 1 == count) continue;
    theirs[side].resize(mine[side].size());
    const std::size_t neighbour = side == 0 ? me - 1 : me + 1;
    out[neighbour] = mine[side];
    in[neighbour] = theirs[side];
  }
  ranks.exchange(out, in);
  return theirs;
}

/// A slab between its neighbours' slices.
struct Surrounded {
  ArrayShape volume;
  IndexRange own;  ///< slices

  explicit Surrounded(const RankedArray& like) {
    const IndexRange& mine = like.parting().mine();
    const std::int64_t below = mine.first > 0 ? 1 : 0, above = mine.end() < like.shape().n2 ? 1 : 0;
    volume = {like.shape().n0, like.shape().n1, below + mine.count + above};
    own = {below, mine.count};
  }
  std::int64_t slice() const { return volume.n0 * volume.n1; }
  /// Of the slice that a neighbour has; -1 where there is none.
  std::int64_t outer(std::size_t side) const {
    if (side == 0) return own.first - 1;
    return own.end() < volume.n2 ? own.end() : -1;
  }
};

using Work = RankedBackend::Work;

/// Makes room for all operands with their neighbours' slices; none where that, or an operand, does not lie on the
/// device as a whole. All ranks call it.
void make_windows(Ranks& ranks, Backend& device, const Surrounded& slab, const std::vector<Operand>& operands,
                  KeptWindows& kept) {
  const ArrayShape& whole = operands.front().array->shape();
  if (kept.of == whole && kept.asked >= operands.size()) return;
  if (!(kept.of == whole)) kept.windows.clear();
  kept.of = whole;
  kept.asked = operands.size();
  bool fits = true;
  for (std::size_t n = 0; fits && n < operands.size(); ++n) {
    if (n == kept.windows.size()) kept.windows.push_back(device.make_array(slab.volume));
    fits = device.rows(part_of(*operands[n].array), 0, 1) && device.rows(*kept.windows[n], 0, 1);
  }
  if (!fits) kept.windows.clear();
  kept.everywhere = ranks.minimum(fits ? 1 : 0) > 0;
}

/// Neighbours' slices from card to card.
void swap_edges(const Ranks& ranks, RowLink& link, Backend& device, const Surrounded& slab, const SliceWindows& windows,
                const std::vector<Operand>& operands) {
  std::vector<RowLink::Neighbour> neighbours;
  for (const std::size_t side : {0, 1}) {
    if (slab.outer(side) < 0) continue;
    auto& neighbour = neighbours.emplace_back();
    neighbour.rank = ranks.rank() + (side == 0 ? -1 : 1);
    for (std::size_t n = 0; n < operands.size(); ++n) {
      if (!operands[n].read) continue;
      neighbour.out.push_back(device.rows(part_of(*operands[n].array), side == 0 ? 0 : slab.own.count - 1, 1));
      neighbour.in.push_back(device.rows(*windows[n], slab.outer(side), 1));
    }
  }
  link.swap(neighbours, {slab.volume.n0, slab.volume.n1, 1});
}

/// The same through host memory.
void send_edges(Ranks& ranks, Backend& device, const Surrounded& slab, const SliceWindows& windows,
                const std::vector<Operand>& operands) {
  Edges edges;
  for (const Operand& o : operands) {
    if (!o.read) continue;
    for (const std::size_t side : {0, 1}) {
      const ArrayPtr edge = device.rows(part_of(*o.array), side == 0 ? 0 : slab.own.count - 1, 1);
      HostValues values(device, *edge);
      values.download(device, *edge);
      edges[side].insert(edges[side].end(), values.bytes().begin(), values.bytes().end());
    }
  }
  const Edges theirs = exchange_edges(ranks, edges);
  for (const std::size_t side : {0, 1}) {
    std::size_t taken = 0;
    for (std::size_t n = 0; n < operands.size(); ++n) {
      if (!operands[n].read || slab.outer(side) < 0) continue;
      const ArrayPtr place = device.rows(*windows[n], slab.outer(side), 1);
      HostValues values(device, *place);
      std::ranges::copy(std::span(theirs[side]).subspan(taken, values.bytes().size()), values.bytes().begin());
      values.upload(device, *place);
      taken += values.bytes().size();
    }
  }
}

/// On the device, all slices at once: no value is rounded on its way.
void work_at_once(Ranks& ranks, RowLink* link, Backend& device, const Surrounded& slab, const SliceWindows& windows,
                  const std::vector<Operand>& operands, const Work& work) {
  for (std::size_t n = 0; n < operands.size(); ++n)
    if (operands[n].read)
      device.copy(part_of(*operands[n].array), *device.rows(*windows[n], slab.own.first, slab.own.count));
  link ? swap_edges(ranks, *link, device, slab, windows, operands) : send_edges(ranks, device, slab, windows, operands);
  work(windows);
  for (std::size_t n = 0; n < operands.size(); ++n)
    if (operands[n].written)
      device.copy(*device.rows(*windows[n], slab.own.first, slab.own.count), part_of(*operands[n].written));
}

/// The slabs go through host memory, and a few slices of them visit the device at a time: see work_in_windows().
void work_by_windows(Ranks& ranks, Backend& device, const Surrounded& slab, const std::vector<Operand>& operands,
                     const Work& work) {
  const auto slices = [&](HostArray<float>& host, std::int64_t first, std::int64_t count) {
    return host.span().subspan(static_cast<std::size_t>(first * slab.slice()),
                               static_cast<std::size_t>(count * slab.slice()));
  };
  const auto inside = [&](HostArray<float>& host) { return slices(host, slab.own.first, slab.own.count); };
  std::vector<HostArray<float>> before(operands.size()), after(operands.size());
  std::vector<HostOperand> hosts;
  Edges edges;
  for (std::size_t n = 0; n < operands.size(); ++n) {
    if (operands[n].read) {
      before[n] = HostArray<float>(slab.volume.count());
      device.download(part_of(*operands[n].array), inside(before[n]));
      for (const std::size_t side : {0, 1}) {
        const auto edge = std::as_bytes(slices(before[n], side == 0 ? slab.own.first : slab.own.end() - 1, 1));
        edges[side].insert(edges[side].end(), edge.begin(), edge.end());
      }
    }
    if (operands[n].written) after[n] = HostArray<float>(slab.volume.count());
    hosts.push_back({before[n].span(), after[n].span()});
  }
  const Edges theirs = exchange_edges(ranks, edges);
  for (const std::size_t side : {0, 1}) {
    std::size_t taken = 0;
    for (std::size_t n = 0; n < operands.size(); ++n) {
      if (!operands[n].read || slab.outer(side) < 0) continue;
      const auto place = std::as_writable_bytes(slices(before[n], slab.outer(side), 1));
      std::ranges::copy(std::span(theirs[side]).subspan(taken, place.size()), place.begin());
      taken += place.size();
    }
  }
  work_in_windows(device, device.capabilities().memory_bytes, slab.volume, slab.own, hosts, work);
  for (std::size_t n = 0; n < operands.size(); ++n)
    if (operands[n].written) device.upload(inside(after[n]), part_of(*operands[n].written));
}

}  // namespace

/// Through host memory, edges are exchanged alike in both ways: each rank chooses its own.
void RankedBackend::with_neighbours(const std::vector<Operand>& operands, const Work& work) {
  const Surrounded slab(*as_ranked(*operands.front().array));
  make_windows(*ranks_, *device_, slab, operands, windows_);
  if (windows_.windows.empty()) return work_by_windows(*ranks_, *device_, slab, operands, work);
  work_at_once(*ranks_, windows_.everywhere ? link().get() : nullptr, *device_, slab, windows_.windows, operands, work);
}

void RankedBackend::stiffness(const NeighbourPenalty& penalty, const DeviceArray& x, const DeviceArray& d,
                              DeviceArray& y) {
  NeighbourOperations& neighbours = *device_->neighbours();
  std::vector<Operand> operands{{&y, false, &y}, {&x}};
  if (&d != &x) operands.push_back({&d});
  with_neighbours(operands,
                  [&](const SliceWindows& w) { neighbours.stiffness(penalty, *w[1], *w[operands.size() - 1], *w[0]); });
}

void RankedBackend::ascend(const Differences& differences, const DeviceArray& x, float step, float radius,
                           const Field& z) {
  NeighbourOperations& neighbours = *device_->neighbours();
  with_neighbours({{z[0], true, z[0]}, {z[1], true, z[1]}, {z[2], true, z[2]}, {&x}}, [&](const SliceWindows& w) {
    neighbours.ascend(differences, *w[3], step, radius, {w[0].get(), w[1].get(), w[2].get()});
  });
}

void RankedBackend::descend(const Differences& differences, const Field& z, const Descent& step) {
  NeighbourOperations& neighbours = *device_->neighbours();
  std::vector<Operand> operands{{&step.to, false, &step.to}, {&step.from}, {z[0]}, {z[1]}, {z[2]}};
  if (step.weights)
    operands.insert(operands.end(), {{step.weights}, {step.gradient}, {step.before, true, step.before}});
  with_neighbours(operands, [&](const SliceWindows& w) {
    Descent part{*w[1], *w[0], step.low, step.high};
    if (step.weights) {
      part.weights = w[5].get();
      part.gradient = w[6].get();
      part.before = w[7].get();
    }
    neighbours.descend(differences, {w[2].get(), w[3].get(), w[4].get()}, part);
  });
}

}  // namespace backlit
