// A ring of a few crystals, for lists of events.
#pragma once

#include <cmath>

#include <backlit/data/scanner.hpp>
#include <backlit/geometry/types.hpp>

namespace backlit::test {

inline Scanner small_scanner() {
  RingLayout layout;
  layout.modules = 16;
  layout.module_rings = 3;
  layout.face_radius_mm = 50;
  layout.pitch_mm = 2 * 50 * std::tan(pi / 16);
  layout.ring_spacing_mm = 4;
  layout.layers_mm = {20};
  layout.mean_depth_mm = 6;
  Scanner scanner = make_ring_scanner("small", layout, {90, 8}, "test");
  scanner.tof_fwhm_ps = 400;
  return scanner;
}

}  // namespace backlit::test
