// Which cells of a study to set beside each other, and what they then say.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "study/report/statistics.hpp"
#include "study/study_result.hpp"

namespace backlit::report {

using Cells = std::vector<const StudyCell*>;

/// A cell with a speed that counts.
bool has_speed(const StudyCell&);

/// One operation on one workload: what can be compared.
struct Contest {
  std::string operation, workload;
  Cells cells;  ///< as they come in the result
};

/// In order of appearance.
std::vector<Contest> contests(const StudyResult&);
/// The contests of each operation that have at least half as many cells as its largest, and at least two: not those
/// that are there for a curve over sizes only.
std::vector<Contest> main_contests(const StudyResult&);

/// CPU, MP-GPU, AG-GPU, AG-GPU+, compute, CUDA, as far as there are cells of them, then others in order of appearance.
std::vector<std::string> architectures(const StudyResult&);
std::vector<std::string> architectures(const Cells&);
/// The place of an architecture in that order; 6 for others.
std::size_t rank_of(const std::string& architecture);
/// Which ceilings count for an architecture: all that draw go through fragments.
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
/// "orbit, rgba16f, views per pass 16": what is "none" is left out.
std::string options_brief(const StudyCell&);

/// The fastest with a speed; null when none has. Speeds count as far as they are certain (less their spread), or an
/// unlucky repeat would choose. `architecture` empty: of all.
const StudyCell* fastest(const Cells&, const std::string& architecture = {});

/// Of rates in one study, whose cells were timed in turn: what slowed both down cancels. The spread is that of the
/// repeats, or the farthest that the ratio within one pass is from that of all where it is more.
Ratio speed_ratio(const StudyCell& a, const StudyCell& b);

/// The best of the ceilings that bear this name, or this name and a remark ("blend r32f, in cache"), measured through
/// that architecture; null where there is none.
const Ceiling* best_ceiling(std::span<const Ceiling>, const std::string& architecture, const std::string& name);

/// A change of one thing about the fastest configuration of an architecture.
struct Change {
  const StudyCell* base;
  const StudyCell* changed;
  std::string what;  ///< "texel: r16f to r32f"
  Ratio ratio;       ///< speed of changed / base
};

/// For each architecture of a contest, all cells that differ from its fastest in one option alone; then the same of the
/// one that has most such neighbours, where that is another. Largest effects last.
std::vector<Change> changes_from_best(const Contest&);

/// Two architectures on one contest.
struct Duel {
  std::string a, b;
  Ratio best;                ///< fastest a / fastest b
  Cells best_cells;          ///< the two
  std::vector<Ratio> alike;  ///< pairs whose options agree wherever both have them (but for one that differs always)
  Cells alike_a;             ///< a's cell of each of them
};

/// Those of AG-GPU/MP-GPU, AG-GPU+/AG-GPU, compute/AG-GPU, compute/CUDA and CUDA/CPU that the contest has.
std::vector<Duel> duels(const Contest&);

/// Speeds over something that is a number.
struct Series {
  std::string architecture;
  std::string fixed;  ///< what stays, as text
  std::vector<double> x;
  Cells cells;
};

/// How speed changes with one number: for each architecture the longest series of cells in which all else is equal (of
/// several, the fastest), if it has two points.
struct Trend {
  std::string operation, of;  ///< "voxels along a side", "number of views", or the option's name
  std::string about;          ///< the workload, where it is one
  std::vector<Series> series;
};

std::vector<Trend> trends(const StudyResult&);

/// The first number of a case's name and the number before "views": "cube64 x 90 views" is 64 and 90.
struct WorkloadSize {
  std::optional<double> side, views;
  std::string rest;  ///< the text without both
};
WorkloadSize workload_size(const std::string&);

/// The ceilings that bound a count: "fetches" in "G fetches/s", "bytes" in "GB/s", "flops" in "GFLOP/s"; empty for
/// other units.
std::string counted_by(const std::string& ceiling_unit);

/// 1e9 for "GUPS", "G samples/s" and "GB/s", 1e6 for "M lines/s", else 1.
double unit_scale(const std::string& unit);

/// The median of pairs' ratios; its spread is the farthest of them.
Ratio middle_of(const std::vector<Ratio>&);

}  // namespace backlit::report
