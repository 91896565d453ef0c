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

/// The factor of coefficient (i, j) of an image's cosine transform: the spectrum of the image mirrored at its edges.
/// `Real`: the precision of the result.
template <class Real>
BACKLIT_HD Real paganin_factor(std::int64_t i, std::int64_t j, std::int64_t columns, std::int64_t rows,
                               const Propagation& p) {
  const Real ku = static_cast<Real>(pi / p.pixel_u) * static_cast<Real>(i) / static_cast<Real>(columns),
             kv = static_cast<Real>(pi / p.pixel_v) * static_cast<Real>(j) / static_cast<Real>(rows);
  return 1 / (1 + static_cast<Real>(p.strength) * (ku * ku + kv * kv));
}

inline constexpr float least_transmission = 1e-10f;  ///< what is passed on, at least

}  // namespace backlit
