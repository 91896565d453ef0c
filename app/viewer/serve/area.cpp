#include "serve/area.hpp"

#include <algorithm>
#include <cstring>

namespace backlit::viewer::serve {

Area united(const Area& a, const Area& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right), std::max(a.bottom, b.bottom)};
}

Area changed_area(const Picture& a, const Picture& b) {
  if (a.width != b.width || a.height != b.height) return b.whole();
  const std::int64_t width = a.width;
  Area changed{width, a.height, 0, 0};
  for (std::int64_t row = 0; row < a.height; ++row) {
    const std::uint32_t *p = a.pixels.data() + row * width, *q = b.pixels.data() + row * width;
    if (std::memcmp(p, q, static_cast<std::size_t>(width) * sizeof *p) == 0) continue;
    const std::int64_t y = a.height - 1 - row;  // the lowest row comes first in memory
    changed.top = std::min(changed.top, y);
    changed.bottom = std::max(changed.bottom, y + 1);
    changed.left = std::min<std::int64_t>(changed.left, std::mismatch(p, p + width, q).first - p);
    std::int64_t end = width;
    while (end > changed.right && p[end - 1] == q[end - 1]) --end;
    changed.right = std::max(changed.right, end);
  }
  return changed.empty() ? Area{} : changed;
}

}  // namespace backlit::viewer::serve
