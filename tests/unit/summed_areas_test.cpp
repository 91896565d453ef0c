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

/// How a table is made and read; the kernels' way if nothing is said.
struct Way {
  bool hardware = true;      ///< weights of 8 bits; otherwise single precision in software
  bool less_mean = true;     ///< columns' means are summed apart; otherwise `plain`
  bool doubles = true;       ///< sums run in double and are kept in single; otherwise in single
  bool halves = false;       ///< entries are kept in 16 bits, scaled to the largest
  bool compensated = false;  ///< entries are kept in two floats each, read in software
};

/// As 16 bits keep it, where the largest is just within their range: steps of 2^-11 of a value, and 2^-29 of the
/// largest.
float as_half(float value, int exponent_of_largest) {
  int exponent = 0;
  std::frexp(value, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - 11, exponent_of_largest - 40));
  return static_cast<float>(std::round(double{value} / step) * step);
}

/// One view's table, [row edge][column edge].
template <bool hardware, class Entry = float>
class Table {
 public:
  using Sum = Entry;
  static constexpr bool rounds = hardware;

  Table(const DistanceDrivenView& view, int columns, int rows, std::span<const float> image, const Way& way)
      : columns_(columns), rows_(rows), values_(static_cast<std::size_t>((columns + 2) * (rows + 2))) {
    const auto kept = [&](double sum) { return way.doubles ? sum : double{static_cast<float>(sum)}; };
    double all = 0;
    for (const float p : image) all += static_cast<double>(p);
    mean_ = way.less_mean ? static_cast<float>(all / static_cast<double>(image.size())) : 0;
    // Along, then across: entries less the mean, then less their column's; the last line sums what columns have.
    std::vector<double> below(static_cast<std::size_t>((rows + 1) * columns), 0.0);
    for (int c = 0; c < columns; ++c) {
      double sum = 0;
      for (int r = 0; r < rows; ++r) {
        const auto pixel = static_cast<std::size_t>(r * columns + (view.reversed ? columns - 1 - c : c));
        sum = kept(sum + static_cast<double>(image[pixel]) * view.columns[static_cast<std::size_t>(c)].length(r) -
                   static_cast<double>(mean_));
        below[static_cast<std::size_t>((r + 1) * columns + c)] =
            way.compensated ? sum : double{static_cast<float>(sum)};
      }
    }
    for (int r = 0; r <= rows + 1; ++r) {
      double across = 0;
      for (int c = 0; c < columns; ++c) {
        const double level = way.less_mean ? below[static_cast<std::size_t>(rows * columns + c)] / rows : 0.0;
        across = kept(across + (r > rows ? level : below[static_cast<std::size_t>(r * columns + c)] - r * level));
        values_[static_cast<std::size_t>(r * (columns + 2) + c + 1)] = static_cast<Sum>(across);
      }
      values_[static_cast<std::size_t>(r * (columns + 2) + columns + 1)] = static_cast<Sum>(across);
    }
    levels_ = values_.data() + (rows + 1) * (columns + 2);
    if constexpr (std::is_same_v<Sum, float>)
      if (way.halves) keep_halves();
  }

  float mean() const { return mean_; }
  Sum level(float i, int) const {
    const int c = std::min(static_cast<int>(i), columns_);
    return between(levels_[c], levels_[c + 1], i - static_cast<float>(c));
  }
  Sum at(float i, float k, int) const {
    if constexpr (hardware) return weighed_in_256ths(i, k);
    const int i0 = std::min(static_cast<int>(i), columns_), k0 = std::min(static_cast<int>(k), rows_ - 1);
    const Sum *low = values_.data() + k0 * (columns_ + 2) + i0, *high = low + columns_ + 2;
    const float x = i - static_cast<float>(i0), y = k - static_cast<float>(k0);
    return between(between(low[0], low[1], x), between(high[0], high[1], x), y);
  }

 private:
  void keep_halves() {
    const std::span table(values_.data(), levels_);
    float largest = 0;
    for (const float v : table) largest = std::max(largest, std::abs(v));
    for (float& v : table) v = as_half(v, std::ilogb(largest) + 1);
  }

  /// So are the products of two weights: they add up to 1.
  float weighed_in_256ths(float i, float k) const {
    const auto fixed = [](float x) { return std::round(x * 256) / 256; };
    const float x = fixed(i - std::floor(i)), y = fixed(k - std::floor(k)), both = fixed(x * y);
    const float* low = values_.data() + static_cast<int>(k) * (columns_ + 2) + static_cast<int>(i);
    const float* high = low + columns_ + 2;
    const auto weighed = [](float weight, float value) { return double(weight) * double(value); };
    return static_cast<float>(weighed(1 - x - y + both, low[0]) + weighed(x - both, low[1]) +
                              (y > 0 ? weighed(y - both, high[0]) + weighed(both, high[1]) : 0));
  }

  int columns_, rows_;
  float mean_ = 0;
  std::vector<Sum> values_;
  const Sum* levels_;
};

template <bool shared, int K, bool hardware = true, class Sum = float>
std::vector<float> looked_up(const VolumeGrid& grid, const Scan& scan, std::span<const float> image, const Way& way) {
  const DistanceDrivenView view = make_distance_driven(scan.detector, scan.views[0], grid, "view");
  const int columns = static_cast<int>(scan.detector.columns), rows = static_cast<int>(scan.detector.rows);
  const Table<hardware, Sum> table(view, columns, rows, image, way);
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

/// The method itself, in double and with nothing taken away: the rectangle of a voxel's edges across the view, as high
/// as in the middles of the columns that it meets; where these ends leave the detector, what of them lies within.
class InDouble {
 public:
  explicit InDouble(const test::OneViewBack& v)
      : scan_(v.scan),
        grid_(v.grid),
        view_(make_distance_driven(scan_.detector, scan_.views[0], grid_, "view")),
        map_(in_voxels(make_view_map(scan_.detector, scan_.views[0]), grid_.first_voxel(), grid_.spacing)),
        columns_(static_cast<int>(scan_.detector.columns)),
        rows_(static_cast<int>(scan_.detector.rows)),
        sums_(static_cast<std::size_t>((columns_ + 1) * (rows_ + 1)), 0.0) {
    for (int r = 0; r < rows_; ++r) {
      double line = 0;
      for (int c = 0; c < columns_; ++c) {
        const auto pixel = static_cast<std::size_t>(r * columns_ + (view_.reversed ? columns_ - 1 - c : c));
        line += double{v.image[pixel]} * view_.columns[static_cast<std::size_t>(c)].length(r);
        sum(r + 1, c + 1) = sum(r, c + 1) + line;
      }
    }
  }

  std::vector<float> back() {
    const std::int64_t nx = grid_.size[0], ny = grid_.size[1], nz = grid_.size[2];
    std::vector<float> volume(static_cast<std::size_t>(grid_.voxels()), 0.0f);
    for (std::int64_t y = 0; y < ny; ++y)
      for (std::int64_t x = 0; x < nx; ++x) {
        const auto values = column(static_cast<double>(x), static_cast<double>(y));
        for (std::int64_t z = 0; z < nz; ++z)
          volume[static_cast<std::size_t>((z * ny + y) * nx + x)] =
              static_cast<float>(values[static_cast<std::size_t>(z)]);
      }
    return volume;
  }

 private:
  double& sum(int r, int c) { return sums_[static_cast<std::size_t>(r * (columns_ + 1) + c)]; }
  double below(double c, double r) {
    const int c0 = std::min(static_cast<int>(c), columns_ - 1), r0 = std::min(static_cast<int>(r), rows_ - 1);
    const double x = c - c0, y = r - r0;
    return (1 - y) * ((1 - x) * sum(r0, c0) + x * sum(r0, c0 + 1)) +
           y * ((1 - x) * sum(r0 + 1, c0) + x * sum(r0 + 1, c0 + 1));
  }
  DetectorPosition<double> see(double x, double y, double z) const {
    auto at = project_point(map_, x, y, z);
    at.column = view_.reversed ? columns_ - (at.column + 0.5) : at.column + 0.5;
    at.row += 0.5;
    return at;
  }

  /// All slices of the voxel column at x, y.
  std::vector<double> column(double x, double y) {
    std::vector<double> values(static_cast<std::size_t>(grid_.size[2]), 0.0);
    const double dx = view_.axis == 0 ? 0 : 0.5, dy = 0.5 - dx;
    const double c0 = see(x - dx, y - dy, 0).column, c1 = see(x + dx, y + dy, 0).column;
    const double low = std::clamp(c0, 0.0, double(columns_)), high = std::clamp(c1, 0.0, double(columns_));
    if (!(low < high)) return values;
    double middle = 0, square = 0;  // of columns' middles, each as often as it is met
    for (int c = static_cast<int>(low); c < high; ++c) {
      const double share = overlap<double>(low, high, c, c + 1) / (high - low);
      middle += share * (c + 0.5);
      square += share * (c + 0.5) * (c + 0.5);
    }
    const double spread = std::sqrt(std::max(3 * (square - middle * middle), 0.0)), met = (middle - c0) / (c1 - c0);
    double before = 0, edge_before = 0;
    for (std::size_t k = 0; k <= values.size(); ++k) {
      const double z = static_cast<double>(k) - 0.5;
      const auto a = see(x - dx, y - dy, z), b = see(x + dx, y + dy, z);
      const double near_a = (1 - met) * a.depth, near_b = met * b.depth;
      const double row = (near_a * a.row + near_b * b.row) / (near_a + near_b);
      const double edge = mean_between(row, std::abs(b.row - a.row) / (c1 - c0) * spread);
      const double next = below(high, edge) - below(low, edge);
      if (k > 0) values[k - 1] = edge < edge_before ? before - next : next - before;
      before = next;
      edge_before = edge;
    }
    return values;
  }
  /// Of what is spread evenly, that much to both sides, and ends with the rows.
  double mean_between(double row, double blur) const {
    const double below = std::clamp(blur - row, 0.0, 2 * blur), above = std::clamp(row + blur - rows_, 0.0, 2 * blur);
    const double moved = blur > 0 ? (below * below - above * above) / (4 * blur) : 0;
    return std::clamp(row + moved, 0.0, double(rows_));
  }

  const Scan& scan_;
  const VolumeGrid& grid_;
  DistanceDrivenView view_;
  ViewMap<double> map_;
  int columns_, rows_;
  std::vector<double> sums_;
};

template <bool shared, int K>
test::Errors errors(const test::OneViewBack& v) {
  return test::errors_of(looked_up<shared, K>(v.grid, v.scan, v.image, {}), v.truth);
}

std::vector<float> by(const Way& way, const test::OneViewBack& v) {
  if (way.compensated) return looked_up<false, 4, false, TwoFloats>(v.grid, v.scan, v.image, way);
  return way.hardware ? looked_up<false, 4, true>(v.grid, v.scan, v.image, way)
                      : looked_up<false, 4, false>(v.grid, v.scan, v.image, way);
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

TEST_CASE("Summed areas in single precision are the same method's in double within 1e-5") {
  for (const std::size_t view : {0, 100, 123}) {
    const auto v = test::one_view_back(view, true);
    const auto method = InDouble(v).back();
    const test::Errors software = test::errors_of(by({.hardware = false}, v), method);
    const test::Errors halves = test::errors_of(by({.hardware = false, .halves = true}, v), method);
    const Way plain{.hardware = false, .less_mean = false},
        plain_compensated{.hardware = false, .less_mean = false, .compensated = true};
    const test::Errors with_means = test::errors_of(by(plain, v), method);
    const test::Errors compensated = test::errors_of(by(plain_compensated, v), method);
    INFO("view " << view << ": " << software.normalised << ", " << software.relative << "; tables of halves "
                 << halves.normalised << ", " << halves.relative << "; with means " << with_means.relative
                 << ", compensated " << compensated.relative);
    CHECK(software.relative < 1e-5);
    CHECK(compensated.relative < 1e-5);
    CHECK(with_means.relative > 2 * compensated.relative);
    CHECK(halves.relative > 10 * software.relative);  // why there are none
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

/// What of the error is the method's, what arithmetic's, and what tables' way of being made does to it.
TEST_CASE("Study of the tables of summed areas on the host", "[.study]") {
  const auto v = test::one_view_back(100, false);
  const auto method = InDouble(v).back();
  const test::Errors own = test::errors_of(method, v.truth);
  std::printf("max/max, rel. L2 against the transpose | against the method in double: %.3g, %.3g |\n", own.normalised,
              own.relative);
  for (const bool hardware : {false, true})
    for (const bool less_mean : {true, false})
      for (const bool doubles : {true, false})
        for (const bool halves : {false, true}) {
          const auto volume = by({hardware, less_mean, doubles, halves}, v);
          const test::Errors all = test::errors_of(volume, v.truth), arithmetic = test::errors_of(volume, method);
          std::printf("%s, %s, sums in %s, entries of %s bits: %.3g, %.3g | %.3g, %.3g\n",
                      hardware ? "hardware" : "software", less_mean ? "less means" : "plain",
                      doubles ? "double" : "single", halves ? "16" : "32", all.normalised, all.relative,
                      arithmetic.normalised, arithmetic.relative);
        }
  for (const bool less_mean : {true, false}) {
    const auto volume = by({.hardware = false, .less_mean = less_mean, .compensated = true}, v);
    const test::Errors all = test::errors_of(volume, v.truth), arithmetic = test::errors_of(volume, method);
    std::printf("software, %s, entries of two floats: %.3g, %.3g | %.3g, %.3g\n", less_mean ? "less means" : "plain",
                all.normalised, all.relative, arithmetic.normalised, arithmetic.relative);
  }
  CHECK(own.relative < 2e-4);
}

TEST_CASE("Two floats hold what one loses, and add and scale it") {
  const auto value = [](TwoFloats a) { return double{a.high} + double{a.low}; };
  double big = 3e5, small = 1.0 / 3;
  for (int i = 0; i < 200; ++i, big *= -0.93, small *= 1.07) {
    const TwoFloats a(big), b(small);
    CHECK(std::abs(value(a) - big) <= 1e-14 * std::abs(big));
    CHECK(value(a + b) == Approx(big + small).epsilon(1e-13).margin(1e-13 * std::abs(big)));
    CHECK(value(a - b) == Approx(big - small).epsilon(1e-13).margin(1e-13 * std::abs(big)));
    CHECK(value(0.3f * b) == Approx(double{0.3f} * small).epsilon(1e-13));
    CHECK(static_cast<float>(a + b - a) == Approx(small).epsilon(1e-7).margin(1e-13 * std::abs(big)));
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
