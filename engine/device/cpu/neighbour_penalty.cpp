#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/device/cpu/cpu_array.hpp>
#include "device/cpu/cpu_backend.hpp"

namespace backlit {

void CpuBackend::stiffness(const NeighbourPenalty& penalty, const DeviceArray& x, const DeviceArray& d,
                           DeviceArray& y) {
  const ArrayShape s = x.shape();
  if (d.shape() != s || y.shape() != s) throw Failure("cpu backend", "arrays of different shapes cannot be combined");
  const int size[3] = {static_cast<int>(s.n0), static_cast<int>(s.n1), static_cast<int>(s.n2)};
  const auto reader = [&](const double* values) {
    return [values, s](int i, int j, int k) { return values[(k * s.n1 + j) * s.n0 + i]; };
  };
  const auto from = reader(cpu_values(x)), along = reader(cpu_values(d));
  double* to = cpu_values(y);
  parallel_for(s.n1 * s.n2, [&](std::int64_t line) {
    const int j = static_cast<int>(line % s.n1), k = static_cast<int>(line / s.n1);
    for (int i = 0; i < size[0]; ++i) to[line * s.n0 + i] = stiffness_row<double>(penalty, size, i, j, k, from, along);
  });
}

}  // namespace backlit
