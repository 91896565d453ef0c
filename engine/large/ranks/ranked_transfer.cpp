// Shared arrays between device, host and checkpoints.
#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "large/ranks/host_values.hpp"
#include "large/ranks/ranked_backend.hpp"

namespace backlit {
namespace {

constexpr std::int64_t piece_bytes = std::int64_t{64} << 20;  // that rank 0 collects at a time

/// Rows of views among whole views, and as a rank holds them.
struct RowPlaces {
  std::int64_t columns, rows, views;
  IndexRange mine;

  std::size_t view() const { return static_cast<std::size_t>(columns * rows); }
  std::size_t part() const { return static_cast<std::size_t>(columns * mine.count); }
  std::size_t skipped() const { return static_cast<std::size_t>(columns * mine.first); }

  template <class To, class From>
  void take(From whole, To own) const {
    for (std::size_t i = 0; i < static_cast<std::size_t>(views); ++i)
      std::ranges::copy(whole.subspan(i * view() + skipped(), part()), own.begin() + std::ptrdiff_t(i * part()));
  }
  template <class To, class From>
  void put(From own, To whole) const {
    for (std::size_t i = 0; i < static_cast<std::size_t>(views); ++i)
      std::ranges::copy(own.subspan(i * part(), part()), whole.begin() + std::ptrdiff_t(i * view() + skipped()));
  }
};

RowPlaces places(const RankedArray& a, std::size_t rank) {
  return {a.shape().n0, a.shape().n1, a.shape().n2, a.parting().parts()[rank]};
}

[[noreturn]] void refuse_count(std::size_t host, const RankedArray& a) {
  throw Failure("ranks",
                fmt::format("{} values on the host, {} in a rank's part of {}", host, a.part().count(), a.count()));
}

/// Slices of every rank, on all of them.
void gather_slices(Ranks& ranks, Backend& device, const RankedArray& a, std::span<float> host) {
  const std::int64_t slice = a.shape().n0 * a.shape().n1;
  const auto slab = [&](std::size_t rank) {
    const IndexRange& slices = a.parting().parts()[rank];
    return host.subspan(static_cast<std::size_t>(slices.first * slice), static_cast<std::size_t>(slices.count * slice));
  };
  const std::size_t me = a.parting().rank(), count = a.parting().parts().size();
  device.download(a.part(), slab(me));
  Ranks::Out out(count);
  Ranks::In in(count);
  for (std::size_t r = 0; r < count; ++r) {
    if (r == me) continue;
    out[r] = std::as_bytes(slab(me));
    in[r] = std::as_writable_bytes(slab(r));
  }
  ranks.exchange(out, in);
}

/// Rows of every rank, on all of them.
void gather_rows(Ranks& ranks, Backend& device, const RankedArray& a, std::span<float> host) {
  const std::size_t me = a.parting().rank(), count = a.parting().parts().size();
  std::vector<std::vector<float>> parts(count);
  for (std::size_t r = 0; r < count; ++r) parts[r].resize(places(a, r).part() * static_cast<std::size_t>(a.shape().n2));
  device.download(a.part(), parts[me]);
  Ranks::Out out(count);
  Ranks::In in(count);
  for (std::size_t r = 0; r < count; ++r) {
    if (r == me) continue;
    out[r] = std::as_bytes(std::span(parts[me]));
    in[r] = std::as_writable_bytes(std::span(parts[r]));
  }
  ranks.exchange(out, in);
  for (std::size_t r = 0; r < count; ++r) places(a, r).put(std::span<const float>(parts[r]), host);
}

/// Sends from rank `from` to rank 0, where `take` gets it.
void pass_to_first(Ranks& ranks, std::size_t from, std::span<const std::byte> mine, std::int64_t bytes,
                   const TakeBytes& take) {
  const auto me = static_cast<std::size_t>(ranks.rank());
  std::vector<std::byte> room;
  for (std::int64_t done = 0; done < bytes; done += piece_bytes) {
    const auto at = static_cast<std::size_t>(done),
               size = static_cast<std::size_t>(std::min(piece_bytes, bytes - done));
    Ranks::Out out(static_cast<std::size_t>(ranks.size()));
    Ranks::In in(static_cast<std::size_t>(ranks.size()));
    if (me == from && from != 0) out[0] = mine.subspan(at, size);
    if (me == 0 && from != 0) {
      room.resize(size);
      in[from] = room;
    }
    if (from != 0) ranks.exchange(out, in);
    if (me == 0) take(from == 0 ? mine.subspan(at, size) : room);
  }
}

}  // namespace

void RankedBackend::upload(std::span<const float> host, DeviceArray& array) {
  const RankedArray* a = as_ranked(array);
  if (!a) return device_->upload(host, array);
  const auto count = static_cast<std::int64_t>(host.size());
  if (count == a->part().count()) return device_->upload(host, a->part());
  if (count != a->count()) refuse_count(host.size(), *a);
  if (a->in_slices()) {
    const std::int64_t slice = a->shape().n0 * a->shape().n1;
    return device_->upload(host.subspan(static_cast<std::size_t>(a->parting().mine().first * slice),
                                        static_cast<std::size_t>(a->part().count())),
                           a->part());
  }
  std::vector<float> rows(static_cast<std::size_t>(a->part().count()));
  places(*a, a->parting().rank()).take(host, std::span(rows));
  device_->upload(rows, a->part());
}

void RankedBackend::download(const DeviceArray& array, std::span<float> host) {
  const RankedArray* a = as_ranked(array);
  if (!a) return device_->download(array, host);
  const auto count = static_cast<std::int64_t>(host.size());
  if (count == a->part().count()) return device_->download(a->part(), host);
  if (count != a->count()) refuse_count(host.size(), *a);
  a->in_slices() ? gather_slices(*ranks_, *device_, *a, host) : gather_rows(*ranks_, *device_, *a, host);
}

std::int64_t RankedBackend::stored_bytes(const DeviceArray& array) const {
  const RankedArray* a = as_ranked(array);
  if (!a) return device_->stored_bytes(array);
  return array.count() * stored_value_bytes(*device_, a->part());
}

void RankedBackend::store_pieces(const DeviceArray& array, const TakeBytes& take) {
  const RankedArray* a = as_ranked(array);
  if (!a) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(device_->stored_bytes(array)));
    device_->store(array, bytes);
    if (ranks_->rank() == 0) take(bytes);
    return;
  }
  HostValues own(*device_, a->part());
  own.download(*device_, a->part());
  const auto value = static_cast<std::int64_t>(own.value_bytes());
  if (a->in_slices()) {
    const std::int64_t slice = a->shape().n0 * a->shape().n1 * value;
    for (std::size_t r = 0; r < a->parting().parts().size(); ++r)
      pass_to_first(*ranks_, r, own.bytes(), a->parting().parts()[r].count * slice, take);
    return;
  }
  // View by view, the rows of one rank after another: each row from the first rank that has it.
  for (std::int64_t view = 0; view < a->shape().n2; ++view)
    for (std::int64_t row = 0, end; row < a->shape().n1; row = end) {
      const std::size_t owner = a->parting().owner(row);
      for (end = row + 1; end < a->shape().n1 && a->parting().owner(end) == owner;) ++end;
      const IndexRange& mine = a->parting().mine();
      std::span<std::byte> rows;
      if (owner == a->parting().rank())
        rows = own.bytes((view * mine.count + row - mine.first) * a->shape().n0, (end - row) * a->shape().n0);
      pass_to_first(*ranks_, owner, rows, (end - row) * a->shape().n0 * value, take);
    }
}

void RankedBackend::restore_pieces(const ReadBytes& read, DeviceArray& array) {
  const RankedArray* a = as_ranked(array);
  if (!a) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(device_->stored_bytes(array)));
    read(0, bytes);
    return device_->restore(bytes, array);
  }
  HostValues own(*device_, a->part());
  const auto value = static_cast<std::int64_t>(own.value_bytes());
  const IndexRange& mine = a->parting().mine();
  const std::int64_t line = a->shape().n0;
  if (a->in_slices()) {
    read(mine.first * line * a->shape().n1 * value, own.bytes());
  } else {
    for (std::int64_t view = 0; view < a->shape().n2; ++view)
      read((view * a->shape().n1 + mine.first) * line * value, own.bytes(view * mine.count * line, mine.count * line));
  }
  own.upload(*device_, a->part());
}

}  // namespace backlit
