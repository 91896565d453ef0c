#include <backlit/pet/list_mode_summary.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace backlit {
namespace {

/// Counts by multiples of a width, so that the range need not be known before.
class Tally {
 public:
  explicit Tally(double width) : width_(width) {}

  void add(double value) { ++counts_[std::llround(value / width_)]; }
  /// Bins centred on multiples of the width.
  Histogram histogram() const {
    if (counts_.empty()) return {};
    const std::int64_t low = counts_.begin()->first, high = counts_.rbegin()->first;
    Histogram out{(static_cast<double>(low) - 0.5) * width_, width_, {}};
    out.counts.resize(static_cast<std::size_t>(high - low + 1));
    for (const auto& [bin, count] : counts_) out.counts[static_cast<std::size_t>(bin - low)] = count;
    return out;
  }

 private:
  double width_;
  std::map<std::int64_t, std::int64_t> counts_;
};

class Mean {
 public:
  void add(const std::vector<float>& values) {
    sum_ = std::accumulate(values.begin(), values.end(), sum_);
    count_ += values.size();
  }
  double value(double otherwise) const { return count_ > 0 ? sum_ / static_cast<double>(count_) : otherwise; }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

/// A histogram of at most 50 bins of whole milliseconds.
Histogram over_time(const std::map<std::uint32_t, std::int64_t>& by_time, std::uint32_t step_ms) {
  if (by_time.size() < 2) return {};
  const std::uint32_t first = by_time.begin()->first, last = by_time.rbegin()->first;
  const std::uint32_t parts = (last - first) / step_ms / 50 + 1, width = parts * step_ms;
  Histogram out{first * 1e-3, width * 1e-3, std::vector<std::int64_t>((last - first) / width + 1)};
  for (const auto& [time, count] : by_time) out.counts[(time - first) / width] += count;
  return out;
}

}  // namespace

ListModeSummary summarize(ListModeSource& source, const Scanner& scanner, const Watch& watch) {
  constexpr std::int64_t chunk = 1 << 18;
  constexpr std::uint32_t time_step_ms = 100;
  const ListModeInfo& info = source.info();
  const auto rings = scanner.rings();
  const double tof_width = info.tof_bin_ps > 0 ? info.tof_bin_ps : std::max(1.0, info.tof_fwhm_ps / 4);
  Tally tof(tof_width), difference(1);
  Mean acf, norm, scatter, random;
  std::map<std::uint32_t, std::int64_t> by_time;
  const bool fine = info.duration_s == 0;  // short lists without a header: every millisecond
  EventList events;
  source.rewind();
  watch.begin("read", info.events.value_or(0), "events");
  while (source.read(chunk, events)) {
    for (const float dt : events.dt_ps) tof.add(static_cast<double>(dt));
    for (std::size_t i = 0; i < events.crystal1.size(); ++i)
      difference.add(rings[events.crystal2[i]] - rings[events.crystal1[i]]);
    for (const std::uint32_t time : events.time_ms) ++by_time[fine ? time : time / time_step_ms * time_step_ms];
    acf.add(events.acf), norm.add(events.norm), scatter.add(events.scatter_rate), random.add(events.random_rate);
    watch.advance(events.size());
  }
  watch.end();
  ListModeSummary out;
  out.counts = source.counts();
  out.tof_ps = tof.histogram();
  out.ring_difference = difference.histogram();
  out.time_s = over_time(by_time, fine ? 1 : time_step_ms);
  out.seconds = info.duration_s;
  if (fine && by_time.size() > 1) out.seconds = (by_time.rbegin()->first - by_time.begin()->first) * 1e-3;
  out.mean_acf = acf.value(0);
  out.mean_norm = norm.value(0);
  out.mean_scatter_rate = scatter.value(-1);
  out.mean_random_rate = random.value(-1);
  return out;
}

}  // namespace backlit
