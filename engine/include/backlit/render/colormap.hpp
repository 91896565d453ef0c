// Converts values to colours: a window gives the range, a map the colours.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <backlit/render/image.hpp>

namespace backlit {

/// Values at or below `low` get the map's first colour, at or above `high` its last.
struct Window {
  double low = 0;
  double high = 1;
  bool operator==(const Window&) const = default;
};

/// The window between two percentiles (0 to 100) of the finite values; large arrays are sampled. Equal values give a
/// window of width 1 about them, so that the width is never 0.
Window percentile_window(std::span<const float> values, double low_percent, double high_percent);

/// Reads "LOW,HIGH" in the volume's unit, or percentiles "0.1%,99.9%" of `values`. Throws InputError(where).
Window window_from(const std::string& text, std::span<const float> values, const std::string& where);

/// Colours from low to high, evenly spaced and interpolated linearly.
struct Colormap {
  std::string name;
  std::vector<Rgb> stops;
  /// The colour at a share 0..1 of the window. NaN has a colour of its own that no map holds.
  Rgb at(double share) const;
};

/// A map of assets/colormaps/ by name (gray, gray-inverted, heat, pet-hot, ice, viridis, difference, blue-red), or a
/// file. A file has a line RED GREEN BLUE (0..1) for each colour; '#' begins a comment. Each file is read once. Throws
/// InputError naming file and line, or listing the names.
const Colormap& colormap(const std::string& name);
std::vector<std::string> colormap_names();

}  // namespace backlit
