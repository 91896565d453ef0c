#include <backlit/data/hounsfield.hpp>

#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>

namespace backlit {

void to_hounsfield(std::span<float> values, double water) {
  if (!(water > 0) || !std::isfinite(water))
    throw InputError("water", fmt::format("an attenuation of {} is not positive", water),
                     "give water's, about 0.02 in 1/mm");
  const LinearScale scale = hounsfield_scale(water);
  parallel_chunks(static_cast<std::int64_t>(values.size()), [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      values[i] = static_cast<float>(scale.number(static_cast<double>(values[i])));
  });
}

}  // namespace backlit
