// Frames for the browser, and their changed parts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace backlit::viewer::serve {

/// Part of a frame in px; right and bottom are excluded.
struct Area {
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;

  bool empty() const { return left >= right || top >= bottom; }
  std::int64_t width() const { return right - left; }
  std::int64_t height() const { return bottom - top; }
  bool operator==(const Area&) const = default;
};

/// The smallest area that contains both.
Area united(const Area&, const Area&);

struct Picture {
  std::int64_t width = 0, height = 0;
  std::vector<std::uint32_t> pixels;  ///< RGBA bytes, lowest row first, as in OpenGL

  Area whole() const { return {0, 0, width, height}; }
};

/// The smallest area that contains all pixels that differ; all of `b` if the sizes differ.
Area changed_area(const Picture& a, const Picture& b);

}  // namespace backlit::viewer::serve
