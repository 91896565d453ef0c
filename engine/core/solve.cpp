#include "core/solve.hpp"

#include <cmath>

namespace backlit {

bool solve(std::vector<double> a, std::vector<double> b, std::vector<double>& x) {
  const std::size_t n = b.size();
  std::vector<bool> kept(n);
  for (std::size_t j = 0; j < n; ++j) {
    kept[j] = a[j * n + j] > 0;
    if (!kept[j]) continue;
    double diagonal = a[j * n + j];
    for (std::size_t k = 0; k < j; ++k)
      if (kept[k]) diagonal -= a[j * n + k] * a[j * n + k];
    if (!(diagonal > 1e-12 * a[j * n + j])) return false;
    a[j * n + j] = std::sqrt(diagonal);
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k)
        if (kept[k]) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum / a[j * n + j];
    }
  }
  x.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (!kept[i]) continue;
    double sum = b[i];
    for (std::size_t k = 0; k < i; ++k)
      if (kept[k]) sum -= a[i * n + k] * x[k];
    x[i] = sum / a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (!kept[i]) continue;
    double sum = x[i];
    for (std::size_t k = i + 1; k < n; ++k)
      if (kept[k]) sum -= a[k * n + i] * x[k];
    x[i] = sum / a[i * n + i];
  }
  return true;
}

}  // namespace backlit
