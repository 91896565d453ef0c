// Selects and compares cells of a study.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "study/report/statistics.hpp"
#include "study/study_result.hpp"

namespace backlit::report {

using Cells = std::vector<const StudyCell*>;

/// Whether a cell has a valid speed.
bool has_speed(const StudyCell&);

/// One operation on one workload: its cells can be compared.
struct Contest {
  std::string operation, workload;
  Cells cells;  ///< in the order of the result
};

/// All contests in order of appearance.
std::vector<Contest> contests(const StudyResult&);
/// The contests of each operation with at least half as many cells as its largest contest, and at least two. Excludes
/// those that exist only for a curve over sizes.
std::vector<Contest> main_contests(const StudyResult&);

/// CPU, MP-GPU, AG-GPU, AG-GPU+, compute, CUDA, as far as cells have them, then others in order of appearance.
std::vector<std::string> architectures(const StudyResult&);
std::vector<std::string> architectures(const Cells&);
/// The place of an architecture in that order; 6 for others.
std::size_t rank_of(const std::string& architecture);
/// The pipeline whose ceilings apply to an architecture: all that draw use "fragment".
std::string through(const std::string& architecture);
/// In order of appearance.
std::vector<std::string> operations(const StudyResult&);
/// Names of options, in order of appearance.
std::vector<std::string> option_names(const Cells&);

/// Null when the cell has no such option.
const std::string* option(const StudyCell&, const std::string& name);
/// 0 when the cell has no such count.
double count_of(const StudyCell&, const std::string& name);
/// "packing orbit, texel rgba16f".
std::string options_text(const StudyCell&);
/// "orbit, rgba16f, views per pass 16": without options whose value is "none".
std::string options_brief(const StudyCell&);

/// The fastest cell with a speed; null if there is none. Compares the lower ends of the intervals (speed less spread),
/// so that noise does not decide. `architecture` empty: all architectures.
const StudyCell* fastest(const Cells&, const std::string& architecture = {});

/// Ratio of rates in one study. Its cells were timed in turn, so common slow-downs cancel. The spread is that of the
/// repeats, or the largest deviation of a single pass's ratio if that is more.
Ratio speed_ratio(const StudyCell& a, const StudyCell& b);

/// The best ceiling with this name, or this name and a remark ("blend r32f, in cache"), measured through that
/// architecture; null if there is none.
const Ceiling* best_ceiling(std::span<const Ceiling>, const std::string& architecture, const std::string& name);

/// A change of one option from the fastest configuration of an architecture.
struct Change {
  const StudyCell* base;
  const StudyCell* changed;
  std::string what;  ///< "texel: r16f to r32f"
  Ratio ratio;       ///< speed of changed / base
};

/// For each architecture of a contest, all cells that differ from its fastest cell in one option. If another cell has
/// more such neighbours, also those of that cell. Largest effects last.
std::vector<Change> changes_from_best(const Contest&);

/// Two architectures on one contest.
struct Duel {
  std::string a, b;
  Ratio best;                ///< fastest a / fastest b
  Cells best_cells;          ///< the two
  std::vector<Ratio> alike;  ///< pairs whose common options agree (except for one that always differs)
  Cells alike_a;             ///< a's cell of each pair
};

/// The duels AG-GPU/MP-GPU, AG-GPU+/AG-GPU, compute/AG-GPU, compute/CUDA and CUDA/CPU that the contest has.
std::vector<Duel> duels(const Contest&);

/// Speeds as a function of a number.
struct Series {
  std::string architecture;
  std::string fixed;  ///< the fixed part as text
  std::vector<double> x;
  Cells cells;
};

/// Speed as a function of one number. For each architecture, the longest series of cells in which all else is equal (of
/// several, the fastest), if it has at least two points.
struct Trend {
  std::string operation, of;  ///< "voxels along a side", "number of views", or the option's name
  std::string about;          ///< the workload, if there is only one
  std::vector<Series> series;
};

std::vector<Trend> trends(const StudyResult&);

/// Numbers in a workload's name: the first number, and the number before "views": "cube64 x 90 views" gives 64 and 90.
struct WorkloadSize {
  std::optional<double> side, views;
  std::string rest;  ///< the text without both numbers
};
WorkloadSize workload_size(const std::string&);

/// The count that a ceiling limits: "fetches" for "G fetches/s", "bytes" for "GB/s", "flops" for "GFLOP/s"; empty for
/// other units.
std::string counted_by(const std::string& ceiling_unit);

/// 1e9 for "GUPS", "G samples/s" and "GB/s", 1e6 for "M lines/s", else 1.
double unit_scale(const std::string& unit);

/// Median of the pairs' ratios; its spread is the largest deviation.
Ratio middle_of(const std::vector<Ratio>&);

}  // namespace backlit::report
