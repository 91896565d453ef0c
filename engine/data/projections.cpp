#include "data/projections.hpp"

#include <algorithm>

namespace backlit {

void MemorySource::read(std::int64_t first, std::int64_t count, std::span<float> out) {
  const std::int64_t pixels = projections_.scan.detector.pixels();
  std::copy_n(projections_.values.begin() + first * pixels, count * pixels, out.begin());
}

Projections read_all(ProjectionSource& source, const Watch& watch) {
  Projections all(source.scan());
  const std::int64_t views = all.scan.view_count(), pixels = all.scan.detector.pixels();
  const std::int64_t batch =
      std::clamp<std::int64_t>((std::int64_t{1} << 22) / pixels, 1, std::max<std::int64_t>(1, views));
  watch.begin("read", views, "views");
  for (std::int64_t first = 0; first < views; first += batch) {
    const std::int64_t n = std::min(batch, views - first);
    source.read(
        first, n,
        all.values.span().subspan(static_cast<std::size_t>(first * pixels), static_cast<std::size_t>(n * pixels)));
    watch.advance(n);
  }
  watch.end();
  return all;
}

}  // namespace backlit
