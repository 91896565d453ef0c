// What the host and devices share of the removal of stripes: everything but the passes over all readings.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <backlit/preprocess/corrections.hpp>

namespace backlit {

/// Throws InputError unless the window is odd and at least 3.
void check_stripe_window(std::int64_t window);

/// Views that StripeMethod::filtering smooths over, standard deviation.
double slow_views(std::int64_t views);

/// StripeMethod::fitting's curves: Legendre polynomials up to the third degree at n places of -1 to 1, made orthonormal
/// there. Fewer where n is less than four.
std::vector<std::vector<double>> smooth_curves(std::int64_t n);

/// The window in which large stripes are looked for.
std::int64_t large_window(std::int64_t columns);
/// Ranks left out at each end, where the object's edges are.
std::int64_t extreme_ranks(std::int64_t views);

inline constexpr double unrest_views = 3;  ///< standard deviation of the smooth course that unrest differs from

/// Marks of columns of one or more rows of the detector, [row][column].
struct MarkedColumns {
  std::vector<char> marks;  ///< neighbours of what was found are marked, too
  std::int64_t found = 0;
};
/// By the mean difference of each column from its neighbours at all ranks.
MarkedColumns large_columns(std::span<const float> offsets, std::int64_t columns, double snr);
/// Those that do not respond or fluctuate, by how much their readings differ from their smooth course.
MarkedColumns dead_columns(std::span<const float> unrest, std::int64_t columns, double snr);

/// A column to interpolate: (1 - share) left + share right.
struct ColumnBridge {
  std::int64_t row, column, left, right;
  float share;
};
/// Between the nearest columns that are not marked; none in rows where all are.
std::vector<ColumnBridge> bridge_columns(std::span<const char> marks, std::int64_t columns);

/// "window of 31 columns".
std::string stripes_text(const CorrectionOptions&);
/// "12 of 4096 columns, all rows together".
std::string count_columns(std::int64_t found, const Detector&);

}  // namespace backlit
