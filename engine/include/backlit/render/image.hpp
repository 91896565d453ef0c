// A picture in memory: 8-bit colour, row 0 at the top.
#pragma once

#include <cstdint>
#include <vector>

namespace backlit {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};

struct Image {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<Rgb> pixels;  ///< row by row, from the top left

  Image() = default;
  Image(std::int64_t w, std::int64_t h, Rgb fill = {})
      : width(w), height(h), pixels(static_cast<std::size_t>(w * h), fill) {}

  Rgb& at(std::int64_t x, std::int64_t y) { return pixels[static_cast<std::size_t>(y * width + x)]; }
  const Rgb& at(std::int64_t x, std::int64_t y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
  bool contains(std::int64_t x, std::int64_t y) const { return x >= 0 && y >= 0 && x < width && y < height; }

  /// Mixes `color` into a pixel; coverage 0 leaves it, 1 replaces it. Outside the picture nothing happens.
  void blend(std::int64_t x, std::int64_t y, Rgb color, double coverage);
  /// Fills a rectangle, cut at the picture's edges.
  void fill(std::int64_t x, std::int64_t y, std::int64_t w, std::int64_t h, Rgb color);
  /// Copies `other` with its top left corner at (x, y), cut at the picture's edges.
  void paste(const Image& other, std::int64_t x, std::int64_t y);
};

}  // namespace backlit
