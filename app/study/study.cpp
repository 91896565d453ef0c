#include "study/study.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <set>

#include <backlit/core/error.hpp>
#include <backlit/version.hpp>
#include "study/plan.hpp"
#include "study/probes/ceilings.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace {

/// Passes over the whole study, each with cells made again: their differences show how far other studies may differ.
constexpr std::int64_t passes = 2;
/// Options of one pass.
MeasureOptions measuring(bool full) {
  return {.least = 3,
          .most = 8,
          .least_of_slow = 2,
          .slow_seconds = 0.15,
          .seconds = 0.06,
          .noisy_seconds = full ? 0.6 : 0,  // a short study reports noise instead of measuring longer
          .wake_seconds = full ? 0.3 : 0.05};
}

void check(const StudyOptions& options) {
  for (const std::string& operation : options.only)
    if (std::ranges::find(study_operations(), operation) == study_operations().end())
      throw InputError("only", fmt::format("'{}' is no operation of the study", operation),
                       fmt::format("choose from {}", fmt::join(study_operations(), ", ")));
}

void keep_workloads(std::vector<PlannedGroup>& groups, const std::vector<std::string>& beginnings) {
  std::set<std::string> known;
  for (const PlannedGroup& group : groups)
    for (const Candidate& candidate : group.candidates) known.insert(candidate.cell.workload);
  for (const std::string& text : beginnings)
    if (std::ranges::none_of(known, [&](const std::string& name) { return name.starts_with(text); }))
      throw InputError("workload", fmt::format("no workload's name begins with '{}'", text),
                       fmt::format("there are: {}", fmt::join(known, "; ")));
  if (beginnings.empty()) return;
  for (PlannedGroup& group : groups)
    std::erase_if(group.candidates, [&](const Candidate& candidate) {
      return std::ranges::none_of(beginnings, [&](const auto& t) { return candidate.cell.workload.starts_with(t); });
    });
  std::erase_if(groups, [](const PlannedGroup& group) { return group.candidates.empty(); });
}

/// Collects the cells in their present state, without those that began but were not timed.
void collect(const std::vector<PlannedGroup>& groups, const DeviceLimits& limits, StudyResult& result) {
  result.ceilings = limits.result();
  result.cells.clear();
  std::vector<Candidate> kept;
  for (const PlannedGroup& group : groups)
    for (const Candidate& candidate : group.candidates) {
      StudyCell cell = candidate.cell;
      if (cell.status == StudyCell::Status::ok) {
        if (cell.seconds.empty()) continue;
        summarise(cell);
        if (candidate.projections > 0 && cell.median > 0)
          cell.counts.emplace_back("projections_a_second", candidate.projections / cell.median);
      }
      kept.push_back(candidate);
      result.cells.push_back(std::move(cell));
    }
  widen_by_passes(result);
  for (std::size_t i = 0; i < kept.size(); ++i) {  // the whole spread decides whether a cell exceeds its ceiling
    kept[i].cell = std::move(result.cells[i]);
    find_limit(kept[i], result.ceilings);
    result.cells[i] = std::move(kept[i].cell);
  }
}

/// Passes the result so far to options.keep(), marked as unfinished.
void keep(StudyResult so_far, const PlannedGroup& group, const StudyOptions& options) {
  if (so_far.cells.empty()) return;
  so_far.extent += ", unfinished";
  options.keep(so_far, group.operation + ", " + group.candidates.front().cell.workload);
}

/// Frees data that only later passes could need.
void give_back(PlannedGroup& group, bool last) {
  if (group.release) group.release();
  if (!last) return;
  group.release = {};
  group.profiles = {};
  for (Candidate& candidate : group.candidates) candidate.prepare = {};
}

}  // namespace

StudyResult run_study(std::span<Backend* const> backends, const StudyOptions& options, Progress& progress,
                      const CancelToken& cancel) {
  check(options);
  const StudySize size{options.full};
  StudyResult result;
  result.version = version();
  result.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  result.extent = options.full ? "full" : "quick";
  result.environment = environment_of(backends);
  const Watch watch(progress, cancel);
  std::vector<PlannedGroup> groups;
  std::optional<DeviceLimits> limits;
  try {
    groups = plan_study(backends, size, options.only);
    keep_workloads(groups, options.workloads);
    std::int64_t cells = 0;
    for (const PlannedGroup& group : groups) cells += static_cast<std::int64_t>(group.candidates.size());
    watch.begin("study", 2 * passes * cells + 1, "steps");
    limits.emplace(backends, size.copied_bytes(), watch);
    watch.advance(1);
    for (std::int64_t pass = 0; pass < passes; ++pass) {
      limits->sample(3, watch);
      for (PlannedGroup& group : groups) {
        limits->sample_yardsticks();
        measure(group.candidates, measuring(options.full), watch);
        if (group.profiles && pass == 0)
          for (StudyProfile& profile : group.profiles()) result.profiles.push_back(std::move(profile));
        give_back(group, pass + 1 == passes);
        if (!options.keep) continue;
        collect(groups, *limits, result);
        keep(result, group, options);
      }
    }
    limits->sample_yardsticks();
    limits->sample(3, watch);
  } catch (const Cancelled&) {
    result.extent += ", stopped";
  }
  if (limits) collect(groups, *limits, result);
  watch.end();
  return result;
}

}  // namespace backlit
