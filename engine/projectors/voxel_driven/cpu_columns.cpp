// Views are turned, so that a column of the detector lies in one piece. For a column of voxels two of them become one,
// weighted, and each voxel reads two neighbours of that.
#include "projectors/voxel_driven/cpu_columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <backlit/core/parallel.hpp>

namespace backlit {
namespace {

constexpr std::int64_t strip = 16;    ///< columns of voxels that stay in cache over all views
constexpr std::int64_t together = 8;  ///< voxels whose rows are found together, in vectors

/// Columns of the detector, each with a zero before its first row and two behind its last; one of zeros before the
/// first column and one behind the last.
class TurnedViews {
 public:
  TurnedViews(const ColumnShape& shape, std::span<const ColumnView> views)
      : length_(shape.rows.count + 3), view_((shape.columns + 2) * length_) {
    values_.resize(views.size() * static_cast<std::size_t>(view_));
    parallel_for(std::ssize(views), [&](std::int64_t n) {
      const double* const from = views[static_cast<std::size_t>(n)].values;
      double* const to = values_.data() + n * view_ + length_ + 1;
      for (std::int64_t row = 0; row < shape.rows.count; ++row)
        for (std::int64_t column = 0; column < shape.columns; ++column)
          to[column * length_ + row] = from[row * shape.columns + column];
    });
  }
  std::int64_t length() const { return length_; }
  /// Of column -1 and more; the value of row r has index r + 1.
  const double* column(std::int64_t view, std::int64_t column) const {
    return values_.data() + view * view_ + (column + 1) * length_;
  }

 private:
  std::int64_t length_, view_;
  std::vector<double> values_;
};

/// Where voxels of a column lie on the detector: in slice k at row `row0 + rows (b0 + k b_a_slice)`.
struct ProjectedColumn {
  std::int64_t column;  ///< the left of two
  double left, right;   ///< their shares, weighted
  double row0, rows, b0, b_a_slice;
};

/// False where the column is not on the detector.
bool project(const ColumnView& view, const ColumnShape& shape, std::int64_t i, std::int64_t j, ProjectedColumn& out) {
  const ViewMap<double>& m = *view.map;
  const auto x = static_cast<double>(i), y = static_cast<double>(j);
  const double a = m.a[0] * x + m.a[1] * y + m.a[3], w = m.w[0] * x + m.w[1] * y + m.w[3];
  if (!m.parallel && !(w > 0)) return false;
  const DetectorPosition<double> zero = detector_position(m, a, 0.0, w), one = detector_position(m, a, 1.0, w);
  const double column = shape.nearest ? std::floor(zero.column + 0.5) : zero.column;
  if (!(column > -1 && column < static_cast<double>(shape.columns))) return false;
  const double weight = view.axis > 0 ? (view.axis / zero.depth) * (view.axis / zero.depth) : 1;
  const double whole = std::floor(column), share = column - whole;
  out = {static_cast<std::int64_t>(whole),
         (1 - share) * weight,
         share * weight,
         zero.row,
         one.row - zero.row,
         m.b[0] * x + m.b[1] * y + m.b[3],
         m.b[2]};
  return true;
}

/// Adds a view to a column of voxels.
class AddColumn {
 public:
  AddColumn(const ColumnShape& shape, std::int64_t length) : shape_(shape), joined_(static_cast<std::size_t>(length)) {}

  void operator()(const ProjectedColumn& p, const double* left, const double* right, double* voxels) {
    const double first = static_cast<double>(shape_.rows.first - 1), last = static_cast<double>(shape_.rows.end());
    const auto row = [&](std::int64_t slice) {
      return std::clamp(p.row0 + p.rows * (p.b0 + static_cast<double>(slice) * p.b_a_slice), first, last);
    };
    const auto [low, high] = std::minmax({row(shape_.slices.first), row(shape_.slices.end() - 1)});
    // One row more on either side: a row is rounded.
    const auto begin = std::max<std::int64_t>(static_cast<std::int64_t>(low - first) - 1, 0);
    const auto end = std::min<std::int64_t>(static_cast<std::int64_t>(high - first) + 4, std::ssize(joined_));
    double* const joined = joined_.data();
    for (std::int64_t r = begin; r < end; ++r) joined[r] = p.left * left[r] + p.right * right[r];
    std::int64_t k = 0;
    for (; k + together <= shape_.slices.count; k += together) add<together>(p, first, last, k, voxels + k);
    for (; k < shape_.slices.count; ++k) add<1>(p, first, last, k, voxels + k);
  }

 private:
  template <std::int64_t count>
  void add(const ProjectedColumn& p, double first, double last, std::int64_t k, double* voxels) const {
    std::array<int, count> at;
    std::array<double, count> share;
    const auto rows_before = static_cast<int>(shape_.rows.first);
    const double half = shape_.nearest ? 0.5 : 0, begin = static_cast<double>(shape_.slices.first + k);
#pragma omp simd
    for (std::int64_t n = 0; n < count; ++n) {
      double row = p.row0 + p.rows * (p.b0 + (begin + static_cast<double>(n)) * p.b_a_slice) + half;
      row = row > first ? row : first;
      row = row < last ? row : last;
      const int next = static_cast<int>(row + 1);  // the sum is positive: the cast rounds down
      at[n] = next - rows_before;
      share[n] = row - static_cast<double>(next - 1);
    }
    const double* const joined = joined_.data();
    if (shape_.nearest)
      for (std::int64_t n = 0; n < count; ++n) voxels[n] += joined[at[n]];
    else
      for (std::int64_t n = 0; n < count; ++n)
        voxels[n] += (1 - share[n]) * joined[at[n]] + share[n] * joined[at[n] + 1];
  }

  const ColumnShape& shape_;
  std::vector<double> joined_;
};

/// Copies between columns of a volume, from `i` on in line j, and columns that lie in one piece each.
template <bool back>
void move(const ColumnShape& s, std::int64_t i, std::int64_t j, std::int64_t count, double* volume, double* columns) {
  for (std::int64_t k = 0; k < s.slices.count; ++k)
    for (std::int64_t n = 0; n < count; ++n) {
      double &there = volume[(k * s.ny + j) * s.nx + i + n], &here = columns[n * s.slices.count + k];
      back ? there = here : here = there;
    }
}

}  // namespace

bool sees_columns(const ViewMap<double>& m, std::int64_t slices) {
  const auto moves = [&](const double(&form)[4]) {
    const double all = std::abs(form[0]) + std::abs(form[1]);
    return std::abs(form[2]) * static_cast<double>(slices) > 1e-13 * all;
  };
  return !moves(m.a) && !moves(m.w);
}

void backproject_columns(const ColumnShape& shape, std::span<const ColumnView> views, double* volume) {
  const TurnedViews turned(shape, views);
  const std::int64_t strips = (shape.nx + strip - 1) / strip;
  parallel_for(shape.ny * strips, [&](std::int64_t item) {
    const std::int64_t j = item / strips, i = item % strips * strip, count = std::min(strip, shape.nx - i);
    std::vector<double> voxels(static_cast<std::size_t>(count * shape.slices.count));
    AddColumn add(shape, turned.length());
    move<false>(shape, i, j, count, volume, voxels.data());
    for (std::int64_t v = 0; v < std::ssize(views); ++v)
      for (std::int64_t n = 0; n < count; ++n) {
        ProjectedColumn p;
        if (project(views[static_cast<std::size_t>(v)], shape, i + n, j, p))
          add(p, turned.column(v, p.column), turned.column(v, p.column + 1), voxels.data() + n * shape.slices.count);
      }
    move<true>(shape, i, j, count, volume, voxels.data());
  });
}

}  // namespace backlit
