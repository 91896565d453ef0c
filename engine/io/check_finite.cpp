#include "io/check_finite.hpp"

#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>

namespace backlit {

void check_finite(std::span<const float> values, std::int64_t columns, std::int64_t rows, std::int64_t first_image,
                  const std::string& where) {
  const auto size = static_cast<std::int64_t>(values.size());
  const double bad = parallel_sum(size, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t n = 0;
    for (std::int64_t i = begin; i < end; ++i) n += !std::isfinite(values[static_cast<std::size_t>(i)]);
    return static_cast<double>(n);
  });
  if (bad == 0) return;
  std::int64_t first = 0;
  while (std::isfinite(values[static_cast<std::size_t>(first)])) ++first;
  throw InputError(
      where,
      fmt::format("{} of the {} values from image {} on are not finite numbers, the first in image {}, row {}, "
                  "column {}",
                  bad, size, first_image, first_image + first / (columns * rows), first / columns % rows,
                  first % columns),
      "convert the file to .npy and replace them there (numpy.nan_to_num); a .npy keeps the values only, so name the "
      "geometry, or an MRC's tilts, in a .scan.toml");
}

}  // namespace backlit
