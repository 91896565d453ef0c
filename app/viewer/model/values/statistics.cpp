#include "model/values/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace backlit::viewer {

double Histogram::percentile(double percent) const {
  if (sorted.empty()) return low;
  const double at = std::clamp(percent, 0.0, 100.0) / 100 * static_cast<double>(sorted.size() - 1);
  const auto i = static_cast<std::size_t>(at);
  const double next = sorted[std::min(i + 1, sorted.size() - 1)];
  return sorted[i] + (at - static_cast<double>(i)) * (next - sorted[i]);
}

Histogram histogram_of(std::span<const float> values, std::size_t bins) {
  Histogram h;
  std::vector<float> finite;  // in the order of `values`
  finite.reserve(values.size());
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](float v) { return std::isfinite(v); });
  h.bins.assign(bins, 0);
  if (finite.empty()) return h;
  const auto [least, most] = std::ranges::minmax(finite);
  h.low = least;
  h.high = most > least ? most : least + 1;
  const double scale = static_cast<double>(bins) / (h.high - h.low);
  for (float v : finite) ++h.bins[std::min(bins - 1, static_cast<std::size_t>((v - h.low) * scale))];
  constexpr std::size_t kept = 65534;  // and the two ends
  const std::size_t stride = (finite.size() + kept - 1) / kept;
  for (std::size_t i = 0; i < finite.size(); i += stride) h.sorted.push_back(finite[i]);
  std::ranges::sort(h.sorted);
  if (h.sorted.front() != least) h.sorted.insert(h.sorted.begin(), least);
  if (h.sorted.back() != most) h.sorted.push_back(most);
  h.classes = value_classes(h.sorted);
  return h;
}

namespace {

/// A box about nearly all of the points.
void box_about(std::vector<Vec3> points, Vec3& low, Vec3& high) {
  const std::size_t few = points.size() / 200, last = points.size() - 1 - few;
  for (int a = 0; a < 3; ++a) {
    const auto coordinate = [a](const Vec3& p) { return p[a]; };
    std::ranges::nth_element(points, points.begin() + static_cast<std::ptrdiff_t>(few), {}, coordinate);
    low[a] = points[few][a];
    std::ranges::nth_element(points, points.begin() + static_cast<std::ptrdiff_t>(last), {}, coordinate);
    high[a] = points[last][a];
  }
}

}  // namespace

void find_object(Histogram& h, std::span<const Vec3> points, std::span<const float> values) {
  const ValueClasses& c = h.classes;
  const auto above = [&](double threshold) {
    std::vector<Vec3> found;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (values[i] > threshold) found.push_back(points[i]);
    return found;
  };
  const std::vector<Vec3> object = above(c.object);
  if (object.empty()) return;
  Vec3 middle(0);
  for (const Vec3& p : object) middle += p / static_cast<double>(object.size());
  std::vector<Vec3> inside = c.two_parts ? above(c.dense) : object;  // streaks between bodies are fainter
  if (inside.empty()) inside = object;
  h.object_point = *std::ranges::min_element(inside, {}, [&](const Vec3& p) { return glm::length(p - middle); });
  box_about(object, h.shown_low, h.shown_high);
  // What is fainter than the object but no noise belongs to the slices, too: a holder, the body about hot organs.
  const double faint = c.background + std::max(5 * c.noise, 0.25 * (c.object - c.background));
  box_about(above(std::min(c.object, faint)), h.object_low, h.object_high);
}

RegionStatistics statistics_of(std::span<const float> values) {
  RegionStatistics s;
  double mean = 0, square = 0;  // Welford's algorithm
  for (float v : values) {
    if (!std::isfinite(v)) continue;
    ++s.samples;
    const double step = v - mean;
    mean += step / static_cast<double>(s.samples);
    square += step * (v - mean);
    s.low = s.samples == 1 ? v : std::min<double>(s.low, v);
    s.high = s.samples == 1 ? v : std::max<double>(s.high, v);
  }
  s.mean = mean;
  if (s.samples > 1) s.deviation = std::sqrt(square / static_cast<double>(s.samples - 1));
  return s;
}

double share_below(std::span<const float> values, double threshold) {
  std::int64_t all = 0, below = 0;
  for (const float v : values) {
    if (!std::isfinite(v)) continue;
    ++all;
    below += v < threshold;
  }
  return all > 0 ? static_cast<double>(below) / static_cast<double>(all) : 0;
}

ProfilePeak profile_peak(std::span<const double> distance, std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < 3 || !std::ranges::all_of(values, [](double v) { return std::isfinite(v); })) return {};
  std::vector<double> height(n);  // above the line through the ends
  for (std::size_t i = 0; i < n; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(n - 1);
    height[i] = values[i] - (1 - share) * values.front() - share * values.back();
  }
  const auto top = std::ranges::max_element(height, {}, [](double h) { return std::abs(h); });
  constexpr double rounding = 1e-9;
  const auto [least, most] = std::ranges::minmax(values);
  if (std::abs(*top) <= rounding * std::max(std::abs(least), std::abs(most))) return {};
  const auto peak = static_cast<std::size_t>(top - height.begin());
  const double half = 0.5 * height[peak];
  const auto beyond = [&](std::size_t i) { return height[i] / half >= 1; };
  // Where the half is crossed between sample i, beyond it, and its neighbour j.
  const auto crossing = [&](std::size_t i, std::size_t j) {
    const double share = (half - height[i]) / (height[j] - height[i]);
    return distance[i] + share * (distance[j] - distance[i]);
  };
  std::size_t left = peak, right = peak;
  while (beyond(left - 1)) --left;
  while (beyond(right + 1)) ++right;
  return {distance[peak], values[peak], crossing(right, right + 1) - crossing(left, left - 1)};  // the ends are at 0
}

double length_above(std::span<const double> distance, std::span<const double> values, double threshold) {
  double length = 0;
  for (std::size_t i = 1; i < std::min(distance.size(), values.size()); ++i) {
    const double a = values[i - 1] - threshold, b = values[i] - threshold, step = distance[i] - distance[i - 1];
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    const double high = std::max(a, b), low = std::min(a, b);
    length += low >= 0 ? step : high > 0 ? step * high / (high - low) : 0;
  }
  return length;
}

std::string stage_times(const StageSeconds& before, const StageSeconds& after, double seconds, std::int64_t runs) {
  const double ms = 1e3 / static_cast<double>(std::max<std::int64_t>(1, runs));
  std::string text;
  double rest = seconds;
  for (const auto& [stage, total] : after) {
    const auto was = before.find(stage);
    const double spent = total - (was == before.end() ? 0 : was->second);
    if (spent <= 0) continue;
    text += fmt::format("{:.2f} {}, ", ms * spent, stage);
    rest -= spent;
  }
  return text + fmt::format("{:.2f} rest", ms * rest);
}

std::vector<Vec3> line_points(const Vec3& from, const Vec3& to, std::int64_t count) {
  std::vector<Vec3> points;
  for (std::int64_t i = 0; i < count; ++i)
    points.push_back(glm::mix(from, to, count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.5));
  return points;
}

std::vector<Vec3> box_points(const Vec3& a, const Vec3& b, const VolumeGrid& grid, std::int64_t most) {
  const Vec3 low = glm::min(a, b), high = glm::max(a, b);
  Size3 n;
  for (int i = 0; i < 3; ++i)
    n[static_cast<std::size_t>(i)] = std::max<std::int64_t>(1, std::llround((high[i] - low[i]) / grid.spacing[i]));
  while (count(n) > most) {  // again where an axis is too short to be shortened as much
    const auto axes = static_cast<double>(std::ranges::count_if(n, [](std::int64_t k) { return k > 1; }));
    const double less = std::pow(static_cast<double>(most) / static_cast<double>(count(n)), 1 / axes);
    for (auto& k : n) k = std::max<std::int64_t>(1, static_cast<std::int64_t>(less * static_cast<double>(k)));
  }
  VolumeGrid box{n, {}, 0.5 * (low + high)};
  for (int i = 0; i < 3; ++i) box.spacing[i] = (high[i] - low[i]) / static_cast<double>(n[static_cast<std::size_t>(i)]);
  std::vector<Vec3> points;
  for (std::int64_t z = 0; z < n[2]; ++z)
    for (std::int64_t y = 0; y < n[1]; ++y)
      for (std::int64_t x = 0; x < n[0]; ++x)
        points.push_back(box.voxel_center(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)));
  return points;
}

}  // namespace backlit::viewer
