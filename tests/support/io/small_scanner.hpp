// Rings of crystals, for lists of events.
#pragma once

#include <cmath>

#include <backlit/data/scanner.hpp>
#include <backlit/geometry/types.hpp>

namespace backlit::test {

/// Rings of `crystals` without gaps between them, 20 mm deep.
inline RingLayout closed_rings(std::int64_t crystals, std::int64_t rings, double radius_mm, double ring_spacing_mm,
                               double mean_depth_mm) {
  RingLayout layout;
  layout.modules = crystals;
  layout.module_rings = rings;
  layout.face_radius_mm = radius_mm;
  layout.pitch_mm = 2 * radius_mm * std::tan(pi / static_cast<double>(crystals));
  layout.ring_spacing_mm = ring_spacing_mm;
  layout.layers_mm = {20};
  layout.mean_depth_mm = mean_depth_mm;
  return layout;
}

inline Scanner small_scanner() {
  Scanner scanner = make_ring_scanner("small", closed_rings(16, 3, 50, 4, 6), {90, 8}, "test");
  scanner.tof_fwhm_ps = 400;
  return scanner;
}

}  // namespace backlit::test
