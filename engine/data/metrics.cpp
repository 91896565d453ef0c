#include <backlit/data/metrics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>

namespace backlit {
namespace {

/// Sums over a window of the five moments that structural similarity needs.
struct Moments {
  double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  void add(double x, double y) {
    a += x;
    b += y;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  Moments& operator+=(const Moments& o) {
    a += o.a, b += o.b, aa += o.aa, bb += o.bb, ab += o.ab;
    return *this;
  }
};

std::int64_t window_along(std::int64_t n) { return std::min<std::int64_t>(7, n % 2 == 1 ? n : n - 1); }

double similarity(const Moments& m, double n, double c1, double c2) {
  const double mean_a = m.a / n, mean_b = m.b / n;
  const double sample = n > 1 ? 1 / (n - 1) : 0;
  const double var_a = std::max(0.0, m.aa - n * mean_a * mean_a) * sample;
  const double var_b = std::max(0.0, m.bb - n * mean_b * mean_b) * sample;
  const double covariance = (m.ab - n * mean_a * mean_b) * sample;
  return (2 * mean_a * mean_b + c1) * (2 * covariance + c2) /
         ((mean_a * mean_a + mean_b * mean_b + c1) * (var_a + var_b + c2));
}

double range_of(std::span<const float> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return static_cast<double>(*high) - static_cast<double>(*low);
}

void require_finite(std::span<const float> values, const char* which) {
  const auto bad = std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); });
  if (bad != values.end())
    throw InputError(which, fmt::format("value {} is {}", bad - values.begin(), *bad), "only finite values compare");
}

}  // namespace

double structural_similarity(std::span<const float> a, std::span<const float> b, const Size3& size) {
  const std::int64_t nx = size[0], ny = size[1], nz = size[2];
  const std::int64_t wx = window_along(nx), wy = window_along(ny), wz = window_along(nz);
  const std::int64_t out_x = nx - wx + 1, out_y = ny - wy + 1, out_z = nz - wz + 1;
  const double n = static_cast<double>(wx * wy * wz);
  const double range = range_of(b) > 0 ? range_of(b) : 1;
  const double c1 = 0.0001 * range * range, c2 = 0.0009 * range * range;
  // An offset of all values cancels in the variances but not in their rounding errors. It must not be subtracted first,
  // because the term of the means depends on it. So the sums are in double.
  std::vector<double> plane(static_cast<std::size_t>(out_z));
  parallel_for(out_z, [&](std::int64_t k) {
    std::vector<Moments> columns(static_cast<std::size_t>(nx));
    double total = 0;
    for (std::int64_t j = 0; j < out_y; ++j) {
      std::fill(columns.begin(), columns.end(), Moments{});
      for (std::int64_t dk = 0; dk < wz; ++dk)
        for (std::int64_t dj = 0; dj < wy; ++dj) {
          const auto row = static_cast<std::size_t>(((k + dk) * ny + j + dj) * nx);
          for (std::size_t i = 0; i < columns.size(); ++i) columns[i].add(a[row + i], b[row + i]);
        }
      for (std::int64_t i = 0; i < out_x; ++i) {
        Moments window;
        for (std::int64_t di = 0; di < wx; ++di) window += columns[static_cast<std::size_t>(i + di)];
        total += similarity(window, n, c1, c2);
      }
    }
    plane[static_cast<std::size_t>(k)] = total;
  });
  double sum = 0;
  for (const double p : plane) sum += p;
  return sum / static_cast<double>(out_x * out_y * out_z);
}

Metrics compare(std::span<const float> a, std::span<const float> b, const Size3& size) {
  require_finite(a, "first array");
  require_finite(b, "second array");
  const auto n = static_cast<std::int64_t>(a.size());
  const auto sum = [&](auto&& term) {
    return parallel_sum(n, [&](std::int64_t begin, std::int64_t end) {
      double s = 0;
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        s += term(static_cast<double>(a[i]), static_cast<double>(b[i]));
      return s;
    });
  };
  const double squares = sum([](double x, double y) { return (x - y) * (x - y); });
  const double reference = sum([](double, double y) { return y * y; });
  Metrics m;
  m.rmse = std::sqrt(squares / static_cast<double>(n));
  m.mean_abs = sum([](double x, double y) { return std::abs(x - y); }) / static_cast<double>(n);
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    m.max_abs = std::max(m.max_abs, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    largest = std::max(largest, std::abs(static_cast<double>(b[i])));
  }
  m.relative_max = squares == 0 ? 0 : m.max_abs / largest;
  m.relative_l2 = squares == 0 ? 0 : std::sqrt(squares / reference);
  m.psnr_db = 20 * std::log10(range_of(b) / m.rmse);
  if (squares == 0) m.psnr_db = std::numeric_limits<double>::infinity();
  m.ssim = structural_similarity(a, b, size);
  return m;
}

}  // namespace backlit
