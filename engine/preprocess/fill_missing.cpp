#include "preprocess/fill_missing.hpp"

#include <algorithm>

namespace backlit {
namespace {

/// One level of the pyramid: means of what is known, and whether anything is.
struct Level {
  std::int64_t columns, rows;
  std::vector<float> value;
  std::vector<char> known;

  Level(std::int64_t c, std::int64_t r)
      : columns(c), rows(r), value(static_cast<std::size_t>(c * r)), known(static_cast<std::size_t>(c * r)) {}
  std::size_t at(std::int64_t r, std::int64_t c) const { return static_cast<std::size_t>(r * columns + c); }

  /// Mean of the known values in a square that starts at (row, column); false where there are none.
  bool mean(std::int64_t row, std::int64_t column, std::int64_t side, float* result) const {
    double sum = 0;
    int n = 0;
    for (std::int64_t r = std::max<std::int64_t>(0, row); r < std::min(rows, row + side); ++r)
      for (std::int64_t c = std::max<std::int64_t>(0, column); c < std::min(columns, column + side); ++c)
        if (known[at(r, c)]) {
          sum += value[at(r, c)];
          ++n;
        }
    if (n > 0) *result = static_cast<float>(sum / n);
    return n > 0;
  }

  /// Bilinear, in pixels of the level below (twice as fine), beyond the edges as at the edges.
  float at_finer(std::int64_t row, std::int64_t column) const {
    const auto split = [](std::int64_t fine, std::int64_t size, std::int64_t* other) {
      const std::int64_t own = fine / 2;
      *other = std::clamp<std::int64_t>(fine % 2 == 0 ? own - 1 : own + 1, 0, size - 1);
      return own;
    };
    std::int64_t r1, c1;
    const std::int64_t r0 = split(row, rows, &r1), c0 = split(column, columns, &c1);
    return 0.5625f * value[at(r0, c0)] + 0.1875f * (value[at(r0, c1)] + value[at(r1, c0)]) +
           0.0625f * value[at(r1, c1)];
  }
};

Level halved(const Level& fine) {
  Level coarse((fine.columns + 1) / 2, (fine.rows + 1) / 2);
  for (std::int64_t r = 0; r < coarse.rows; ++r)
    for (std::int64_t c = 0; c < coarse.columns; ++c)
      coarse.known[coarse.at(r, c)] = fine.mean(2 * r, 2 * c, 2, &coarse.value[coarse.at(r, c)]);
  return coarse;
}

Level level_of(std::span<const float> image, std::int64_t columns, const std::vector<char>& missing) {
  Level given(columns, static_cast<std::int64_t>(image.size()) / columns);
  for (std::size_t p = 0; p < image.size(); ++p) {
    given.known[p] = !missing[p];
    given.value[p] = missing[p] ? 0.0f : image[p];
  }
  return given;
}

/// Missing pixels of these rows get the mean of their good neighbours; whether all of them have one.
bool fringe(const Level& given, const IndexRange& rows, Level& fringed) {
  bool all = true;
  for (std::int64_t r = rows.first; r < rows.end(); ++r)
    for (std::int64_t c = 0; c < given.columns; ++c)
      if (const std::size_t p = given.at(r, c); !given.known[p]) {
        fringed.known[p] = given.mean(r - 1, c - 1, 3, &fringed.value[p]);
        all = all && fringed.known[p];
      }
  return all;
}

bool complete(const Level& level) { return std::find(level.known.begin(), level.known.end(), 0) == level.known.end(); }

/// Fills a level from the coarser ones, which are made as they are needed: each has a quarter of the pixels.
void complete_from_coarser(Level& level) {
  if (complete(level) || level.value.size() == 1) return;
  Level coarse = halved(level);
  complete_from_coarser(coarse);
  for (std::int64_t r = 0; r < level.rows; ++r)
    for (std::int64_t c = 0; c < level.columns; ++c)
      if (!level.known[level.at(r, c)]) level.value[level.at(r, c)] = coarse.at_finer(r, c);
}

}  // namespace

void fill_missing(std::span<float> image, std::int64_t columns, const std::vector<char>& missing) {
  const Level given = level_of(image, columns, missing);
  Level fringed = given;
  fringe(given, {0, given.rows}, fringed);
  complete_from_coarser(fringed);
  std::copy(fringed.value.begin(), fringed.value.end(), image.begin());
}

bool fill_from_neighbours(std::span<float> image, std::int64_t columns, const std::vector<char>& missing,
                          const IndexRange& rows) {
  const Level given = level_of(image, columns, missing);
  Level fringed = given;
  if (!fringe(given, rows, fringed)) return false;
  std::copy(fringed.value.begin() + rows.first * columns, fringed.value.begin() + rows.end() * columns,
            image.begin() + rows.first * columns);
  return true;
}

}  // namespace backlit
