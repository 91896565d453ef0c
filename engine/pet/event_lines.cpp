#include <backlit/pet/event_lines.hpp>

#include <algorithm>
#include <atomic>
#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>

namespace backlit {

EventLines::EventLines(const EventList& events, const Scanner& scanner, const EventModel& model)
    : events_(events), scanner_(scanner) {
  const auto n = static_cast<std::size_t>(events.size());
  if (!events.end1.empty()) {
    points_ = events.end1;
    points_.insert(points_.end(), events.end2.begin(), events.end2.end());
    first_.resize(n);
    second_.resize(n);
    std::iota(first_.begin(), first_.end(), 0u);
    std::iota(second_.begin(), second_.end(), static_cast<std::uint32_t>(n));
  }
  if (model.tof) {
    if (events.dt_ps.size() != n)
      throw InputError("list mode", "events have no time of flight", "reconstruct without it: `tof` off");
    tof_mm_.resize(n);
    parallel_chunks(static_cast<std::int64_t>(n), [&](std::int64_t begin, std::int64_t end) {
      std::transform(events.dt_ps.begin() + begin, events.dt_ps.begin() + end, tof_mm_.begin() + begin,
                     [](float dt) { return static_cast<float>(dt * half_c_mm_per_ps); });
    });
  }
  const bool scatter = model.scatter && !events.scatter_rate.empty();
  const bool randoms = model.randoms && !events.random_rate.empty();
  if (scatter && !model.tof && !events.dt_ps.empty())
    throw InputError("list mode", "scatter rates of events with time of flight are densities along the line",
                     "keep time of flight, or leave scatter out: `no_scatter`");
  if (!scatter && !randoms) return;
  if (randoms && model.tof && !(model.tof_range_ps > 0))
    throw InputError("list mode", "randoms have rates but the range of time of flight is not known",
                     "give `List TOF measurement range (ps)` in the header");
  const double random_share = model.tof ? 1 / (model.tof_range_ps * half_c_mm_per_ps) : 1;
  const double bin = model.tof && model.tof_bin_mm > 0 ? model.tof_bin_mm : 1;
  background_.resize(n);
  std::atomic<bool> some_without{false};
  parallel_chunks(static_cast<std::int64_t>(n), [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      double rate = 0, factor = 1;
      if (scatter) rate += events.scatter_rate[i];
      if (randoms) rate += events.random_rate[i] * random_share;
      if (!events.acf.empty()) factor *= events.acf[i];
      if (!events.norm.empty())
        factor *= events.norm[i];
      else if (!events.crystal1.empty())
        factor /= std::max(1e-30, scanner.pair_efficiency(events.crystal1[i], events.crystal2[i]));
      background_[i] = static_cast<float>(std::max(0.0, rate) * factor * bin);
      if (!(background_[i] > 0)) some_without = true;
    }
  });
  bounded_ = !some_without;
}

LineList EventLines::list() const {
  if (!points_.empty()) return {points_, first_, second_, tof_mm_, {}};
  return {scanner_.position, events_.crystal1, events_.crystal2, tof_mm_, {}};
}

}  // namespace backlit
