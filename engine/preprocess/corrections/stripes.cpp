// Stripes of a sinogram, which are rings of the volume.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "preprocess/corrections/correction_list.hpp"
#include "preprocess/corrections/sinogram.hpp"
#include "preprocess/corrections/stripes.hpp"

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
  const double sigma = slow_views(s.views);
  SinogramRow slow = s;
  for (std::int64_t c = 0; c < s.columns; ++c) {
    const std::vector<float> smooth = gaussian_smoothed(s.column(c), sigma);
    std::ranges::copy(smooth, slow.column(c).begin());
  }
  SinogramRow corrected = slow;
  by_sorting(corrected, window);
  for (std::size_t i = 0; i < s.values.size(); ++i) s.values[i] += corrected.values[i] - slow.values[i];
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
  check_stripe_window(o.stripes);
  constexpr void (*methods[])(SinogramRow&, std::int64_t) = {by_means, by_sorting, by_filtering, by_fitting};
  const auto method = methods[static_cast<int>(o.stripe_method)];
  for_each_row(p, "stripes", watch, [&](SinogramRow& s) { method(s, o.stripes); });
  return stripes_text(o);
}

/// Columns whose readings differ from their neighbours' at every rank. They are marked by the mean difference of the
/// middle ranks, shifted by it, and take their neighbours' distribution.
std::int64_t remove_large(SinogramRow& s, double snr) {
  const SortedColumns sorted(s);
  const SinogramRow smooth = median_across_columns(sorted.values, large_window(s.columns));
  const std::int64_t cut = extreme_ranks(s.views);
  std::vector<float> offset;
  for (std::int64_t c = 0; c < s.columns; ++c) {
    double sum = 0;
    for (std::int64_t rank = cut; rank < s.views - cut; ++rank)
      sum += static_cast<double>(sorted.values.column(c)[static_cast<std::size_t>(rank)]) -
             static_cast<double>(smooth.column(c)[static_cast<std::size_t>(rank)]);
    offset.push_back(static_cast<float>(sum / static_cast<double>(s.views - 2 * cut)));
  }
  const auto [marks, found] = large_columns(offset, s.columns, snr);
  for (std::int64_t c = 0; c < s.columns; ++c)
    if (marks[static_cast<std::size_t>(c)]) sorted.put_back(c, smooth.column(c), s);
  return found;
}

std::string remove_large_stripes(Projections& p, const CorrectionOptions& o, const CorrectionInput&,
                                 const Watch& watch) {
  std::atomic<std::int64_t> found{0};
  for_each_row(p, "large stripes", watch, [&](SinogramRow& s) { found += remove_large(s, o.large_stripes); });
  return count_columns(found, p.scan.detector);
}

/// By how much a column's readings differ from their smooth course, in all.
std::vector<float> unrest(const SinogramRow& s) {
  std::vector<float> sum;
  for (std::int64_t c = 0; c < s.columns; ++c) {
    const std::vector<float> smooth = gaussian_smoothed(s.column(c), unrest_views);
    double total = 0;
    for (std::size_t v = 0; v < smooth.size(); ++v) total += std::abs(static_cast<double>(s.column(c)[v] - smooth[v]));
    sum.push_back(static_cast<float>(total));
  }
  return sum;
}

void interpolate_columns(SinogramRow& s, std::span<const char> marks) {
  for (const ColumnBridge& b : bridge_columns(marks, s.columns)) {
    const auto left = s.column(b.left), right = s.column(b.right);
    for (std::size_t v = 0; v < left.size(); ++v) s.column(b.column)[v] = (1 - b.share) * left[v] + b.share * right[v];
  }
}

std::string remove_dead_stripes(Projections& p, const CorrectionOptions& o, const CorrectionInput&,
                                const Watch& watch) {
  std::atomic<std::int64_t> found{0};
  for_each_row(p, "dead stripes", watch, [&](SinogramRow& s) {
    const MarkedColumns dead = dead_columns(unrest(s), s.columns, o.dead_stripes);
    interpolate_columns(s, dead.marks);
    found += dead.found;
  });
  return count_columns(found, p.scan.detector);
}

}  // namespace

void check_stripe_window(std::int64_t window) {
  if (window < 3 || window % 2 == 0)
    throw InputError("stripes", fmt::format("{} is not a window", window), "the window must be odd, 3 or more, or 0");
}

double slow_views(std::int64_t views) { return std::max(1.0, static_cast<double>(views) / 60); }

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

std::int64_t large_window(std::int64_t columns) { return std::clamp<std::int64_t>(columns / 8 | 1, 5, 81); }
std::int64_t extreme_ranks(std::int64_t views) { return views / 10; }

namespace {

/// Marks what find(the row's part of the list) finds in each row.
template <class Find>
MarkedColumns mark_rows(std::span<const float> list, std::int64_t columns, Find&& find) {
  MarkedColumns all{std::vector<char>(list.size()), 0};
  std::atomic<std::int64_t> found{0};
  parallel_for(std::ssize(list) / columns, [&](std::int64_t row) {
    const std::vector<char> marks =
        find(list.subspan(static_cast<std::size_t>(row * columns), static_cast<std::size_t>(columns)));
    found += std::ranges::count(marks, 1);
    std::ranges::copy(widened(marks), all.marks.begin() + row * columns);
  });
  all.found = found;
  return all;
}

/// The power of 2 of a column's unrest over that of its neighbours.
std::vector<float> powers_of(std::span<const float> unrest) {
  const std::vector<float> usual = running_median(unrest, 11);
  std::vector<float> all(unrest.begin(), unrest.end());
  std::ranges::nth_element(all, all.begin() + std::ssize(all) / 2);
  const float floor = 0.05f * all[all.size() / 2] + 1e-12f;  // what lies beside the object is quiet
  std::vector<float> powers;
  for (std::size_t c = 0; c < unrest.size(); ++c) powers.push_back(std::log2((unrest[c] + floor) / (usual[c] + floor)));
  return powers;
}

}  // namespace

MarkedColumns large_columns(std::span<const float> offsets, std::int64_t columns, double snr) {
  return mark_rows(offsets, columns, [&](std::span<const float> row) { return stand_out(row, snr); });
}

MarkedColumns dead_columns(std::span<const float> unrest, std::int64_t columns, double snr) {
  return mark_rows(unrest, columns, [&](std::span<const float> row) {
    const std::vector<float> powers = powers_of(row);
    std::vector<char> dead = stand_out(powers, snr);
    for (std::size_t c = 0; c < dead.size(); ++c) dead[c] = dead[c] && std::abs(powers[c]) > 1;
    return dead;
  });
}

std::vector<ColumnBridge> bridge_columns(std::span<const char> marks, std::int64_t columns) {
  std::vector<ColumnBridge> bridges;
  for (std::int64_t row = 0; row < std::ssize(marks) / columns; ++row) {
    const auto marked = [&](std::int64_t c) { return marks[static_cast<std::size_t>(row * columns + c)] != 0; };
    for (std::int64_t c = 0; c < columns; ++c) {
      if (!marked(c)) continue;
      std::int64_t left = c, right = c;
      while (left >= 0 && marked(left)) --left;
      while (right < columns && marked(right)) ++right;
      if (left < 0 && right == columns) break;
      const bool both = left >= 0 && right < columns;
      const float share = both ? static_cast<float>(c - left) / static_cast<float>(right - left) : 0.0f;
      bridges.push_back({row, c, left >= 0 ? left : right, right < columns ? right : left, share});
    }
  }
  return bridges;
}

std::string stripes_text(const CorrectionOptions& o) { return fmt::format("window of {} columns", o.stripes); }

std::string count_columns(std::int64_t found, const Detector& d) {
  return fmt::format("{} of {} columns, all rows together", found, d.pixels());
}

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
