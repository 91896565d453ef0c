// Noise from counters: the noise of a pixel depends on seed, view and pixel alone.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/phantom/phantom.hpp>
#include "phantom/random.hpp"

namespace backlit {

void add_noise(const NoiseOptions& options, std::int64_t view, std::span<float> line_integrals) {
  if (!(options.photons >= 0 && options.photons <= 1e15))
    throw InputError("noise", fmt::format("{} photons a pixel", options.photons), "give 0 to 1e15");
  if (!(options.electronic >= 0 && options.electronic <= 1e15))
    throw InputError("noise", fmt::format("electronic noise of {} counts", options.electronic), "give 0 to 1e15");
  if (options.photons == 0) return;
  parallel_chunks(
      static_cast<std::int64_t>(line_integrals.size()),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t pixel = begin; pixel < end; ++pixel) {
          CounterRandom random(options.seed, static_cast<std::uint64_t>(pixel), static_cast<std::uint64_t>(view));
          float& value = line_integrals[static_cast<std::size_t>(pixel)];
          double counts = poisson(random, options.photons * std::exp(-static_cast<double>(value)));
          if (options.electronic > 0) counts += options.electronic * gaussian(random);
          value = static_cast<float>(-std::log(std::max(counts, 0.5) / options.photons));
        }
      },
      1 << 12);
}

}  // namespace backlit
