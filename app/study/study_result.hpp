// Results of `backlit study`: one cell for each configuration, and the machine. Runs fill it, reports and comparisons
// read it, JSON stores it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backlit {

/// Named values in the order of display.
using Facts = std::vector<std::pair<std::string, std::string>>;
using Counts = std::vector<std::pair<std::string, double>>;

/// A micro-benchmark of a device's peak rate, run beside the cells.
struct Ceiling {
  std::string name;          ///< "bilinear rgba16f", "copy", "fma", ...
  std::string architecture;  ///< pipeline used: "fragment", "compute", "CUDA", "CPU"
  double rate = 0;           ///< rate of the fastest repeat, in `unit`
  double spread = 0;         ///< spread of its repeats' median
  std::string unit;          ///< "G fetches/s", "GB/s", "GFLOP/s"
};

/// One configuration of one operation.
struct StudyCell {
  enum class Status { ok, failed, unsupported };

  std::string operation;  ///< "backprojection", "projection", "distance_driven", "lines_forward", "sart", "render"...
  std::string workload;   ///< name of a case and its changes: "course512", "cube64 x 90 views"
  std::string architecture;  ///< "CPU", "MP-GPU", "AG-GPU", "AG-GPU+", "compute", "CUDA"
  Facts options;             ///< packing, texel, views per pass, accumulate, target, layout, interpolation, ...

  Status status = Status::ok;
  std::string note;  ///< reason of failure or missing support; else empty or a remark ("repeats drift by 8 %")

  std::vector<double> seconds;       ///< all timed repeats; host clock, until the work is finished
  std::vector<std::int64_t> passes;  ///< number of repeats in each pass over the study; minutes lie between passes
  double median = 0;                 ///< median of `seconds`
  double repeat_spread = 0;          ///< half-width of the median's 95 % interval, relative to the median
  double spread = 0;   ///< repeat_spread, or the spread of passes if that is more: how far another study may differ
  bool noisy = false;  ///< the spread exceeds the study's limit
  double device_seconds = 0;  ///< median by timer query or events; 0: not known
  double work = 0;            ///< updates, samples, lines, frames in one repeat
  double rate = 0;            ///< work / median, in `unit`
  std::string unit;           ///< "GUPS", "G samples/s", "M lines/s", "frames/s", "iterations/s"
  Counts counts;              ///< fetches, bytes, fragments_drawn, fragments_killed, passes, draw_calls

  std::optional<double> rmse;        ///< against double precision, in error_unit
  std::optional<double> rmse_bound;  ///< a larger error is a failure: no speed is reported
  std::string error_unit;            ///< "HU", "relative L2"

  std::string limit;            ///< name of the nearest ceiling; empty: none applies
  std::optional<double> share;  ///< share of that limit; more than 1: it was measured too low

  /// Equal for the same configuration in two results.
  std::string key() const;
};

/// A curve through an image, to show the quality at these speeds.
struct StudyProfile {
  std::string title, architecture;
  std::vector<double> position_mm, value, truth;  ///< values in 1/mm
};

/// Difference of two passes over a study that are minutes or seconds apart. Another study of the same machine may
/// differ as much; consecutive repeats do not show this.
struct PassSpread {
  std::string through;     ///< "fragment", "compute", "CUDA", "CPU"
  double spread = 0;       ///< half-width, as for cells
  std::int64_t pairs = 0;  ///< number of cells with medians in two passes
};

struct StudyResult {
  static constexpr int format = 1;  ///< version of the JSON format
  std::string version;              ///< version of this program
  std::string date;                 ///< ISO 8601, UTC
  std::string extent;               ///< "quick" or "full"
  Facts environment;                ///< card, driver, clocks, GL and CUDA versions, SM and TPC counts, CPU, threads
  std::vector<Ceiling> ceilings;
  std::vector<PassSpread> pass_spreads;
  std::vector<StudyCell> cells;
  std::vector<StudyProfile> profiles;
};

}  // namespace backlit
