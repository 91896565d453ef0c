#include "render/colormap.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.hpp"

namespace backlit {
namespace {

constexpr Rgb not_a_number{255, 0, 255};

const std::vector<Colormap>& maps() {
  static const std::vector<Colormap> list{
      {"gray", {{0, 0, 0}, {255, 255, 255}}},
      {"gray-inverted", {{255, 255, 255}, {0, 0, 0}}},
      {"heat", {{0, 0, 0}, {90, 0, 60}, {190, 30, 30}, {240, 130, 20}, {255, 220, 90}, {255, 255, 235}}},
      {"viridis", {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}},
      {"difference", {{120, 200, 255}, {25, 80, 160}, {10, 10, 14}, {160, 60, 20}, {255, 190, 100}}},
  };
  return list;
}

struct Bound {
  double value;
  bool percent;
};

Bound parse_bound(std::string_view text, const std::string& where) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  while (text.starts_with(' ')) text.remove_prefix(1);
  Bound bound{0, percent};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), bound.value);
  const bool in_range = !percent || (bound.value >= 0 && bound.value <= 100);
  if (error != std::errc{} || stop != text.data() + text.size() || !std::isfinite(bound.value) || !in_range)
    throw InputError(where, fmt::format("'{}' is not a bound of a window", text), "give LOW,HIGH or 0.1%,99.9%");
  return bound;
}

}  // namespace

Window percentile_window(std::span<const float> values, double low_percent, double high_percent) {
  constexpr std::size_t enough = 1 << 21;
  const std::size_t stride = std::max<std::size_t>(1, values.size() / enough) | 1;  // odd: meets every column
  std::vector<float> sample;
  sample.reserve(values.size() / stride + 1);
  for (std::size_t i = 0; i < values.size(); i += stride)
    if (std::isfinite(values[i])) sample.push_back(values[i]);
  if (sample.empty()) return {0, 1};
  const auto rank = [&](double percent) {
    const auto n = static_cast<std::ptrdiff_t>(
        std::lround(std::clamp(percent, 0.0, 100.0) / 100 * static_cast<double>(sample.size() - 1)));
    std::nth_element(sample.begin(), sample.begin() + n, sample.end());
    return static_cast<double>(sample[static_cast<std::size_t>(n)]);
  };
  const Window window{rank(low_percent), rank(high_percent)};
  if (window.high > window.low) return window;
  return {window.low - 0.5, window.low + 0.5};
}

Window window_from(const std::string& text, std::span<const float> values, const std::string& where) {
  const auto comma = text.find(',');
  if (comma == std::string::npos)
    throw InputError(where, fmt::format("'{}' is not a window", text), "give LOW,HIGH or 0.1%,99.9%");
  const Bound low = parse_bound(std::string_view(text).substr(0, comma), where);
  const Bound high = parse_bound(std::string_view(text).substr(comma + 1), where);
  const Window by_rank = low.percent || high.percent ? percentile_window(values, low.value, high.value) : Window{};
  const Window window{low.percent ? by_rank.low : low.value, high.percent ? by_rank.high : high.value};
  if (!(window.low < window.high))
    throw InputError(where, fmt::format("the window {} is empty", text), "the first number must be the smaller one");
  return window;
}

Rgb Colormap::at(double share) const {
  if (std::isnan(share)) return not_a_number;
  const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(position), stops.size() - 2);
  const double t = position - static_cast<double>(i);
  const auto mix = [t](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + t * (b - a)));
  };
  const Rgb a = stops[i], b = stops[i + 1];
  return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

const Colormap& colormap(const std::string& name) {
  for (const auto& map : maps())
    if (map.name == name) return map;
  throw InputError("colour map", fmt::format("unknown name '{}'", name),
                   fmt::format("choose one of {}", fmt::join(colormap_names(), ", ")));
}

std::vector<std::string> colormap_names() {
  std::vector<std::string> names;
  for (const auto& map : maps()) names.push_back(map.name);
  return names;
}

}  // namespace backlit
