#include <backlit/render/value_classes.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace backlit {
namespace {

using Values = std::span<const float>;

double mean(Values v) {
  double sum = 0;
  for (const float x : v) sum += x;
  return v.empty() ? 0 : sum / static_cast<double>(v.size());
}

struct Split {
  std::size_t first = 0;  ///< index where the upper part begins
  double deviation = 0;   ///< standard deviation within the parts
};

/// Otsu's threshold: it makes the difference of the parts' means, weighted by their sizes, as large as possible.
Split otsu(Values v) {
  const auto n = static_cast<double>(v.size());
  const double all = mean(v);
  double square = 0;
  for (const float x : v) square += (x - all) * (x - all);
  Split best;
  double sum = 0, most = 0;
  for (std::size_t i = 1; i < v.size(); ++i) {
    sum += v[i - 1];
    if (v[i] == v[i - 1]) continue;
    const auto below = static_cast<double>(i);
    const double difference = sum / below - (all * n - sum) / (n - below);
    const double between = below * (n - below) / n * difference * difference;
    if (between <= most) continue;
    most = between;
    best.first = i;
  }
  best.deviation = std::sqrt(std::max(0.0, square - most) / n);
  return best;
}

/// The middle of the narrowest interval that holds a quarter of the values, and their spread, from the values below it.
std::pair<double, double> commonest(Values v) {
  const std::size_t quarter = std::max<std::size_t>(1, v.size() / 4);
  std::size_t first = 0;
  for (std::size_t i = 0; i + quarter < v.size(); ++i)
    if (v[i + quarter] - v[i] < v[first + quarter] - v[first]) first = i;
  const std::size_t middle = first + quarter / 2;
  return {v[middle], 1.4826 * (v[middle] - v[middle / 2])};
}

Values above(Values v, double threshold) {
  return v.subspan(static_cast<std::size_t>(std::ranges::upper_bound(v, static_cast<float>(threshold)) - v.begin()));
}

/// Values between the surroundings and a body's are spread evenly where voxels lie across its surface, and denser only
/// towards the body's own. Those of a material gather about one value in between.
bool gathers(Values v, double low, double high) {
  const std::size_t quarter = v.size() / 4;
  if (quarter < 2 || !(low < high)) return true;
  std::size_t densest = 0;
  for (std::size_t i = 0; i + quarter < v.size(); ++i)
    if (v[i + quarter] - v[i] < v[densest + quarter] - v[densest]) densest = i;
  constexpr double clearly = 1.7, beside = 0.1;  // times as dense as on average; share of the range
  const double width = v[densest + quarter] - v[densest];
  return 0.25 * (high - low) > clearly * width && high - v[densest + quarter] > beside * (high - low);
}

/// Where an object is too small a part of the volume, Otsu's threshold parts the surroundings' noise.
double object_threshold(Values v, double otsus, double common, double noise) {
  constexpr double clearly = 4, least_share = 2e-4;
  const double beyond = common + clearly * noise;
  if (otsus <= common || otsus >= beyond) return otsus;
  const Values rest = above(v, beyond);
  if (static_cast<double>(rest.size()) < std::max(8.0, least_share * static_cast<double>(v.size()))) return otsus;
  return std::max(beyond, 0.5 * (common + mean(rest)));
}

/// Where a far denser part has drawn Otsu's threshold above a material of its own, as metal does above plastic: the
/// threshold below that material. Else `threshold`.
double below_lighter_part(Values v, double threshold, double common, double noise) {
  const Values rest = v.first(v.size() - above(v, threshold).size());
  if (rest.size() < 2) return threshold;
  const Split split = otsu(rest);
  const Values lower = rest.first(split.first), upper = rest.subspan(split.first);
  if (lower.empty() || upper.size() < 16) return threshold;
  const double step = mean(upper) - mean(lower), halfway = mean(lower) + 0.5 * step;
  constexpr double apart = 4, worthwhile = 0.2;  // deviations; of what lies above the threshold
  const auto object = static_cast<double>(v.size() - rest.size());
  const Values material = above(rest, halfway);
  const bool much = static_cast<double>(material.size()) > worthwhile * object;
  if (!much || step < apart * split.deviation || mean(upper) < common + 2 * apart * noise) return threshold;
  const double middle = commonest(material).first, beside = 0.15 * (threshold - halfway);
  const bool inside = middle > halfway + beside && middle < threshold - beside;
  return inside && gathers(material, halfway, threshold) ? halfway : threshold;
}

}  // namespace

ValueClasses value_classes(std::span<const float> sorted) {
  ValueClasses c;
  if (sorted.empty()) return c;
  // A few values far out say nothing about the rest.
  const std::size_t cut = sorted.size() / 2000;
  const Values v = sorted.subspan(cut, sorted.size() - 2 * cut);
  c.background = c.object = c.body = c.dense = c.core = c.high = v.back();
  if (!(v.front() < v.back())) return c;
  const Split split = otsu(v);
  const double halfway = 0.5 * (mean(v.first(split.first)) + mean(v.subspan(split.first)));
  const auto [common, noise] = commonest(v);
  c.noise = noise;
  c.object = below_lighter_part(v, object_threshold(v, halfway, common, noise), common, noise);
  Values object = above(v, c.object);
  const Values rest = v.first(v.size() - object.size());
  c.background = mean(rest);
  c.body = mean(object);
  if (object.size() < 2) return c;
  Split within = otsu(object);
  if (within.first > 0 && !gathers(object.first(within.first), c.object, object[within.first])) {
    object = object.subspan(within.first);  // what was cut off is no part of its own
    within = otsu(object);
  }
  const Values soft = object.first(within.first), hard = object.subspan(within.first);
  // The means of a normal distribution's two halves are 2.6 of the halves' standard deviations apart.
  constexpr double apart = 3, least = 0.002;
  const auto share = [&](Values part) { return static_cast<double>(part.size()) / static_cast<double>(object.size()); };
  const double step = mean(hard) - mean(soft);
  c.two_parts = step > apart * within.deviation && std::min(share(soft), share(hard)) > least &&
                step > 0.25 * (mean(soft) - c.background);
  if (!c.two_parts) return c;
  c.body = mean(soft);
  c.core = mean(hard);
  c.dense = 0.5 * (c.body + c.core);
  return c;
}

ValueClasses classes_of(std::span<const float> values) {
  constexpr std::size_t most = 65536;
  const std::size_t stride = values.size() / most + 1;
  std::vector<float> sample;
  for (std::size_t i = 0; i < values.size(); i += stride)
    if (std::isfinite(values[i])) sample.push_back(values[i]);
  std::ranges::sort(sample);
  return value_classes(sample);
}

bool is_flat(const VolumeGrid& grid) {
  const Vec3 extent = grid.upper() - grid.lower();
  return extent.z < 0.2 * std::max(extent.x, extent.y);
}

TransferFunction fitting_transfer_function(const ValueClasses& c, const VolumeGrid& grid) {
  TransferFunction f;
  f.name = "auto";
  f.about = "By the volume's own values";
  f.unit = TransferFunction::Unit::value;
  f.depth = 1.5;
  f.depth_in_percent = !is_flat(grid);
  const Vec3 extent = grid.upper() - grid.lower();
  if (!f.depth_in_percent) f.depth = std::max(0.04 * std::min({extent.x, extent.y, extent.z}), 1e-9);
  const double rise = 0.2 * std::max(c.body - c.background, 1e-12);
  const double begin = std::min(std::max(c.object - rise, c.background + 2.5 * c.noise), c.object + 0.5 * rise);
  f.points = {{begin, Vec3(0.62, 0.36, 0.22), 0}};
  if (c.two_parts) {
    const double edge = 0.2 * (c.core - c.body);
    f.points.push_back({c.object + rise, Vec3(0.80, 0.50, 0.36), 0.025});
    f.points.push_back({c.dense - edge, Vec3(0.86, 0.62, 0.46), 0.015});
    f.points.push_back({c.dense + edge, Vec3(0.93, 0.84, 0.68), 0.6});
    f.points.push_back({c.core, Vec3(0.98, 0.94, 0.86), 0.9});
  } else {
    f.points.push_back({c.object + rise, Vec3(0.82, 0.58, 0.36), 0.3});
    f.points.push_back({c.body + rise, Vec3(0.93, 0.80, 0.60), 0.75});
  }
  f.points.push_back({c.high, Vec3(1.00, 0.99, 0.96), 0.97});
  const double least = std::max(1e-3 * rise, 1e-6 * std::abs(c.high));  // values must increase
  for (std::size_t i = 1; i < f.points.size(); ++i)
    f.points[i].value = std::max(f.points[i].value, f.points[i - 1].value + least);
  return f;
}

double fitting_iso(const ValueClasses& c) { return c.two_parts ? c.dense : c.object; }

}  // namespace backlit
