#include "preprocess/corrections/sinogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <backlit/core/parallel.hpp>

namespace backlit {
namespace {

/// i mirrored into 0 .. n - 1: -1 is 0, n is n - 1.
std::int64_t mirrored(std::int64_t i, std::int64_t n) {
  const std::int64_t period = 2 * n, k = ((i % period) + period) % period;
  return k < n ? k : period - 1 - k;
}

}  // namespace

void for_each_row(Projections& p, std::string_view stage, const Watch& watch,
                  const std::function<void(SinogramRow&)>& work) {
  const Detector& d = p.scan.detector;
  const std::int64_t views = p.scan.view_count(), at_once = 8;
  watch.begin(stage, d.rows, "rows");
  for (std::int64_t first = 0; first < d.rows; first += at_once) {
    const std::int64_t count = std::min(at_once, d.rows - first);
    parallel_for(count, [&](std::int64_t i) {
      SinogramRow s{d.columns, views, std::vector<float>(static_cast<std::size_t>(d.columns * views))};
      for (std::int64_t v = 0; v < views; ++v)
        for (std::int64_t c = 0; c < d.columns; ++c)
          s.values[static_cast<std::size_t>(c * views + v)] = p.at(v, first + i, c);
      work(s);
      for (std::int64_t v = 0; v < views; ++v)
        for (std::int64_t c = 0; c < d.columns; ++c)
          p.at(v, first + i, c) = s.values[static_cast<std::size_t>(c * views + v)];
    });
    watch.advance(count);
  }
  watch.end();
}

std::vector<float> running_median(std::span<const float> line, std::int64_t window) {
  const auto n = std::ssize(line);
  const std::int64_t half = window / 2;
  const auto value = [&](std::int64_t i) { return line[static_cast<std::size_t>(mirrored(i, n))]; };
  std::vector<float> sorted, out;
  for (std::int64_t i = -half; i <= half; ++i) sorted.push_back(value(i));
  std::ranges::sort(sorted);
  for (std::int64_t i = 0; i < n; ++i) {
    out.push_back(sorted[static_cast<std::size_t>(half)]);
    sorted.erase(std::ranges::lower_bound(sorted, value(i - half)));
    const float next = value(i + half + 1);
    sorted.insert(std::ranges::lower_bound(sorted, next), next);
  }
  return out;
}

std::vector<float> gaussian_smoothed(std::span<const float> line, double sigma) {
  const auto n = std::ssize(line);
  const auto reach = static_cast<std::int64_t>(std::ceil(3 * sigma));
  std::vector<double> taps;
  for (std::int64_t i = -reach; i <= reach; ++i)
    taps.push_back(std::exp(-0.5 * static_cast<double>(i * i) / (sigma * sigma)));
  const double sum = std::accumulate(taps.begin(), taps.end(), 0.0);
  std::vector<float> out;
  for (std::int64_t i = 0; i < n; ++i) {
    double value = 0;
    for (std::int64_t k = -reach; k <= reach; ++k)
      value += taps[static_cast<std::size_t>(k + reach)] *
               static_cast<double>(line[static_cast<std::size_t>(mirrored(i + k, n))]);
    out.push_back(static_cast<float>(value / sum));
  }
  return out;
}

SortedColumns::SortedColumns(const SinogramRow& s) : values(s), view(s.values.size()) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(s.views));
  for (std::int64_t c = 0; c < s.columns; ++c) {
    const auto from = s.column(c);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t v) { return from[static_cast<std::size_t>(v)]; });
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      values.column(c)[rank] = from[static_cast<std::size_t>(order[rank])];
      view[static_cast<std::size_t>(c * s.views) + rank] = order[rank];
    }
  }
}

void SortedColumns::put_back(std::int64_t c, std::span<const float> ranked, SinogramRow& out) const {
  for (std::size_t rank = 0; rank < ranked.size(); ++rank)
    out.column(c)[static_cast<std::size_t>(view[static_cast<std::size_t>(c * out.views) + rank])] = ranked[rank];
}

SinogramRow median_across_columns(const SinogramRow& ranked, std::int64_t window) {
  SinogramRow out = ranked;
  std::vector<float> line(static_cast<std::size_t>(ranked.columns));
  for (std::int64_t rank = 0; rank < ranked.views; ++rank) {
    for (std::int64_t c = 0; c < ranked.columns; ++c)
      line[static_cast<std::size_t>(c)] = ranked.values[static_cast<std::size_t>(c * ranked.views + rank)];
    const std::vector<float> smooth = running_median(line, window);
    for (std::int64_t c = 0; c < ranked.columns; ++c)
      out.values[static_cast<std::size_t>(c * ranked.views + rank)] = smooth[static_cast<std::size_t>(c)];
  }
  return out;
}

std::vector<char> stand_out(std::span<const float> list, double snr) {
  std::vector<char> marks(list.size(), 0);
  const auto n = std::ssize(list);
  if (n < 8) return marks;
  std::vector<double> sorted(list.begin(), list.end());
  std::ranges::sort(sorted);
  // A line through the middle half of the sorted list: what it spans from end to end is the list's usual spread.
  const std::int64_t from = n / 4, to = n - n / 4;
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (std::int64_t i = from; i < to; ++i) {
    mean_x += static_cast<double>(i) / static_cast<double>(to - from);
    mean_y += sorted[static_cast<std::size_t>(i)] / static_cast<double>(to - from);
  }
  for (std::int64_t i = from; i < to; ++i) {
    const double x = static_cast<double>(i) - mean_x;
    xx += x * x;
    xy += x * (sorted[static_cast<std::size_t>(i)] - mean_y);
  }
  const double slope = xy / xx, low = mean_y - slope * mean_x, high = low + slope * static_cast<double>(n - 1);
  // Lists without noise stand out nowhere: rounding is no stripe.
  const double spread = std::max(high - low, 1e-6 * (std::abs(low) + std::abs(high)) + 1e-12);
  const bool above = sorted.back() - high > snr * spread, below = low - sorted.front() > snr * spread;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto value = static_cast<double>(list[i]);
    marks[i] = (above && value > high + 0.5 * snr * spread) || (below && value < low - 0.5 * snr * spread);
  }
  return marks;
}

std::vector<char> widened(const std::vector<char>& marks) {
  std::vector<char> out = marks;
  for (std::size_t i = 0; i < marks.size(); ++i)
    out[i] = marks[i] || (i > 0 && marks[i - 1]) || (i + 1 < marks.size() && marks[i + 1]);
  return out;
}

}  // namespace backlit
