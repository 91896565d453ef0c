#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

#include <backlit/core/error.hpp>
#include "study/probes/device_counts.hpp"
#include "study/report/statistics.hpp"
#include "study/study_group.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* runs_a_repeat = "runs_a_repeat";

/// A candidate that is being timed.
struct Runner {
  Candidate* candidate;
  Trial trial;
  std::int64_t least = 1, runs_a_sample = 1;
  double once = 0, spent = 0;  ///< seconds

  double seconds_of(std::int64_t runs) const {
    const auto start = Clock::now();
    for (std::int64_t n = 0; n < runs; ++n) trial.run();
    candidate->backend->finish();
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
};

/// The share in a variant's name: "killed=0.2146".
double killed_share(const std::string& variant) {
  const auto at = variant.find("killed=");
  return at == std::string::npos ? 0 : std::stod(variant.substr(at + 7));
}

/// Zeros that are added are work that hardware may skip: reduces the demand of blending.
void leave_out_zeros(Candidate& candidate, double adding) {
  bool blends = false;
  for (Demand& demand : candidate.demands)
    if (demand.ceiling.starts_with("blend")) demand.amount *= adding, blends = true;
  for (auto& [name, value] : candidate.cell.counts)
    if (blends && name == "bytes") value *= adding;
}

void add_counts(Candidate& candidate, const std::string& variant, const DeviceCounts& c) {
  StudyCell& cell = candidate.cell;
  const auto add = [&](const char* name, double value) {
    if (value > 0) cell.counts.emplace_back(name, value);
  };
  const double killed = killed_share(variant);
  if (killed > 0) {  // killed fragments fetch nothing
    for (Demand& demand : candidate.demands) demand.amount *= 1 - killed;
    for (auto& [name, value] : cell.counts) value *= 1 - killed;
  }
  add("fragments_drawn", c.fragments);
  if (killed > 0) add("fragments_killed", c.fragments * killed / (1 - killed));
  add("invocations", c.invocations);
  add("passes", static_cast<double>(c.passes));
  add("draw_calls", candidate.draws_a_pass * static_cast<double>(c.drawn_passes));
}

/// Device time is part of the wall clock's time. If it is more, notes that and drops it.
void check_clocks(StudyCell& cell, const DeviceCounts& c) {
  cell.device_seconds = c.device_seconds;
  if (c.device_seconds > 1.05 * c.wall_seconds) {
    cell.note =
        fmt::format("the device's clock measured {:.3g} s of {:.3g} s on the wall", c.device_seconds, c.wall_seconds);
    cell.device_seconds = 0;
  }
}

bool right(StudyCell& cell, const Trial& trial) {
  if (!trial.error) return true;
  cell.rmse = trial.error();
  if (!cell.rmse_bound || *cell.rmse <= *cell.rmse_bound) return true;
  cell.status = StudyCell::Status::failed;
  cell.note = fmt::format("an error of {:.3g} {}, allowed {:.3g}", *cell.rmse, cell.error_unit, *cell.rmse_bound);
  return false;
}

/// Runs the trial, checks its result and counts its work; the device is warm afterwards. Empty if the result is wrong;
/// otherwise seconds of a run.
std::optional<double> look_at(Candidate& candidate, const Runner& runner, const MeasureOptions& options) {
  StudyCell& cell = candidate.cell;
  DeviceCounts counts = count_run(*candidate.backend, runner.trial.run);
  if (!right(cell, runner.trial)) return {};
  cell.work = runner.trial.work;
  cell.unit = runner.trial.unit;
  // Warm now. Count a long run again only if the first one was long because it made programs.
  if (counts.wall_seconds <= options.slow_seconds || runner.seconds_of(1) < 0.5 * counts.wall_seconds)
    counts = count_run(*candidate.backend, runner.trial.run);
  check_clocks(cell, counts);
  leave_out_zeros(candidate, runner.trial.adding);
  add_counts(candidate, runner.trial.variant, counts);
  return counts.wall_seconds > 10 * options.sample_seconds ? counts.wall_seconds : runner.seconds_of(1);
}

/// The number of runs in a sample of the first pass.
std::int64_t runs_a_sample_before(const StudyCell& cell) {
  for (const auto& [name, value] : cell.counts)
    if (name == runs_a_repeat) return std::llround(value);
  return 1;
}

void prepare(Candidate& candidate, const MeasureOptions& options, std::vector<Runner>& runners) {
  StudyCell& cell = candidate.cell;
  if (cell.status != StudyCell::Status::ok) return;
  try {
    Runner runner{&candidate, candidate.prepare(), options.least};
    double once = 0;
    if (cell.passes.empty()) {
      const auto seconds = look_at(candidate, runner, options);
      if (!seconds) return;
      once = *seconds;
      runner.runs_a_sample = std::clamp<std::int64_t>(std::llround(options.sample_seconds / once), 1, 100);
      if (runner.runs_a_sample > 1) cell.counts.emplace_back(runs_a_repeat, static_cast<double>(runner.runs_a_sample));
    } else {
      runner.runs_a_sample = runs_a_sample_before(cell);
      once = runner.seconds_of(1);
    }
    runner.once = once;
    if (once > options.slow_seconds) runner.least = std::min(options.least, options.least_of_slow);
    cell.passes.push_back(0);
    runners.push_back(std::move(runner));
  } catch (const Cancelled&) {
    throw;
  } catch (const InputError& reason) {  // Unsupported too
    cell.status = StudyCell::Status::unsupported;
    cell.note = reason.what();
  } catch (const Error& reason) {
    cell.status = StudyCell::Status::failed;
    cell.note = reason.what();
  }
}

/// Wakes up devices. Devices that idled while the CPU made data and references run at a low clock and take tenths of a
/// second to speed up. Each one runs its shortest cell until then.
void wake_up(const std::vector<Runner>& runners, double idle_seconds, const MeasureOptions& options) {
  const double seconds = std::min(options.wake_seconds, 0.25 * idle_seconds);
  std::map<const Backend*, const Runner*> shortest;
  for (const Runner& runner : runners) {
    const Runner*& least = shortest[runner.candidate->backend];
    if (!least || runner.once < least->once) least = &runner;
  }
  for (const auto& [backend, runner] : shortest)
    for (double spent = runner->once; spent < seconds;) spent += runner->seconds_of(1);
}

}  // namespace

void measure(StudyGroup& group, const MeasureOptions& options, const Watch& watch) {
  std::vector<Runner> runners;
  const auto start = Clock::now();
  for (Candidate& candidate : group) {
    prepare(candidate, options, runners);
    watch.advance(1);
  }
  wake_up(runners, std::chrono::duration<double>(Clock::now() - start).count(), options);
  watch.advance(static_cast<std::int64_t>(group.size() - runners.size()));
  const auto wants_more = [&](const Runner& r) {
    const StudyCell& cell = r.candidate->cell;
    const std::int64_t n = cell.passes.back();
    if (n < r.least || n >= options.most) return n < r.least;
    return r.spent < options.seconds ||
           (r.spent < options.noisy_seconds && report::median_spread(cell.seconds) > accepted_spread);
  };
  for (std::size_t round = 0; std::ranges::any_of(runners, wants_more); ++round)
    for (std::size_t i = 0; i < runners.size(); ++i) {
      Runner& runner = runners[(round + i) % runners.size()];
      if (!wants_more(runner)) continue;
      watch.advance(0);
      const double seconds = runner.seconds_of(runner.runs_a_sample);
      runner.spent += seconds;
      StudyCell& cell = runner.candidate->cell;
      cell.seconds.push_back(seconds / static_cast<double>(runner.runs_a_sample));
      ++cell.passes.back();
      if (!wants_more(runner)) watch.advance(1);
    }
}

}  // namespace backlit
