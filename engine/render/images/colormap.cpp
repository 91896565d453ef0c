#include <backlit/render/colormap.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <mutex>

#include <backlit/core/error.hpp>
#include "render/images/text_table.hpp"

namespace backlit {
namespace {

constexpr Rgb not_a_number{255, 0, 255};

constexpr const char* folder = "colormaps";

Colormap load(const std::string& name) {
  const NamedText file = read_named_text(folder, name, "colour map");
  Colormap map{name, {}};
  for (const TextLine& line : text_lines(file.text, file.path)) {
    const auto rgb = line.numbers(3, "red, green and blue");
    std::uint8_t bytes[3];
    for (std::size_t c = 0; c < 3; ++c) {
      if (!(rgb[c] >= 0 && rgb[c] <= 1)) line.fail(fmt::format("{} is outside 0..1", rgb[c]), "colours are shares");
      bytes[c] = static_cast<std::uint8_t>(std::lround(255 * rgb[c]));
    }
    map.stops.push_back({bytes[0], bytes[1], bytes[2]});
  }
  if (map.stops.size() < 2) throw InputError(file.path, "fewer than two colours", "add lines RED GREEN BLUE");
  return map;
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
  const std::size_t stride = std::max<std::size_t>(1, values.size() / enough) | 1;  // odd, so that samples fall in
                                                                                    // every column
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
  static std::mutex mutex;
  static std::map<std::string, Colormap> loaded;
  const std::lock_guard lock(mutex);
  auto found = loaded.find(name);
  if (found == loaded.end()) found = loaded.emplace(name, load(name)).first;
  return found->second;
}

std::vector<std::string> colormap_names() { return asset_names(folder); }

}  // namespace backlit
