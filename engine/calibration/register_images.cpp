#include "calibration/register_images.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/solve.hpp"

namespace backlit {
namespace {

/// Value and slopes along columns and rows.
struct Sample {
  double value, along_u, along_v;
};

/// Linear between pixels; the nearest edge beyond them.
class Picture {
 public:
  Picture(const std::vector<float>& values, std::int64_t columns, std::int64_t rows)
      : values_(values), columns_(columns), rows_(rows) {}

  double pixel(std::int64_t column, std::int64_t row) const {
    column = std::clamp<std::int64_t>(column, 0, columns_ - 1);
    row = std::clamp<std::int64_t>(row, 0, rows_ - 1);
    return static_cast<double>(values_[static_cast<std::size_t>(row * columns_ + column)]);
  }
  /// Catmull and Rom's cubic along both: its slopes are steady.
  Sample at(double column, double row) const {
    const double c0 = std::floor(column), r0 = std::floor(row);
    const auto u = weights(column - c0), v = weights(row - r0);
    const auto du = slopes(column - c0), dv = slopes(row - r0);
    Sample sample{0, 0, 0};
    for (int j = 0; j < 4; ++j) {
      double value = 0, slope = 0;
      for (int i = 0; i < 4; ++i) {
        const double p = pixel(static_cast<std::int64_t>(c0) + i - 1, static_cast<std::int64_t>(r0) + j - 1);
        value += u[static_cast<std::size_t>(i)] * p;
        slope += du[static_cast<std::size_t>(i)] * p;
      }
      sample.value += v[static_cast<std::size_t>(j)] * value;
      sample.along_u += v[static_cast<std::size_t>(j)] * slope;
      sample.along_v += dv[static_cast<std::size_t>(j)] * value;
    }
    return sample;
  }

 private:
  using Four = std::array<double, 4>;

  static Four weights(double t) {
    return {0.5 * t * (-1 + t * (2 - t)), 1 + 0.5 * t * t * (-5 + 3 * t), 0.5 * t * (1 + t * (4 - 3 * t)),
            0.5 * t * t * (t - 1)};
  }
  static Four slopes(double t) {
    return {0.5 * (-1 + t * (4 - 3 * t)), 0.5 * t * (-10 + 9 * t), 0.5 * (1 + t * (8 - 9 * t)), 0.5 * t * (3 * t - 2)};
  }

  const std::vector<float>& values_;
  std::int64_t columns_, rows_;
};

}  // namespace

ViewShift find_shift(const std::vector<float>& image, const std::vector<float>& reference, std::int64_t columns,
                     std::int64_t rows, std::int64_t rim_u, std::int64_t rim_v, bool with_rows) {
  constexpr double longest_step = 1, least_step = 1e-4;
  const Picture moved(image, columns, rows), fixed(reference, columns, rows);
  ViewShift shift;
  for (int step = 0; step < 10; ++step) {
    std::vector<double> matrix(16, 0), right(4, 0), solution;
    for (std::int64_t row = rim_v; row < rows - rim_v; ++row)
      for (std::int64_t column = rim_u; column < columns - rim_u; ++column) {
        const Sample s = moved.at(static_cast<double>(column) + shift.u, static_cast<double>(row) + shift.v);
        const double slope[4] = {s.along_u, with_rows ? s.along_v : 0, -fixed.pixel(column, row), -1};
        for (std::size_t i = 0; i < 4; ++i) {
          right[i] -= slope[i] * s.value;
          for (std::size_t j = 0; j < 4; ++j) matrix[i * 4 + j] += slope[i] * slope[j];
        }
      }
    if (!solve(std::move(matrix), std::move(right), solution)) break;
    const double du = std::clamp(solution[0], -longest_step, longest_step),
                 dv = std::clamp(solution[1], -longest_step, longest_step);
    shift.u += du;
    shift.v += dv;
    if (std::hypot(du, dv) < least_step) break;
  }
  return shift;
}

}  // namespace backlit
