// Summed areas of a view as graphics hardware interpolates them, weights of 8 bits, on the host: one view back against
// the transpose in double precision.
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
      : columns_(columns), rows_(rows), values_(static_cast<std::size_t>((columns + 2) * (rows + 2))) {
    double all = 0;
    for (const float p : image) all += static_cast<double>(p);
    mean_ = static_cast<float>(all / static_cast<double>(image.size()));
    std::vector<float> sums(static_cast<std::size_t>(columns), 0.0f);
    std::vector<double> before(static_cast<std::size_t>(columns), 0.0);
    for (int r = 0; r <= rows; ++r) {
      double across = 0;
      for (int c = 0; c < columns; ++c) {
        const auto i = static_cast<std::size_t>(c);
        across += static_cast<double>(sums[i]);
        values_[static_cast<std::size_t>(r * (columns + 2) + c + 1)] = static_cast<float>(across);
        if (r == rows) continue;
        const auto pixel = static_cast<std::size_t>(r * columns + (view.reversed ? columns - 1 - c : c));
        before[i] += static_cast<double>(image[pixel]) * view.columns[i].length(r) - static_cast<double>(mean_);
        sums[i] = static_cast<float>(before[i]);
      }
    }
  }

  float mean() const { return mean_; }
  float at(float i, float k, int) const {
    const auto fixed = [](float x) { return std::round(x * 256) / 256; };
    const float x = fixed(i - std::floor(i)), y = fixed(k - std::floor(k));
    const auto low = [&](float column, float row) {
      const int c = std::min(static_cast<int>(column), columns_), r = std::min(static_cast<int>(row), rows_);
      return values_[static_cast<std::size_t>(r * (columns_ + 2) + c)];
    };
    const float a = low(i, k) + x * (low(i + 1, k) - low(i, k)),
                b = low(i, k + 1) + x * (low(i + 1, k + 1) - low(i, k + 1));
    return a + y * (b - a);
  }

 private:
  int columns_, rows_;
  float mean_ = 0;
  std::vector<float> values_;
};

template <int K>
std::vector<float> looked_up(const VolumeGrid& grid, const Scan& scan, std::span<const float> image) {
  const DistanceDrivenView view = make_distance_driven(scan.detector, scan.views[0], grid, "view");
  const int columns = static_cast<int>(scan.detector.columns), rows = static_cast<int>(scan.detector.rows);
  const Table table(view, columns, rows, image);
  const auto map = to_float(in_voxels(make_view_map(scan.detector, scan.views[0]), grid.first_voxel(), grid.spacing));
  const std::int64_t nx = grid.size[0], ny = grid.size[1], nz = grid.size[2];
  std::vector<float> volume(static_cast<std::size_t>(grid.voxels()), 0.0f);
  for (std::int64_t y = 0; y < ny; ++y)
    for (std::int64_t x = 0; x < nx; ++x)
      for (std::int64_t first = 0; first < nz; first += K) {
        const auto slab = static_cast<float>(view.axis == 0 ? x : y),
                   place = static_cast<float>(view.axis == 0 ? y : x);
        const auto seen = [&](float across, float k) {
          DetectorPosition<float> at{};
          project_voxel(map, view.axis == 0 ? slab : across, view.axis == 0 ? across : slab, k, at);
          return at;
        };
        float sums[K] = {};
        add_voxels(table, 0, columns, rows, view.reversed, false, place, static_cast<int>(first), seen, sums);
        for (std::int64_t k = first; k < std::min(first + K, nz); ++k)
          volume[static_cast<std::size_t>((k * ny + y) * nx + x)] = sums[k - first];
      }
  return volume;
}

template <int K>
test::Errors errors(const test::OneViewBack& v) {
  return test::errors_of(looked_up<K>(v.grid, v.scan, v.image), v.truth);
}

}  // namespace

TEST_CASE("Summed areas with weights of 8 bits give one view back within 0.2 %") {
  for (const std::size_t view : {0, 100, 123}) {
    const auto v = test::one_view_back(view, true);
    const test::Errors alone = errors<1>(v), shared = errors<16>(v);
    INFO("view " << view << ": " << alone.normalised << ", " << alone.relative << "; " << shared.normalised << ", "
                 << shared.relative);
    CHECK(alone.normalised < 1.3e-3);  // 1.8e-3 where the mean of rows decides what lies beyond the detector
    CHECK(shared.normalised < 1.3e-3);
    CHECK(alone.relative < 1e-3);
    CHECK(shared.relative < 1e-3);
  }
}

TEST_CASE("Study of summed areas on the host", "[.study]") {
  for (const std::size_t view : {0, 100, 123, 300, 600}) {
    const auto v = test::one_view_back(view, false);
    const test::Errors alone = errors<1>(v), shared = errors<16>(v);
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
