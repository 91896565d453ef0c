// What `backlit study` measures: one cell for each configuration, with the machine it ran on. Runs fill it, reports and
// comparisons read it, JSON keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backlit {

/// Named values in the order in which they are shown.
using Facts = std::vector<std::pair<std::string, std::string>>;
using Counts = std::vector<std::pair<std::string, double>>;

/// A micro-benchmark of what a device can do at best, run beside the cells.
struct Ceiling {
  std::string name;          ///< "bilinear rgba16f", "copy", "fma", ...
  std::string architecture;  ///< through which it was measured: "fragment", "compute", "CUDA", "CPU"
  double rate = 0;           ///< of the fastest repeat, in `unit`
  double spread = 0;         ///< of its repeats' median
  std::string unit;          ///< "G fetches/s", "GB/s", "GFLOP/s"
};

/// One configuration of one operation.
struct StudyCell {
  enum class Status { ok, failed, unsupported };

  std::string operation;  ///< "backprojection", "projection", "distance_driven", "lines_forward", "sart", "render"...
  std::string workload;   ///< a case's name and what was changed about it: "course512", "cube64 x 90 views"
  std::string architecture;  ///< "CPU", "MP-GPU", "AG-GPU", "AG-GPU+", "compute", "CUDA"
  Facts options;             ///< packing, texel, views per pass, accumulate, target, layout, interpolation, ...

  Status status = Status::ok;
  std::string note;  ///< why it failed or is unsupported; else empty or a remark ("repeats drift by 8 %")

  std::vector<double> seconds;       ///< every timed repeat, none dropped; host clock around finished work
  std::vector<std::int64_t> passes;  ///< how many of them each pass over the whole study took; minutes lie between
  double median = 0;                 ///< of seconds
  double repeat_spread = 0;          ///< half-width of the median's 95 % interval, relative to the median
  double spread = 0;   ///< that, or what passes differ by where it is more: how far another study may be from this one
  bool noisy = false;  ///< the spread is more than the study accepts
  double device_seconds = 0;  ///< median by timer query or events; 0: not known
  double work = 0;            ///< updates, samples, lines, frames in one repeat
  double rate = 0;            ///< work / median, in `unit`
  std::string unit;           ///< "GUPS", "G samples/s", "M lines/s", "frames/s", "iterations/s"
  Counts counts;              ///< fetches, bytes, fragments_drawn, fragments_killed, passes, draw_calls

  std::optional<double> rmse;        ///< against double precision, in error_unit
  std::optional<double> rmse_bound;  ///< more than this is a failure: no speed is reported
  std::string error_unit;            ///< "HU", "relative L2"

  std::string limit;            ///< name of the ceiling that is nearest; empty: none applies
  std::optional<double> share;  ///< of that limit; more than 1: it was measured too low

  /// Equal in two results for the same configuration.
  std::string key() const;
};

/// A curve through an image, for pictures of what the speeds buy.
struct StudyProfile {
  std::string title, architecture;
  std::vector<double> position_mm, value, truth;  ///< values in 1/mm
};

/// How far two passes over a study were apart, minutes or seconds later: what another study of the same machine may be
/// away from this one, which repeats that follow each other do not see.
struct PassSpread {
  std::string through;     ///< "fragment", "compute", "CUDA", "CPU"
  double spread = 0;       ///< half-width, as of cells
  std::int64_t pairs = 0;  ///< of medians of one cell in two passes
};

struct StudyResult {
  static constexpr int format = 1;  ///< of the JSON
  std::string version;              ///< of this program
  std::string date;                 ///< ISO 8601, UTC
  std::string extent;               ///< "quick" or "full"
  Facts environment;                ///< card, driver, clocks, GL and CUDA versions, SM and TPC counts, CPU, threads
  std::vector<Ceiling> ceilings;
  std::vector<PassSpread> pass_spreads;
  std::vector<StudyCell> cells;
  std::vector<StudyProfile> profiles;
};

}  // namespace backlit
