// Stripes of a sinogram, which are rings of the volume.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include <backlit/core/error.hpp>
#include "preprocess/corrections/correction_list.hpp"
#include "preprocess/corrections/sinogram.hpp"

namespace backlit {
namespace {

constexpr const char* vo =
    "Vo, Atwood, Drakopoulos, Superior techniques for eliminating ring artifacts, Opt. Express 26 (2018) 28396";

/// The mean over the views minus the median of its neighbours, which follows the object's edges.
void by_means(SinogramRow& s, std::int64_t window) {
  std::vector<double> mean;
  for (std::int64_t c = 0; c < s.columns; ++c) {
    double sum = 0;
    for (const float v : s.column(c)) sum += static_cast<double>(v);
    mean.push_back(sum / static_cast<double>(s.views));
  }
  std::vector<double> near;
  for (std::int64_t c = 0; c < s.columns; ++c) {
    const std::int64_t reach = std::min({window / 2, c, s.columns - 1 - c});  // symmetric, so that slopes stay
    near.assign(mean.begin() + c - reach, mean.begin() + c + reach + 1);
    std::ranges::nth_element(near, near.begin() + reach);
    const auto stripe = static_cast<float>(mean[static_cast<std::size_t>(c)] - near[static_cast<std::size_t>(reach)]);
    for (float& v : s.column(c)) v -= stripe;
  }
}

/// Readings of a stripe have the ranks of their neighbours, but other values.
void by_sorting(SinogramRow& s, std::int64_t window) {
  const SortedColumns sorted(s);
  const SinogramRow smooth = median_across_columns(sorted.values, window);
  for (std::int64_t c = 0; c < s.columns; ++c) sorted.put_back(c, smooth.column(c), s);
}

/// by_sorting() of what changes slowly along the views; the rest stays.
void by_filtering(SinogramRow& s, std::int64_t window) {
  const double sigma = std::max(1.0, static_cast<double>(s.views) / 60);
  SinogramRow slow = s;
  for (std::int64_t c = 0; c < s.columns; ++c) {
    const std::vector<float> smooth = gaussian_smoothed(s.column(c), sigma);
    std::ranges::copy(smooth, slow.column(c).begin());
  }
  SinogramRow corrected = slow;
  by_sorting(corrected, window);
  for (std::size_t i = 0; i < s.values.size(); ++i) s.values[i] += corrected.values[i] - slow.values[i];
}

/// Legendre polynomials up to the third degree at n places of -1 to 1, made orthonormal there.
std::vector<std::vector<double>> smooth_curves(std::int64_t n) {
  std::vector<std::vector<double>> basis;
  for (int degree = 0; degree < 4; ++degree) {
    std::vector<double> curve;
    for (std::int64_t i = 0; i < n; ++i)
      curve.push_back(std::pow(2 * (static_cast<double>(i) + 0.5) / static_cast<double>(n) - 1, degree));
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& other : basis) {
        double share = 0;
        for (std::size_t i = 0; i < curve.size(); ++i) share += curve[i] * other[i];
        for (std::size_t i = 0; i < curve.size(); ++i) curve[i] -= share * other[i];
      }
    double square = 0;
    for (const double v : curve) square += v * v;
    if (square < 1e-12) break;  // fewer views than degrees
    for (double& v : curve) v /= std::sqrt(square);
    basis.push_back(std::move(curve));
  }
  return basis;
}

/// The coefficients of a cubic along the views change smoothly from column to column; what does not is the stripe.
void by_fitting(SinogramRow& s, std::int64_t window) {
  for (const auto& curve : smooth_curves(s.views)) {
    std::vector<float> share;
    for (std::int64_t c = 0; c < s.columns; ++c) {
      double sum = 0;
      for (std::int64_t v = 0; v < s.views; ++v)
        sum += curve[static_cast<std::size_t>(v)] * static_cast<double>(s.column(c)[static_cast<std::size_t>(v)]);
      share.push_back(static_cast<float>(sum));
    }
    const std::vector<float> smooth = running_median(share, window);
    for (std::int64_t c = 0; c < s.columns; ++c)
      for (std::int64_t v = 0; v < s.views; ++v)
        s.column(c)[static_cast<std::size_t>(v)] += static_cast<float>(
            curve[static_cast<std::size_t>(v)] *
            static_cast<double>(smooth[static_cast<std::size_t>(c)] - share[static_cast<std::size_t>(c)]));
  }
}

std::string remove_stripes(Projections& p, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  if (o.stripes < 3 || o.stripes % 2 == 0)
    throw InputError("stripes", fmt::format("{} is not a window", o.stripes),
                     "the window must be odd, 3 or more, or 0");
  constexpr void (*methods[])(SinogramRow&, std::int64_t) = {by_means, by_sorting, by_filtering, by_fitting};
  const auto method = methods[static_cast<int>(o.stripe_method)];
  for_each_row(p, "stripes", watch, [&](SinogramRow& s) { method(s, o.stripes); });
  return fmt::format("window of {} columns", o.stripes);
}

/// Columns whose readings differ from their neighbours' at every rank. They are marked by the mean difference of the
/// middle ranks, shifted by it, and take their neighbours' distribution.
std::int64_t remove_large(SinogramRow& s, double snr) {
  const std::int64_t window = std::clamp<std::int64_t>(s.columns / 8 | 1, 5, 81);
  const SortedColumns sorted(s);
  const SinogramRow smooth = median_across_columns(sorted.values, window);
  const std::int64_t cut = s.views / 10;  // the object's edges are among the extremes
  std::vector<float> offset;
  for (std::int64_t c = 0; c < s.columns; ++c) {
    double sum = 0;
    for (std::int64_t rank = cut; rank < s.views - cut; ++rank)
      sum += static_cast<double>(sorted.values.column(c)[static_cast<std::size_t>(rank)]) -
             static_cast<double>(smooth.column(c)[static_cast<std::size_t>(rank)]);
    offset.push_back(static_cast<float>(sum / static_cast<double>(s.views - 2 * cut)));
  }
  const std::vector<char> found = stand_out(offset, snr), stripes = widened(found);
  for (std::int64_t c = 0; c < s.columns; ++c)
    if (stripes[static_cast<std::size_t>(c)]) sorted.put_back(c, smooth.column(c), s);
  return std::ranges::count(found, 1);
}

std::string count_columns(std::int64_t found, const Projections& p) {
  return fmt::format("{} of {} columns, all rows together", found, p.scan.detector.pixels());
}

std::string remove_large_stripes(Projections& p, const CorrectionOptions& o, const CorrectionInput&,
                                 const Watch& watch) {
  std::atomic<std::int64_t> found{0};
  for_each_row(p, "large stripes", watch, [&](SinogramRow& s) { found += remove_large(s, o.large_stripes); });
  return count_columns(found, p);
}

/// By how much a column's readings differ from their smooth course, over what its neighbours' do, as a power of 2.
std::vector<float> unrest(const SinogramRow& s) {
  std::vector<float> sum;
  for (std::int64_t c = 0; c < s.columns; ++c) {
    const std::vector<float> smooth = gaussian_smoothed(s.column(c), 3);
    double total = 0;
    for (std::size_t v = 0; v < smooth.size(); ++v) total += std::abs(static_cast<double>(s.column(c)[v] - smooth[v]));
    sum.push_back(static_cast<float>(total));
  }
  const std::vector<float> usual = running_median(sum, 11);
  std::vector<float> all = sum;
  std::ranges::nth_element(all, all.begin() + std::ssize(all) / 2);
  const float floor = 0.05f * all[all.size() / 2] + 1e-12f;  // what lies beside the object is quiet
  std::vector<float> ratio;
  for (std::size_t c = 0; c < sum.size(); ++c) ratio.push_back(std::log2((sum[c] + floor) / (usual[c] + floor)));
  return ratio;
}

/// Linear between the nearest columns that are not marked.
void interpolate_columns(SinogramRow& s, const std::vector<char>& marked) {
  if (std::ranges::count(marked, 0) == 0) return;
  for (std::int64_t c = 0; c < s.columns; ++c) {
    if (!marked[static_cast<std::size_t>(c)]) continue;
    std::int64_t left = c, right = c;
    while (left >= 0 && marked[static_cast<std::size_t>(left)]) --left;
    while (right < s.columns && marked[static_cast<std::size_t>(right)]) ++right;
    const auto a = s.column(left >= 0 ? left : right), b = s.column(right < s.columns ? right : left);
    const float share =
        left >= 0 && right < s.columns ? static_cast<float>(c - left) / static_cast<float>(right - left) : 0.0f;
    for (std::size_t v = 0; v < a.size(); ++v) s.column(c)[v] = (1 - share) * a[v] + share * b[v];
  }
}

std::string remove_dead_stripes(Projections& p, const CorrectionOptions& o, const CorrectionInput&,
                                const Watch& watch) {
  std::atomic<std::int64_t> found{0};
  for_each_row(p, "dead stripes", watch, [&](SinogramRow& s) {
    const std::vector<float> powers = unrest(s);
    std::vector<char> dead = stand_out(powers, o.dead_stripes);
    for (std::size_t c = 0; c < dead.size(); ++c) dead[c] = dead[c] && std::abs(powers[c]) > 1;
    interpolate_columns(s, widened(dead));
    found += std::ranges::count(dead, 1);
  });
  return count_columns(found, p);
}

}  // namespace

namespace correction {

Correction stripes() {
  return {"stripes",
          "rings",
          vo,
          {"stripes", "stripe_method"},
          false,
          [](const CorrectionOptions& o) { return o.stripes != 0; },
          remove_stripes};
}

Correction large_stripes() {
  return {"large_stripes",     "large rings", vo,
          {"large_stripes"},   false,         [](const CorrectionOptions& o) { return o.large_stripes > 0; },
          remove_large_stripes};
}

Correction dead_stripes() {
  return {"dead_stripes",     "dead columns", vo,
          {"dead_stripes"},   false,          [](const CorrectionOptions& o) { return o.dead_stripes > 0; },
          remove_dead_stripes};
}

}  // namespace correction

}  // namespace backlit
