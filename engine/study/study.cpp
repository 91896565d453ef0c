#include "study/study.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <optional>

#include "core/error.hpp"
#include "study/ceilings.hpp"
#include "study/plan.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace {

void check(const StudyOptions& options) {
  for (const std::string& operation : options.only)
    if (std::ranges::find(study_operations(), operation) == study_operations().end())
      throw InputError("only", fmt::format("'{}' is no operation of the study", operation),
                       fmt::format("choose from {}", fmt::join(study_operations(), ", ")));
}

/// What was begun and not timed has nothing to say.
void take_cells(StudyGroup& group, std::span<const Ceiling> ceilings, StudyResult& result) {
  for (Candidate& candidate : group) {
    StudyCell& cell = candidate.cell;
    if (cell.status == StudyCell::Status::ok) {
      if (cell.seconds.empty()) continue;
      summarise(cell);
      find_limit(candidate, ceilings);
      if (candidate.projections > 0 && cell.median > 0)
        cell.counts.emplace_back("projections_a_second", candidate.projections / cell.median);
    }
    result.cells.push_back(std::move(cell));
  }
}

/// What there is so far, which says that it is not all.
void keep(StudyResult so_far, const StudyOptions& options) {
  if (so_far.cells.empty()) return;
  so_far.extent += ", unfinished";
  options.keep(so_far, so_far.cells.back().operation + ", " + so_far.cells.back().workload);
}

}  // namespace

StudyResult run_study(std::span<Backend* const> backends, const StudyOptions& options, Progress& progress,
                      const CancelToken& cancel) {
  check(options);
  const StudySize size{options.full};
  StudyResult result;
  result.version = BACKLIT_VERSION;
  result.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  result.extent = options.full ? "full" : "quick";
  result.environment = environment_of(backends);
  const Watch watch(progress, cancel);
  const MeasureOptions measuring{.least = 6, .most = 15, .seconds = 0.2};
  std::optional<Yardsticks> yardsticks;
  try {
    auto groups = plan_study(backends, size, options.only);
    std::int64_t cells = 0;
    for (const PlannedGroup& group : groups) cells += static_cast<std::int64_t>(group.candidates.size());
    watch.begin("study", 2 * cells + 1, "steps");
    result.ceilings = measure_ceilings(backends, size.copied_bytes(), 7, watch);
    yardsticks.emplace(backends, size.copied_bytes());
    watch.advance(1);
    for (PlannedGroup& group : groups) {
      yardsticks->sample();
      StudyGroup candidates = std::move(group.candidates);  // gives its data back when done
      try {
        measure(candidates, measuring, watch);
      } catch (const Cancelled&) {
        take_cells(candidates, result.ceilings, result);
        throw;
      }
      take_cells(candidates, result.ceilings, result);
      if (group.profiles)
        for (StudyProfile& profile : group.profiles()) result.profiles.push_back(std::move(profile));
      group.profiles = {};
      if (options.keep) keep(result, options);
    }
    yardsticks->sample();
  } catch (const Cancelled&) {
    result.extent += ", stopped";
  }
  if (yardsticks)
    for (Ceiling& ceiling : yardsticks->result()) result.ceilings.push_back(std::move(ceiling));
  watch.end();
  return result;
}

}  // namespace backlit
