// A row of the detector over all views, and the one-dimensional filters that stripes are removed by.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <backlit/data/projections.hpp>

namespace backlit {

/// Values [column][view]: readings of one pixel over the scan lie side by side.
struct SinogramRow {
  std::int64_t columns = 0, views = 0;
  std::vector<float> values;

  std::span<float> column(std::int64_t c) {
    return std::span(values).subspan(static_cast<std::size_t>(c * views), static_cast<std::size_t>(views));
  }
  std::span<const float> column(std::int64_t c) const {
    return std::span(values).subspan(static_cast<std::size_t>(c * views), static_cast<std::size_t>(views));
  }
};

/// Calls work(sinogram) for every row of the detector, several at once, and writes back what it changed.
void for_each_row(Projections&, std::string_view stage, const Watch&, const std::function<void(SinogramRow&)>& work);

/// Medians of `window` neighbours (odd); mirrored beyond the ends.
std::vector<float> running_median(std::span<const float> line, std::int64_t window);
/// A Gaussian of this standard deviation; mirrored beyond the ends.
std::vector<float> gaussian_smoothed(std::span<const float> line, double sigma);

/// Readings of a sinogram in the order of their size, column by column.
struct SortedColumns {
  SinogramRow values;              ///< ascending in each column
  std::vector<std::int32_t> view;  ///< [column][rank]: where each came from

  explicit SortedColumns(const SinogramRow&);
  /// The values back at their views, into column c of `out`.
  void put_back(std::int64_t c, std::span<const float> ranked, SinogramRow& out) const;
};
/// Each rank smoothed across columns by running_median().
SinogramRow median_across_columns(const SinogramRow& ranked, std::int64_t window);

/// Which entries stand out of a list that otherwise changes evenly: those beyond half of `snr` times the spread of its
/// middle half, where there are any beyond `snr` times it (Vo et al. 2018, algorithm 4).
std::vector<char> stand_out(std::span<const float> list, double snr);
/// The neighbours of what is marked, too.
std::vector<char> widened(const std::vector<char>& marks);

}  // namespace backlit
