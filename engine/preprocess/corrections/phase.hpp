// Paganin's filter, for the host and devices.
#pragma once

#include <cstdint>
#include <string>

#include <backlit/core/hd.hpp>
#include <backlit/geometry/types.hpp>
#include <backlit/preprocess/corrections.hpp>

namespace backlit {

/// The transmission's spectrum is divided by 1 + strength k^2, k in radians per mm at the object.
struct Propagation {
  double strength;          ///< mm^2
  double pixel_u, pixel_v;  ///< mm, at the object
};
/// Throws InputError where energy or distance are missing.
Propagation propagation_of(const Scan&, const CorrectionOptions&);
/// "a point spreads over 2.3 pixels".
std::string spread_text(const Propagation&);

/// Images of columns x rows, mirrored over half their size at every edge so that they are periodic.
struct MirroredImage {
  std::int64_t columns, rows, width, height;  ///< width, height: with the mirror images

  explicit MirroredImage(const Detector&);
  /// Place i of the padded length: the image, then its mirror image; what is left of both repeats the ends.
  static BACKLIT_HD std::int64_t folded(std::int64_t i, std::int64_t n, std::int64_t padded) {
    const std::int64_t back = padded - 1 - i;  // counted from the end, which lies before the image's first pixel
    if (i < n) return i;
    const std::int64_t after = 2 * n - 1 - i, place = i - n <= back ? after : back;
    return place < 0 ? 0 : place > n - 1 ? n - 1 : place;
  }
  /// Of the spectrum at (i, j), with the factor of the inverse transform.
  BACKLIT_HD float factor(std::int64_t i, std::int64_t j, const Propagation& p) const {
    const auto wave = [](std::int64_t k, std::int64_t n, double step) {
      return 2 * pi * static_cast<double>(k < n - k ? k : n - k) / (static_cast<double>(n) * step);
    };
    const double ku = wave(i, width, p.pixel_u), kv = wave(j, height, p.pixel_v);
    const double all = static_cast<double>(width) * static_cast<double>(height);
    return static_cast<float>(1 / (1 + p.strength * (ku * ku + kv * kv)) / all);
  }
};

inline constexpr float least_transmission = 1e-10f;  ///< what is passed on, at least

}  // namespace backlit
