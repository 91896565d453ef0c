#include <backlit/data/metrics.hpp>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include <backlit/core/error.hpp>

using namespace backlit;

namespace {

std::vector<float> wave(const Size3& size, double phase) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count(size); ++i)
    values.push_back(
        static_cast<float>(std::sin(0.37 * static_cast<double>(i) + phase) + 0.01 * static_cast<double>(i % 7)));
  return values;
}

/// Structural similarity of one window, straight from its definition.
double window_similarity(const std::vector<double>& a, const std::vector<double>& b, double range) {
  const double n = static_cast<double>(a.size());
  double ma = 0, mb = 0, va = 0, vb = 0, cov = 0;
  for (std::size_t i = 0; i < a.size(); ++i) ma += a[i] / n, mb += b[i] / n;
  for (std::size_t i = 0; i < a.size(); ++i) {
    va += (a[i] - ma) * (a[i] - ma) / (n - 1);
    vb += (b[i] - mb) * (b[i] - mb) / (n - 1);
    cov += (a[i] - ma) * (b[i] - mb) / (n - 1);
  }
  const double c1 = std::pow(0.01 * range, 2), c2 = std::pow(0.03 * range, 2);
  return (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
}

}  // namespace

TEST_CASE("metrics of a hand-computed pair") {
  const std::vector<float> b{0, 1, 2, 4, 3, 0}, a{1, 1, 2, 2, 3, 1};
  const Metrics m = compare(a, b, {3, 2, 1});
  CHECK(m.rmse == Approx(1.0));
  CHECK(m.mean_abs == Approx(4.0 / 6));
  CHECK(m.max_abs == Approx(2));
  CHECK(m.relative_l2 == Approx(std::sqrt(6.0 / 30)));
  CHECK(m.psnr_db == Approx(20 * std::log10(4.0)));
}

TEST_CASE("metrics of an array with itself are perfect") {
  const Size3 size{9, 8, 11};
  const auto a = wave(size, 0);
  const Metrics m = compare(a, a, size);
  CHECK(m.rmse == 0);
  CHECK(m.relative_l2 == 0);
  CHECK(std::isinf(m.psnr_db));
  CHECK(m.ssim == Approx(1).margin(1e-12));
}

TEST_CASE("structural similarity follows its definition") {
  const Size3 size{9, 8, 10};
  const auto a = wave(size, 0.3), b = wave(size, 0);
  const auto [low, high] = std::minmax_element(b.begin(), b.end());
  const double range = static_cast<double>(*high) - static_cast<double>(*low);
  double sum = 0;
  std::int64_t windows = 0;
  for (std::int64_t k = 0; k + 7 <= size[2]; ++k)
    for (std::int64_t j = 0; j + 7 <= size[1]; ++j)
      for (std::int64_t i = 0; i + 7 <= size[0]; ++i, ++windows) {
        std::vector<double> wa, wb;
        for (std::int64_t n = 0; n < 343; ++n) {
          const auto at = static_cast<std::size_t>(((k + n / 49) * size[1] + j + n / 7 % 7) * size[0] + i + n % 7);
          wa.push_back(a[at]);
          wb.push_back(b[at]);
        }
        sum += window_similarity(wa, wb, range);
      }
  CHECK(structural_similarity(a, b, size) == Approx(sum / static_cast<double>(windows)).epsilon(1e-9));
  CHECK(structural_similarity(a, b, size) < 0.99);
}

TEST_CASE("metrics refuse values that are not finite, and say which") {
  std::vector<float> a{1, 2, 3, 4}, b = a;
  b[2] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH(compare(a, b, {4, 1, 1}), "second array: value 2 is nan; only finite values compare");
}
