#include "ranks/save_slabs.hpp"

#include <vector>

#include <backlit/io/volumes/volume_file.hpp>

namespace backlit::cli {
namespace {

std::span<const float> slices(const Volume& slab, std::int64_t first, std::int64_t count) {
  const std::int64_t slice = slab.grid.size[0] * slab.grid.size[1];
  return slab.values.span().subspan(static_cast<std::size_t>(first * slice), static_cast<std::size_t>(count * slice));
}

/// Rank 0 takes the slabs in order.
void collect(Ranks& ranks, const Volume& slab, StackWriter* writer, const Watch& watch) {
  const std::int64_t slice = slab.grid.size[0] * slab.grid.size[1];
  const double own = static_cast<double>(slab.grid.size[2]);
  const std::vector<double> counts = ranks.gather({&own, 1});
  std::vector<float> room;
  for (std::size_t r = 0; r < counts.size(); ++r)
    in_batches(watch, "write", static_cast<std::int64_t>(counts[r]), slice, "slices",
               [&](std::int64_t first, std::int64_t count) {
                 Ranks::Out out(counts.size());
                 Ranks::In in(counts.size());
                 const bool mine = r == static_cast<std::size_t>(ranks.rank());
                 if (writer && mine) return writer->write(slices(slab, first, count));
                 if (mine) out[0] = std::as_bytes(slices(slab, first, count));
                 if (writer) {
                   room.resize(static_cast<std::size_t>(count * slice));
                   in[r] = std::as_writable_bytes(std::span(room));
                 }
                 ranks.exchange(out, in);
                 if (writer) writer->write(room);
               });
}

}  // namespace

void save_slabs(Ranks& ranks, const Volume& slab, const VolumeGrid& whole, const std::filesystem::path& path,
                const Watch& watch) {
  std::unique_ptr<StackWriter> writer;
  if (ranks.rank() == 0) writer = create_volume(path, whole);
  collect(ranks, slab, writer.get(), watch);
  if (writer) writer->commit();
  ranks.sum(0);  // the file is there
}

}  // namespace backlit::cli
