#include "data/projections.hpp"

#include <algorithm>

namespace backlit {

void MemorySource::read(std::int64_t first, std::int64_t count, std::span<float> out) {
  const std::int64_t pixels = projections_.scan.detector.pixels();
  std::copy_n(projections_.values.begin() + first * pixels, count * pixels, out.begin());
}

Projections read_all(ProjectionSource& source) {
  Projections all(source.scan());
  source.read(0, all.scan.view_count(), all.values.span());
  return all;
}

}  // namespace backlit
