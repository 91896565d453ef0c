#include "study/probes/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include <backlit/core/error.hpp>
#include "study/probes/cpu_probes.hpp"
#include "study/probes/gl_probes.hpp"
#include "study/report/selection.hpp"

namespace backlit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double least_seconds = 0.005;  // for a sample

using MakeProbes = std::function<std::unique_ptr<ProbedDevice>(Backend&)>;

std::map<std::string, MakeProbes>& probe_makers() {
  static std::map<std::string, MakeProbes> makers{
      {"cpu", [](Backend&) { return std::make_unique<CpuProbes>(); }},
      {"gl", [](Backend& backend) { return std::make_unique<GlProbes>(gl::current_gl(backend)); }}};
  return makers;
}

/// Calls f(device) with the probes of a backend; does nothing for backends without probes.
template <class F>
void with_probes(Backend& any, F&& f) {
  Backend& backend = any.innermost();
  const auto maker = probe_makers().find(backend.name());
  if (maker != probe_makers().end()) f(*maker->second(backend));
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

void register_probes(const std::string& backend, MakeProbes make) { probe_makers()[backend] = std::move(make); }

DeviceLimits::DeviceLimits(std::span<Backend* const> backends, std::int64_t copied_bytes, const Watch& watch) {
  for (Backend* backend : backends)
    with_probes(*backend, [&](ProbedDevice& device) {
      for (DeviceProbe& probe : device.probes(copied_bytes)) all_.push_back({&backend->innermost(), std::move(probe)});
    });
  std::set<std::string> begun;
  for (TimedProbe& t : all_) {
    watch.advance(0);
    t.sample();
    t.runs = std::clamp<std::int64_t>(std::llround(least_seconds / t.sample()), 1, 50);
    if (begun.insert(t.probe.architecture).second) yardsticks_.push_back(&t);
  }
}

double DeviceLimits::TimedProbe::sample() const {
  const auto start = Clock::now();
  for (std::int64_t n = 0; n < runs; ++n) probe.run();
  backend->finish();
  return seconds_since(start) / static_cast<double>(runs);
}

void DeviceLimits::sample(std::int64_t repeats, const Watch& watch) {
  for (std::int64_t n = 0; n < repeats; ++n) {
    watch.advance(0);
    for (TimedProbe& t : all_) t.seconds.push_back(t.sample());
  }
}

void DeviceLimits::sample_yardsticks() {
  for (TimedProbe* t : yardsticks_)
    t->as_yardstick.push_back(report::median_of({t->sample(), t->sample(), t->sample()}));
}

std::vector<Ceiling> DeviceLimits::result() const {
  std::vector<Ceiling> list;
  for (const TimedProbe& t : all_)
    if (!t.seconds.empty())
      list.push_back({t.probe.name, t.probe.architecture, t.probe.work / std::ranges::min(t.seconds),
                      report::median_spread(t.seconds), t.probe.unit});
  for (const TimedProbe* t : yardsticks_) {
    if (t->as_yardstick.size() < 3) continue;
    list.push_back({"yardstick, " + t->probe.name, t->probe.architecture,
                    t->probe.work / report::median_of(t->as_yardstick), report::scatter_of(t->as_yardstick),
                    t->probe.unit});
  }
  return list;
}

Facts environment_of(std::span<Backend* const> backends) {
  Facts facts = CpuProbes().facts();
  for (Backend* backend : backends)
    if (backend->innermost().name() != "cpu")
      with_probes(*backend, [&](ProbedDevice& device) {
        for (auto& fact : device.facts()) facts.push_back(std::move(fact));
      });
  return facts;
}

void find_limit(Candidate& candidate, std::span<const Ceiling> ceilings) {
  StudyCell& cell = candidate.cell;
  if (cell.status != StudyCell::Status::ok || !(cell.median > 0)) return;
  double longest = 0;
  for (const Demand& demand : candidate.demands) {
    const Ceiling* best = report::best_ceiling(ceilings, candidate.through, demand.ceiling);
    if (!best || demand.amount / best->rate <= longest) continue;
    longest = demand.amount / best->rate;
    cell.limit = demand.ceiling;
  }
  if (longest == 0) return;
  cell.share = longest / cell.median;
  if (*cell.share > 1 + cell.spread)
    cell.note += fmt::format("{}{:.2f} times the rate of '{}': that ceiling was measured too low",
                             cell.note.empty() ? "" : "; ", *cell.share, cell.limit);
}

}  // namespace backlit
