#include "calibration/calibration_views.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr std::int64_t least_columns = 8;  ///< two remain after halving twice

/// The means of `b` x `b` pixels of `image`; of fewer rows at the end where rows are missing.
std::vector<float> binned(const std::vector<float>& image, std::int64_t image_columns, std::int64_t image_rows,
                          std::int64_t b, std::int64_t columns, std::int64_t rows) {
  std::vector<float> out(static_cast<std::size_t>(columns * rows));
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column) {
      double sum = 0;
      const std::int64_t end = std::min((row + 1) * b, image_rows);
      for (std::int64_t r = row * b; r < end; ++r)
        for (std::int64_t c = column * b; c < (column + 1) * b; ++c)
          sum += image[static_cast<std::size_t>(r * image_columns + c)];
      out[static_cast<std::size_t>(row * columns + column)] =
          static_cast<float>(sum / static_cast<double>(b * (end - row * b)));
    }
  return out;
}

/// Along the row, the mean of as many neighbours to each side as leave it undisturbed by the angle of the cone.
std::vector<float> row_of(const std::vector<float>& view, const CalibrationViews& views,
                          const std::function<double(double)>& row) {
  const std::int64_t band = std::min<std::int64_t>(2, views.rows / 96);
  std::vector<float> out;
  for (std::int64_t c = 0; c < views.columns; ++c) {
    const double at = (row(views.column_of(static_cast<double>(c))) + 0.5) / static_cast<double>(views.binning) - 0.5;
    double sum = 0;
    for (std::int64_t k = -band; k <= band; ++k) {
      const double inside = std::clamp(at + static_cast<double>(k), 0.0, static_cast<double>(views.rows - 1));
      const auto below = static_cast<std::int64_t>(inside), above = std::min(below + 1, views.rows - 1);
      const double f = inside - static_cast<double>(below);
      sum += (1 - f) * view[static_cast<std::size_t>(below * views.columns + c)] +
             f * view[static_cast<std::size_t>(above * views.columns + c)];
    }
    out.push_back(static_cast<float>(sum / static_cast<double>(2 * band + 1)));
  }
  return out;
}

}  // namespace

double CalibrationViews::largest() const {
  float largest = 0;
  for (const auto& view : values) largest = std::max(largest, *std::ranges::max_element(view));
  return largest;
}

std::int64_t binning(const Detector& d, std::int64_t most_columns) {
  return std::max<std::int64_t>(1, (std::max(d.columns, d.rows) + most_columns - 1) / most_columns);
}

CalibrationViews read_calibration_views(ProjectionSource& source, std::vector<std::int64_t> index,
                                        std::int64_t most_columns, const Watch& watch,
                                        const std::function<double(double)>& only_row) {
  const Scan& scan = source.scan();
  const Detector& d = scan.detector;
  CalibrationViews views;
  views.binning = backlit::binning(d, most_columns);
  views.columns = d.columns / views.binning;
  views.rows = std::max<std::int64_t>(1, d.rows / views.binning);
  if (views.columns < least_columns)
    throw InputError("calibration",
                     fmt::format("{} columns are too few beside {} rows: binned together, {} are left", d.columns,
                                 d.rows, views.columns),
                     "select some of the rows, or give the geometry in the scan file");
  views.index = std::move(index);
  std::vector<float> image(static_cast<std::size_t>(d.pixels()));
  watch.begin("read", static_cast<std::int64_t>(views.index.size()), "views");
  for (const std::int64_t view : views.index) {
    source.read(view, 1, image);
    auto coarse = binned(image, d.columns, d.rows, views.binning, views.columns, views.rows);
    if (only_row) coarse = row_of(coarse, views, only_row);
    views.values.push_back(std::move(coarse));
    watch.advance(1);
  }
  watch.end();
  if (only_row) views.rows = 1;
  return views;
}

CalibrationViews halved(const CalibrationViews& views) {
  CalibrationViews out{
      views.index, views.columns / 2, std::max<std::int64_t>(1, views.rows / 2), 2 * views.binning, {}};
  for (const auto& view : views.values)
    out.values.push_back(binned(view, views.columns, views.rows, 2, out.columns, out.rows));
  return out;
}

std::vector<float> smoothed(std::vector<float> image, std::int64_t columns, std::int64_t rows, double sigma) {
  const auto times = std::llround(2 * sigma * sigma);
  const auto pass = [&](std::int64_t lines, std::int64_t line_step, std::int64_t n, std::int64_t step) {
    for (std::int64_t l = 0; l < lines; ++l)
      for (std::int64_t t = 0; t < times; ++t) {
        float before = image[static_cast<std::size_t>(l * line_step)];
        for (std::int64_t i = 0; i + 1 < n; ++i) {
          float& here = image[static_cast<std::size_t>(l * line_step + i * step)];
          const float now = here;
          here = 0.25f * before + 0.5f * now + 0.25f * image[static_cast<std::size_t>(l * line_step + (i + 1) * step)];
          before = now;
        }
      }
  };
  pass(rows, columns, columns, 1);
  if (rows > 1) pass(columns, 1, rows, columns);
  return image;
}

std::vector<std::int64_t> spread_views(std::int64_t views, std::int64_t count) {
  std::vector<std::int64_t> index;
  count = std::min(count, views);
  for (std::int64_t i = 0; i < count; ++i) index.push_back(i * views / count);
  return index;
}

}  // namespace backlit
