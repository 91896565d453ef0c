// Kinds of lines of response on which all backends must agree.
#pragma once

#include <backlit/projectors/lines_of_response/line_options.hpp>
#include "support/projectors/lines.hpp"

namespace backlit::test {

struct LineCase {
  const char* name;
  VolumeGrid grid;
  LineOptions options;
  bool tof;
  int kernels = 1;
};

inline std::vector<LineCase> line_cases() {
  const VolumeGrid odd{{37, 41, 13}, Vec3(4, 3.5, 5), Vec3(3, -2, 1)}, large{{150, 131, 97}, Vec3(2), Vec3(0)};
  const auto with_tof = [](LineOptions o, double bin) {
    o.tof = {.sigma_mm = 20, .bin_mm = bin};
    return o;
  };
  LineOptions several{.kernels = {gaussian_tube(6, 6), bessel_tube(9), box_tube(5)}};
  return {{"thin", odd, thin_lines(), false},
          {"thin, TOF", odd, with_tof(thin_lines(), 8), true},
          {"gaussian", odd, tubes(gaussian_tube(9, 8)), false},
          {"gaussian, TOF", odd, with_tof(tubes(gaussian_tube(9, 8)), 0), true},
          {"several tubes, TOF", odd, with_tof(several, 8), true, 3},
          {"wide tube", odd, tubes(gaussian_tube(30, 26)), false},
          {"thin, tiles", large, thin_lines(), false},
          {"bessel, tiles, TOF", large, with_tof(tubes(bessel_tube(5)), 0), true}};
}

inline Lines lines_for(const LineCase& c, int count) {
  Lines lines = random_lines(count, 230, 17);
  if (c.tof) add_tof(lines, 120);
  if (c.kernels > 1)
    for (int i = 0; i < count; ++i) lines.kernel.push_back(static_cast<std::uint8_t>(i % c.kernels));
  return lines;
}

}  // namespace backlit::test
