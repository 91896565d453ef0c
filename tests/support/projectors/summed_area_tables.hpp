// Tables of summed areas on the host, made and read as on devices: with 8-bit weights and rounded products, or in
// software. Also with options that devices lack.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <backlit/data/volume.hpp>
#include "projectors/distance_driven/make_distance_driven.hpp"
#include "study/cuda/distance_driven/summed_areas.hpp"

namespace backlit::test {

/// Options for making and reading a table; the defaults are those of the kernels.
struct Way {
  bool hardware = true;      ///< 8-bit weights; otherwise single precision in software
  bool less_mean = true;     ///< columns' means are summed separately; otherwise `plain`
  bool doubles = true;       ///< sums run in double and are stored in single; otherwise in single
  bool halves = false;       ///< entries are stored in 16 bits, scaled to the largest
  bool compensated = false;  ///< entries are stored in two floats each, read in software
  int tile = 0;              ///< sums restart in tiles of this many entries on each side, read in software
};

/// The entries of a table before summing, [along][across], less `mean`.
struct Entries {
  int across, along;
  float mean;
  std::vector<double> values;

  double at(int k, int i) const { return values[static_cast<std::size_t>(k * across + i)]; }
  /// Mean of a column, along.
  double level(int i) const {
    double sum = 0;
    for (int k = 0; k < along; ++k) sum += at(k, i);
    return sum / along;
  }
};

/// A view's cells, columns in ascending order, times their rays' lengths.
inline Entries entries_of_view(const DistanceDrivenView& view, const Detector& d, std::span<const float> image,
                               bool less_mean) {
  double all = 0;
  for (const float p : image) all += static_cast<double>(p);
  const float mean = less_mean ? static_cast<float>(all / static_cast<double>(image.size())) : 0;
  Entries entries{static_cast<int>(d.columns), static_cast<int>(d.rows), mean, {}};
  for (int r = 0; r < entries.along; ++r)
    for (int c = 0; c < entries.across; ++c) {
      const int column = view.reversed ? entries.across - 1 - c : c;
      const double p = static_cast<double>(image[static_cast<std::size_t>(r * entries.across + column)]);
      entries.values.push_back(p * view.columns[static_cast<std::size_t>(c)].length(r) - static_cast<double>(mean));
    }
  return entries;
}

/// Voxels of a slab; voxels across the view are adjacent. `mean` is the volume's.
inline Entries entries_of_slab(const Volume& volume, int axis, std::int64_t slab, float mean) {
  const Size3& n = volume.grid.size;
  const std::int64_t across = n[axis == 0 ? 1 : 0], step = axis == 0 ? n[0] : 1, first = axis == 0 ? slab : slab * n[0];
  Entries entries{static_cast<int>(across), static_cast<int>(n[2]), mean, {}};
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t i = 0; i < across; ++i)
      entries.values.push_back(static_cast<double>(volume.values.data()[k * n[0] * n[1] + first + i * step]) -
                               static_cast<double>(mean));
  return entries;
}

/// The value stored in 16 bits, scaled so that the largest is just within their range. Steps are 2^-11 of a value's
/// power of two, and at least 2^-40 of the largest one's.
inline float as_half(float value, int exponent_of_largest) {
  int exponent = 0;
  std::frexp(value, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - 11, exponent_of_largest - 40));
  return static_cast<float>(std::round(double{value} / step) * step);
}

/// One image's table, [edge along][edge across].
template <bool hardware, class Entry = float>
class Table {
 public:
  using Sum = Entry;
  static constexpr bool rounds = hardware;

  Table(const Entries& entries, const Way& way)
      : across_(entries.across),
        along_(entries.along),
        mean_(entries.mean),
        values_(static_cast<std::size_t>((across_ + 2) * (along_ + 2))) {
    const auto kept = [&](double sum) { return way.doubles ? sum : double{static_cast<float>(sum)}; };
    // Sums along, then across: entries less the mean, then less their column's mean. The last line sums the columns'
    // means.
    std::vector<double> below(static_cast<std::size_t>((along_ + 1) * across_), 0.0);
    for (int c = 0; c < across_; ++c) {
      double sum = 0;
      for (int r = 0; r < along_; ++r) {
        sum = kept(sum + entries.at(r, c));
        below[static_cast<std::size_t>((r + 1) * across_ + c)] =
            way.compensated ? sum : double{static_cast<float>(sum)};
      }
    }
    for (int r = 0; r <= along_ + 1; ++r) {
      double across = 0;
      for (int c = 0; c < across_; ++c) {
        const double level = way.less_mean ? below[static_cast<std::size_t>(along_ * across_ + c)] / along_ : 0.0;
        across = kept(across + (r > along_ ? level : below[static_cast<std::size_t>(r * across_ + c)] - r * level));
        values_[static_cast<std::size_t>(r * (across_ + 2) + c + 1)] = static_cast<Sum>(across);
      }
      values_[static_cast<std::size_t>(r * (across_ + 2) + across_ + 1)] = static_cast<Sum>(across);
    }
    levels_ = values_.data() + (along_ + 1) * (across_ + 2);
    if constexpr (std::is_same_v<Sum, float>)
      if (way.halves) keep_halves();
  }
  Table(Table&&) = default;  // a move keeps the heap memory to which levels_ points

  float mean() const { return mean_; }
  Sum level(float i, int) const {
    const int c = std::min(static_cast<int>(i), across_);
    return between(levels_[c], levels_[c + 1], i - static_cast<float>(c));
  }
  Sum at(float i, float k, int) const {
    if constexpr (hardware) return weighed_in_256ths(i, k);
    const int i0 = std::min(static_cast<int>(i), across_), k0 = std::min(static_cast<int>(k), along_ - 1);
    const Sum *low = values_.data() + k0 * (across_ + 2) + i0, *high = low + across_ + 2;
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

  /// Weights are rounded to 256ths, and so are products of two weights; the four weights add up to 1.
  float weighed_in_256ths(float i, float k) const {
    const auto fixed = [](float x) { return std::round(x * 256) / 256; };
    const float x = fixed(i - std::floor(i)), y = fixed(k - std::floor(k)), both = fixed(x * y);
    const float* low = values_.data() + static_cast<int>(k) * (across_ + 2) + static_cast<int>(i);
    const float* high = low + across_ + 2;
    const auto weighed = [](float weight, float value) { return double(weight) * double(value); };
    return static_cast<float>(weighed(1 - x - y + both, low[0]) + weighed(x - both, low[1]) +
                              (y > 0 ? weighed(y - both, high[0]) + weighed(both, high[1]) : 0));
  }

  int across_, along_;
  float mean_ = 0;
  std::vector<Sum> values_;
  const Sum* levels_;
};

/// Sums that restart in every tile, so that entries stay small; a footprint adds its parts in each tile that it meets.
class TiledSums {
 public:
  TiledSums(int across, int along, int tile, const std::vector<double>& values)
      : tile_(tile),
        tiles_across_((across + tile - 1) / tile),
        sums_(static_cast<std::size_t>(tiles_across_ * ((along + tile - 1) / tile) * (tile + 1) * (tile + 1)), 0.0f) {
    std::vector<double> line(static_cast<std::size_t>(across), 0.0);  // sums along, within a tile
    for (int k = 0; k < along; ++k) {
      if (k % tile == 0) std::ranges::fill(line, 0.0);
      double sum = 0;
      for (int i = 0; i < across; ++i) {
        if (i % tile == 0) sum = 0;
        line[static_cast<std::size_t>(i)] += values[static_cast<std::size_t>(k * across + i)];
        sum += line[static_cast<std::size_t>(i)];
        sums_[first(i / tile, k / tile) + place(i % tile + 1, k % tile + 1)] = static_cast<float>(sum);
      }
    }
    fill_beyond(across, along);
  }

  /// Sum within a rectangle; negative if k1 is before k0.
  float within(float i0, float i1, float k0, float k1) const {
    if (k1 < k0) return -within(i0, i1, k1, k0);
    float sum = 0;
    for (int b = static_cast<int>(k0) / tile_; b * tile_ < k1; ++b)
      for (int a = static_cast<int>(i0) / tile_; a * tile_ < i1; ++a) {
        const auto inside = [&](float x, int tile) { return std::clamp(x - float(tile * tile_), 0.0f, float(tile_)); };
        const float* tile = sums_.data() + first(a, b);
        const float left = inside(i0, a), right = inside(i1, a), low = inside(k0, b), high = inside(k1, b);
        sum +=
            (below(tile, right, high) - below(tile, left, high)) - (below(tile, right, low) - below(tile, left, low));
      }
    return sum;
  }

 private:
  std::size_t first(int a, int b) const {
    return static_cast<std::size_t>((b * tiles_across_ + a) * (tile_ + 1) * (tile_ + 1));
  }
  std::size_t place(int i, int k) const { return static_cast<std::size_t>(k * (tile_ + 1) + i); }

  /// Entries beyond the image are zero in tiles that extend past it.
  void fill_beyond(int across, int along) {
    for (std::size_t t = 0; t * place(0, tile_ + 1) < sums_.size(); ++t) {
      float* tile = sums_.data() + t * place(0, tile_ + 1);
      const int a = static_cast<int>(t) % tiles_across_, b = static_cast<int>(t) / tiles_across_;
      const int width = std::min(tile_, across - a * tile_), height = std::min(tile_, along - b * tile_);
      for (int k = 0; k <= tile_; ++k)
        for (int i = 0; i <= tile_; ++i) tile[place(i, k)] = tile[place(std::min(i, width), std::min(k, height))];
    }
  }
  float below(const float* tile, float i, float k) const {
    const int i0 = std::min(static_cast<int>(i), tile_ - 1), k0 = std::min(static_cast<int>(k), tile_ - 1);
    const float *low = tile + place(i0, k0), *high = low + tile_ + 1;
    const float x = i - static_cast<float>(i0), y = k - static_cast<float>(k0);
    return between(between(low[0], low[1], x), between(high[0], high[1], x), y);
  }

  int tile_, tiles_across_;
  std::vector<float> sums_;
};

/// A table of TiledSums with the interface of the kernels' tables. Its Sum type holds edges, and the difference of two
/// is the sum between them.
class TiledTable {
 public:
  struct Sum {
    const TiledSums* sums;
    float i0, i1, k0, k1;
    friend Sum operator-(const Sum& a, const Sum& b) { return {a.sums, b.i0, a.i1, b.k0, a.k1}; }
    explicit operator float() const { return sums->within(i0, i1, k0, k1); }
  };
  static constexpr bool rounds = false;

  TiledTable(Entries entries, const Way& way)
      : mean_(entries.mean),
        levels_(entries.across, 1, way.tile, take_levels(entries, way.less_mean)),
        sums_(entries.across, entries.along, way.tile, entries.values) {}

  float mean() const { return mean_; }
  Sum level(float i, int) const { return {&levels_, i, i, 0, 1}; }
  Sum at(float i, float k, int) const { return {&sums_, i, i, k, k}; }

 private:
  static std::vector<double> take_levels(Entries& entries, bool less_mean) {
    std::vector<double> levels;
    for (int i = 0; i < entries.across; ++i) levels.push_back(less_mean ? entries.level(i) : 0.0);
    for (std::size_t n = 0; n < entries.values.size(); ++n)
      entries.values[n] -= levels[n % static_cast<std::size_t>(entries.across)];
    return levels;
  }

  float mean_;
  TiledSums levels_, sums_;
};

/// Calls run<Lookup>() with the class that reads such a table.
template <class Run>
auto with_lookup(const Way& way, Run run) {
  if (way.tile > 0) return run.template operator()<TiledTable>();
  if (way.compensated) return run.template operator()<Table<false, TwoFloats>>();
  return way.hardware ? run.template operator()<Table<true>>() : run.template operator()<Table<false>>();
}

}  // namespace backlit::test
