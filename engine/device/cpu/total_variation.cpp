#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/device/cpu/cpu_array.hpp>
#include "device/cpu/cpu_backend.hpp"

namespace backlit {
namespace {

/// A volume as x(i, j, k).
struct Values {
  const double* values;
  std::int64_t row, slice;
  double operator()(int i, int j, int k) const { return values[k * slice + j * row + i]; }
};

Values values_of(const DeviceArray& a, const ArrayShape& s) {
  if (a.shape() != s) throw Failure("cpu backend", "arrays of different shapes cannot be combined");
  return {cpu_values(a), s.n0, s.n0 * s.n1};
}

/// f(i, j, k, place) for every voxel, rows in parallel.
template <class F>
void for_voxels(const ArrayShape& s, F&& f) {
  parallel_for(s.n1 * s.n2, [&](std::int64_t line) {
    const int j = static_cast<int>(line % s.n1), k = static_cast<int>(line / s.n1);
    for (int i = 0; i < s.n0; ++i) f(i, j, k, line * s.n0 + i);
  });
}

}  // namespace

void CpuBackend::ascend(const Differences& d, const DeviceArray& x, float step, float radius, const Field& z) {
  const ArrayShape s = x.shape();
  const int size[3] = {static_cast<int>(s.n0), static_cast<int>(s.n1), static_cast<int>(s.n2)};
  const Values from = values_of(x, s);
  double* to[3];
  for (std::size_t n = 0; n < 3; ++n) {
    values_of(*z[n], s);
    to[n] = cpu_values(*z[n]);
  }
  for_voxels(s, [&](int i, int j, int k, std::int64_t at) {
    for (int n = 0; n < 3; ++n) to[n][at] += static_cast<double>(step) * difference<double>(d, n, size, i, j, k, from);
    shorten<double>(to[0][at], to[1][at], to[2][at], static_cast<double>(radius));
  });
}

void CpuBackend::descend(const Differences& d, const Field& z, const Descent& step) {
  const ArrayShape s = step.from.shape();
  const Values a = values_of(*z[0], s), b = values_of(*z[1], s), c = values_of(*z[2], s),
               from = values_of(step.from, s);
  values_of(step.to, s);
  double* const to = cpu_values(step.to);
  const double low = static_cast<double>(step.low), high = static_cast<double>(step.high);
  if (!step.weights)
    return for_voxels(s, [&](int i, int j, int k, std::int64_t at) {
      to[at] = std::clamp(from.values[at] - divergence<double>(d, i, j, k, a, b, c), low, high);
    });
  const Values weights = values_of(*step.weights, s), gradient = values_of(*step.gradient, s);
  values_of(*step.before, s);
  double* const before = cpu_values(*step.before);
  for_voxels(s, [&](int i, int j, int k, std::int64_t at) {
    const double now = divergence<double>(d, i, j, k, a, b, c);
    const double change = weights.values[at] * (gradient.values[at] + 2 * now - before[at]);
    to[at] = std::clamp(from.values[at] - change, low, high);
    before[at] = now;
  });
}

}  // namespace backlit
