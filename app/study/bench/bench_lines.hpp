// Times lines of response: lm75, lm256 and cubes of other sizes (docs/notebook/lines-of-response.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <backlit/projectors/lines_of_response/line_options.hpp>
#include "study/bench/bench.hpp"
#include "study/bench/trial.hpp"

namespace backlit {

/// Random lines that all cross the image, seed 1. Their ends lie on a ring of 450 mm radius, within `axial_mm` of its
/// middle along the axis, all equally likely. The time-of-flight position is anywhere on the part of a line inside the
/// image.
struct LineCase {
  std::string name;
  VolumeGrid grid;  ///< lm75: 75 x 75 x 26 of 4 mm; lmN: N^3 in a cube of 299.52 mm
  std::vector<glm::vec3> points;
  std::vector<std::uint32_t> first, second;
  std::vector<float> tof_mm;

  LineList list(bool tof) const;
};

bool is_line_case(const std::string& name);
/// Throws InputError if there is no such case.
LineCase line_case(const std::string& name, std::int64_t events, double axial_mm = 104);

struct LineBenchOptions {
  std::string line = "tube";  ///< or joseph
  double width_voxels = 3;    ///< FWHM of the Gaussian; the tube ends at half of it from the axis
  double tof_ps = 0, tof_cut = 3;
  std::string sums = "fixed", variant{};
};

LineOptions line_options(const VolumeGrid&, const LineBenchOptions&);

/// Mean number of slices, and of voxels, in which a line has weights; over 5000 lines.
struct LineCounts {
  double slices = 0, voxels = 0;
};
LineCounts count_voxels(const LineCase&, const LineBenchOptions&);

enum class LineWork { forward, back, update };

/// One kind of work in M lines/s. The kinds are sums along the lines through an image of ones, their transpose, and a
/// whole update of MLEM with both. The result of forward() begins with a value for each line; later values have no
/// meaning.
Trial line_trial(Backend&, const LineCase&, const LineBenchOptions&, LineWork);

/// Times making the plan, with the lines on the host already. Also its passes on the device: forward, back, and a whole
/// update of MLEM, each in M lines/s. For a named variant, also reports the difference of its results from the
/// default's.
void bench_lines(Backend&, const LineCase&, const LineBenchOptions&, std::int64_t repeats,
                 const std::function<void(const BenchRow&)>& report);

}  // namespace backlit
