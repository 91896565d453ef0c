#include "study/ceilings.hpp"

#include <fmt/format.h>

#include <chrono>

#include "core/error.hpp"
#include "study/cpu_probes.hpp"
#include "study/gl_probes.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double least_seconds = 0.005;  // a sample

/// A probe of one backend, being timed.
struct Timed {
  Backend* backend;
  DeviceProbe probe;
  std::int64_t runs = 1;
  StudyCell cell{};  // for its statistics alone

  double sample() {
    const auto start = Clock::now();
    for (std::int64_t n = 0; n < runs; ++n) probe.run();
    backend->finish();
    return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(runs);
  }
};

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

}  // namespace

std::vector<Ceiling> measure_ceilings(std::span<Backend* const> backends, std::int64_t copied_bytes,
                                      std::int64_t repeats, const Watch& watch) {
  std::vector<Timed> all;
  for (Backend* backend : backends)
    with_probes(*backend, [&](ProbedDevice& device) {
      for (DeviceProbe& probe : device.probes(copied_bytes)) all.push_back({&backend->innermost(), std::move(probe)});
    });
  for (Timed& t : all) {
    watch.advance(0);
    t.sample();
    t.runs = std::clamp<std::int64_t>(std::llround(least_seconds / t.sample()), 1, 50);
    t.cell.work = t.probe.work;
  }
  for (std::int64_t n = 0; n < repeats; ++n) {
    watch.advance(0);
    for (Timed& t : all) t.cell.seconds.push_back(t.sample());
  }
  std::vector<Ceiling> ceilings;
  for (Timed& t : all) {
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
  for (const Demand& demand : candidate.demands)
    for (const Ceiling& c : ceilings) {
      if (c.name != demand.ceiling || c.architecture != candidate.through || !(c.rate > 0)) continue;
      const double seconds = demand.amount / c.rate;
      if (seconds <= longest) continue;
      longest = seconds;
      spread = c.spread;
      cell.limit = c.name;
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
