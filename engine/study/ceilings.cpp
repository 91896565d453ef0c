#include "study/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/error.hpp"
#include "study/bench.hpp"
#include "study/cpu_probes.hpp"
#include "study/gl_probes.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double least_seconds = 0.005;  // a sample

/// Calls f(device) with what probes a backend; nothing for backends that have none.
template <class F>
void with_probes(Backend& any, F&& f) {
  Backend& backend = any.innermost();
  if (auto* gl = dynamic_cast<gl::GlBackend*>(&backend)) {
    GlProbes probes(*gl);
    f(probes);
  } else if (auto* device = dynamic_cast<ProbedDevice*>(&backend)) {
    f(*device);
  } else if (backend.name() == "cpu") {
    CpuProbes probes;
    f(probes);
  }
}

std::vector<TimedProbe> probes_of(std::span<Backend* const> backends, std::int64_t copied_bytes) {
  std::vector<TimedProbe> all;
  for (Backend* backend : backends)
    with_probes(*backend, [&](ProbedDevice& device) {
      for (DeviceProbe& probe : device.probes(copied_bytes)) all.push_back({&backend->innermost(), std::move(probe)});
    });
  return all;
}

}  // namespace

double TimedProbe::sample() const {
  const auto start = Clock::now();
  for (std::int64_t n = 0; n < runs; ++n) probe.run();
  backend->finish();
  return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(runs);
}

void TimedProbe::warm_up() {
  sample();
  runs = std::clamp<std::int64_t>(std::llround(least_seconds / sample()), 1, 50);
  cell.work = probe.work;
}

Yardsticks::Yardsticks(std::span<Backend* const> backends, std::int64_t copied_bytes) {
  for (TimedProbe& t : probes_of(backends, copied_bytes))
    if (std::ranges::none_of(all_, [&](const TimedProbe& o) { return o.probe.architecture == t.probe.architecture; }))
      all_.push_back(std::move(t));
  for (TimedProbe& t : all_) t.warm_up();
}

void Yardsticks::sample() {
  for (TimedProbe& t : all_) t.cell.seconds.push_back(timing_of({t.sample(), t.sample(), t.sample()}).median);
}

std::vector<Ceiling> Yardsticks::result() const {
  std::vector<Ceiling> list;
  for (const TimedProbe& t : all_) {
    const auto n = static_cast<double>(t.cell.seconds.size());
    if (n < 3) continue;
    double sum = 0, squares = 0;
    for (const double s : t.cell.seconds) sum += std::log(s), squares += std::log(s) * std::log(s);
    const double deviation = std::sqrt(std::max(0.0, squares - sum * sum / n) / (n - 1));
    const double median = timing_of(t.cell.seconds).median;
    list.push_back(
        {"yardstick, " + t.probe.name, t.probe.architecture, t.cell.work / median, 1.96 * deviation, t.probe.unit});
  }
  return list;
}

std::vector<Ceiling> measure_ceilings(std::span<Backend* const> backends, std::int64_t copied_bytes,
                                      std::int64_t repeats, const Watch& watch) {
  std::vector<TimedProbe> all = probes_of(backends, copied_bytes);
  for (TimedProbe& t : all) {
    watch.advance(0);
    t.warm_up();
  }
  for (std::int64_t n = 0; n < repeats; ++n) {
    watch.advance(0);
    for (TimedProbe& t : all) t.cell.seconds.push_back(t.sample());
  }
  std::vector<Ceiling> ceilings;
  for (TimedProbe& t : all) {
    summarise(t.cell);
    ceilings.push_back({t.probe.name, t.probe.architecture, t.cell.rate, t.cell.spread, t.probe.unit});
  }
  return ceilings;
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
  double longest = 0, spread = 0;
  for (const Demand& demand : candidate.demands) {
    const Ceiling* best = nullptr;
    for (const Ceiling& c : ceilings)
      if (c.architecture == candidate.through &&
          (c.name == demand.ceiling || c.name.starts_with(demand.ceiling + ", ")))
        if (!best || c.rate > best->rate) best = &c;
    if (!best || !(best->rate > 0) || demand.amount / best->rate <= longest) continue;
    longest = demand.amount / best->rate;
    spread = best->spread;
    cell.limit = demand.ceiling;
  }
  if (longest == 0) return;
  const double share = longest / cell.median;
  if (share <= 1 + spread + cell.spread)
    cell.share = std::min(share, 1.0);
  else
    cell.note += fmt::format("{}{:.2f} times the rate of '{}': that ceiling was measured too low",
                             cell.note.empty() ? "" : "; ", share, cell.limit);
}

}  // namespace backlit
