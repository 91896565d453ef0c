#include <backlit/data/projections.hpp>

#include <algorithm>

namespace backlit {

void MemorySource::read(std::int64_t first, std::int64_t count, std::span<float> out) {
  const std::int64_t pixels = projections_.scan.detector.pixels();
  std::copy_n(projections_.values.begin() + first * pixels, count * pixels, out.begin());
}

Projections read_all(ProjectionSource& source, const Watch& watch) {
  Projections all(source.scan());
  const std::int64_t views = all.scan.view_count(), pixels = all.scan.detector.pixels();
  in_batches(watch, "read", views, pixels, "views", [&](std::int64_t first, std::int64_t n) {
    source.read(
        first, n,
        all.values.span().subspan(static_cast<std::size_t>(first * pixels), static_cast<std::size_t>(n * pixels)));
  });
  return all;
}

}  // namespace backlit
