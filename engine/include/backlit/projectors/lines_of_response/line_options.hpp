// Options of the PET list-mode operator: lines between detectors, and the weights of a line in the image.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/lines_of_response/tof.hpp>
#include <backlit/projectors/lines_of_response/tube_kernel.hpp>

namespace backlit {

/// Lines from one point to another. The data behind the spans are copied when an operator is made.
struct LineList {
  std::span<const glm::vec3> points;             ///< mm, world
  std::span<const std::uint32_t> first, second;  ///< numbers of a line's points
  std::span<const float> tof_mm;                 ///< from the line's middle towards its second point; empty: no TOF
  std::span<const std::uint8_t> kernel;          ///< number of each line's tube kernel; empty: 0

  std::int64_t count() const { return static_cast<std::int64_t>(first.size()); }
};

struct LineOptions {
  enum class Line { tube, joseph };
  /// Arithmetic of parallel sums. fixed: integers of a scale chosen from the data, the same bits in every run.
  /// floating: floating point.
  enum class Sums { fixed, floating };

  Line line = Line::tube;
  std::vector<TubeKernel> kernels{};  ///< kernels of tubes; 1 to 16
  TofKernel tof{};                    ///< used for lines with tof_mm
  Sums sums = Sums::fixed;
  Pipeline pipeline = Pipeline::automatic;  ///< gl
  std::string variant{};                    ///< see CtOptions::variant
};

/// Throws InputError when lines, grid and options do not fit each other on any backend: spans of different lengths, a
/// point or kernel that does not exist, ends or offsets that are not finite, time of flight without a resolution.
void require_sound(const VolumeGrid&, const LineList&, const LineOptions&);

/// Writes "tube gaussian 12 mm" or "joseph"; with time of flight it adds ", TOF 40.5 mm".
std::string describe(const LineOptions&, bool with_tof);

}  // namespace backlit
