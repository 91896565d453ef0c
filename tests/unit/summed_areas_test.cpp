// Summed areas of a view as graphics hardware interpolates them, weights of 8 bits and products rounded like them, on
// the host: one view back against the transpose in double precision.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "projector/make_distance_driven.hpp"
#include "projector/make_view_map.hpp"
#include "projector/summed_areas.hpp"
#include "support/one_view_back.hpp"

using namespace backlit;

namespace {

/// One view's table, [row edge][column edge], as the kernels sum it: in double, kept in single precision.
class Table {
 public:
  static constexpr bool rounds = true;

  Table(const DistanceDrivenView& view, int columns, int rows, std::span<const float> image)
      : columns_(columns), values_(static_cast<std::size_t>((columns + 2) * (rows + 2))) {
    double all = 0;
    for (const float p : image) all += static_cast<double>(p);
    mean_ = static_cast<float>(all / static_cast<double>(image.size()));
    // Along, then across: entries less the mean, then less their column's; the last line sums what columns have.
    std::vector<float> below(static_cast<std::size_t>((rows + 1) * columns), 0.0f);
    for (int c = 0; c < columns; ++c) {
      double sum = 0;
      for (int r = 0; r < rows; ++r) {
        const auto pixel = static_cast<std::size_t>(r * columns + (view.reversed ? columns - 1 - c : c));
        sum += static_cast<double>(image[pixel]) * view.columns[static_cast<std::size_t>(c)].length(r) -
               static_cast<double>(mean_);
        below[static_cast<std::size_t>((r + 1) * columns + c)] = static_cast<float>(sum);
      }
    }
    for (int r = 0; r <= rows + 1; ++r) {
      double across = 0;
      for (int c = 0; c < columns; ++c) {
        const double all_rows = double(below[static_cast<std::size_t>(rows * columns + c)]) / rows;
        across += r > rows ? all_rows : double(below[static_cast<std::size_t>(r * columns + c)]) - r * all_rows;
        values_[static_cast<std::size_t>(r * (columns + 2) + c + 1)] = static_cast<float>(across);
      }
      values_[static_cast<std::size_t>(r * (columns + 2) + columns + 1)] = static_cast<float>(across);
    }
    levels_ = values_.data() + (rows + 1) * (columns + 2);
  }

  float mean() const { return mean_; }
  float level(float i, int) const {
    const int c = std::min(static_cast<int>(i), columns_);
    return levels_[c] + (i - static_cast<float>(c)) * (levels_[c + 1] - levels_[c]);
  }
  /// Weights in 256ths, and so are their products: they add up to 1.
  float at(float i, float k, int) const {
    const auto fixed = [](float x) { return std::round(x * 256) / 256; };
    const float x = fixed(i - std::floor(i)), y = fixed(k - std::floor(k)), both = fixed(x * y);
    const float* low = values_.data() + static_cast<int>(k) * (columns_ + 2) + static_cast<int>(i);
    const float* high = low + columns_ + 2;
    const auto weighed = [](float weight, float value) { return double(weight) * double(value); };
    return static_cast<float>(weighed(1 - x - y + both, low[0]) + weighed(x - both, low[1]) +
                              (y > 0 ? weighed(y - both, high[0]) + weighed(both, high[1]) : 0));
  }

 private:
  int columns_;
  float mean_ = 0;
  std::vector<float> values_;
  const float* levels_;
};

template <bool shared, int K>
std::vector<float> looked_up(const VolumeGrid& grid, const Scan& scan, std::span<const float> image) {
  const DistanceDrivenView view = make_distance_driven(scan.detector, scan.views[0], grid, "view");
  const int columns = static_cast<int>(scan.detector.columns), rows = static_cast<int>(scan.detector.rows);
  const Table table(view, columns, rows, image);
  const auto map = to_float(in_voxels(make_view_map(scan.detector, scan.views[0]), grid.first_voxel(), grid.spacing));
  const std::int64_t nx = grid.size[0], ny = grid.size[1], nz = grid.size[2];
  const std::int64_t stride = shared ? 1 : (nz + K - 1) / K;
  std::vector<float> volume(static_cast<std::size_t>(grid.voxels()), 0.0f);
  for (std::int64_t y = 0; y < ny; ++y)
    for (std::int64_t x = 0; x < nx; ++x)
      for (std::int64_t first = 0; first < (shared ? nz : stride); first += shared ? K : 1) {
        const auto slab = static_cast<float>(view.axis == 0 ? x : y),
                   place = static_cast<float>(view.axis == 0 ? y : x);
        const auto seen = [&](float across, float k, float span) {
          return see_line(map, view.axis == 0 ? slab : across, view.axis == 0 ? across : slab, k, span);
        };
        float sums[K] = {};
        add_voxels<shared>(table, 0, columns, rows, view.reversed, false, place, static_cast<int>(first),
                           static_cast<int>(stride), seen, sums);
        for (std::int64_t n = 0; n < K && first + n * stride < nz; ++n)
          volume[static_cast<std::size_t>(((first + n * stride) * ny + y) * nx + x)] = sums[n];
      }
  return volume;
}

template <bool shared, int K>
test::Errors errors(const test::OneViewBack& v) {
  return test::errors_of(looked_up<shared, K>(v.grid, v.scan, v.image), v.truth);
}

}  // namespace

TEST_CASE("Summed areas with weights of 8 bits give one view back within 0.2 %") {
  for (const std::size_t view : {0, 100, 123}) {
    const auto v = test::one_view_back(view, true);
    const test::Errors alone = errors<false, 4>(v), shared = errors<true, 16>(v);
    INFO("view " << view << ": " << alone.normalised << ", " << alone.relative << "; " << shared.normalised << ", "
                 << shared.relative);
    CHECK(alone.normalised < 1.3e-3);  // 1.8e-3 where the mean of rows decides what lies beyond the detector
    CHECK(shared.normalised < 1.3e-3);
    CHECK(alone.relative < 6e-4);  // 1.4e-3 where the table holds the means of columns too
    CHECK(shared.relative < 6e-4);
  }
}

TEST_CASE("Study of summed areas on the host", "[.study]") {
  for (const std::size_t view : {0, 100, 123, 300, 600}) {
    const auto v = test::one_view_back(view, false);
    const test::Errors alone = errors<false, 4>(v), shared = errors<true, 16>(v);
    std::printf("ct750, view %3zu back: bl %.3g, %.3g; bz %.3g, %.3g\n", view, alone.normalised, alone.relative,
                shared.normalised, shared.relative);
    CHECK(alone.normalised < 2e-3);
    CHECK(shared.normalised < 2e-3);
  }
}

TEST_CASE("The mean within a table is that of a place spread evenly") {
  for (const float blur : {0.0f, 0.01f, 0.4f})
    for (float place = -1; place < 9; place += 0.03f) {
      double sum = 0;
      const int n = 2000;
      for (int i = 0; i < n; ++i)
        sum += std::clamp(double(place) + double(blur) * (2 * (i + 0.5) / n - 1), 0.0, 8.0) / n;
      INFO(place << " +- " << blur);
      CHECK(double(mean_within(place, blur, 8)) == Approx(sum).margin(1e-5));
    }
}
