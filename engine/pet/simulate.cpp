#include <backlit/pet/simulate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "pet/pairs.hpp"
#include "pet/true_events.hpp"

namespace backlit {
namespace {

constexpr std::uint64_t slot_group = 0x736c6f74, scatter_group = 0x73636174, total_group = 0x746f7461;

double mean_radius(const Scanner& scanner) { return scanner.layout->face_radius_mm + scanner.layout->depth_mm(0); }

double tof_of(const Scanner& scanner, const ListModeSimulation& options) {
  return options.tof_fwhm_ps < 0 ? scanner.tof_fwhm_ps : options.tof_fwhm_ps;
}

void check(const ListModeSimulation& o) {
  const auto fail = [](const std::string& what, const char* remedy) { throw InputError("simulation", what, remedy); };
  if (!(o.counts >= 1 && o.counts <= 1e12)) fail(fmt::format("{} counts", o.counts), "give 1 to 1e12");
  if (!(o.scatter_fraction >= 0 && o.random_fraction >= 0 && o.scatter_fraction + o.random_fraction < 1))
    fail(fmt::format("scatter and random fractions of {} and {}", o.scatter_fraction, o.random_fraction),
         "they are shares of the prompts: 0 or more, together below 1");
  if (!(o.duration_s > 0 && o.duration_s < 4e6))
    fail(fmt::format("a duration of {} s", o.duration_s), "give up to 4e6 s");
  if (!(o.tof_fwhm_ps < 1e5 && o.tof_bin_ps >= 0 && o.tof_bin_ps < 1e5))
    fail("a time of flight beyond 100 ns", "resolution and bins are in ps");
  if (!(o.scatter_sigma_mm >= 0 && o.positron_sigma_mm >= 0 && o.acollinearity_deg >= 0 && o.acollinearity_deg < 10))
    fail("a negative width", "give 0 or more");
}

/// The scatter-like background: a smooth function of the pair and, with TOF, of the position along the line.
class ScatterModel {
 public:
  ScatterModel(const Scanner& scanner, const CrystalPairs& pairs, double sigma_mm, double tof_fwhm_ps)
      : scanner_(scanner), sigma_(sigma_mm), along_(std::hypot(sigma_mm, tof_sigma_mm(tof_fwhm_ps))) {
    sum_ = pairs.sum([&](std::int64_t a, std::int64_t b) { return weight(a, b); });
  }
  double weight(std::int64_t crystal1, std::int64_t crystal2) const {
    const Vec3f &p = scanner_.position[static_cast<std::size_t>(crystal1)],
                &q = scanner_.position[static_cast<std::size_t>(crystal2)];
    const float x = q.x - p.x, y = q.y - p.y, cross = p.x * y - p.y * x;
    return std::exp(-static_cast<double>(cross * cross / (x * x + y * y)) / (2 * sigma_ * sigma_));
  }
  /// Probability of the pair, or with TOF its density per mm at `v` mm from the middle of the line.
  double density(std::int64_t crystal1, std::int64_t crystal2) const { return weight(crystal1, crystal2) / sum_; }
  double density(std::int64_t crystal1, std::int64_t crystal2, double v) const {
    const double t = v / along_;
    return density(crystal1, crystal2) * std::exp(-0.5 * t * t) / (along_ * std::sqrt(2 * pi));
  }
  double along_sigma_mm() const { return along_; }

 private:
  const Scanner& scanner_;
  double sigma_, along_, sum_ = 1;
};

/// True events in order, simulated in parallel when they are needed.
class TrueQueue {
 public:
  explicit TrueQueue(const TrueEvents& events) : events_(events) {}

  void fill(std::size_t wanted, const Watch& watch) {
    constexpr std::uint64_t block = 1 << 14, blocks = 64, give_up = 10'000'000'000;
    while (ready_.size() < wanted) {
      std::vector<std::vector<TrueEvent>> made(blocks);
      parallel_for(blocks, [&](std::int64_t b) {
        events_.simulate(next_ + static_cast<std::uint64_t>(b) * block, block, made[static_cast<std::size_t>(b)]);
      });
      next_ += block * blocks;
      for (const auto& part : made) ready_.insert(ready_.end(), part.begin(), part.end());
      watch.advance(0);
      if (taken_ + ready_.size() == 0 && next_ > give_up)
        throw InputError("simulation", "none of 10^10 decays was counted", "does the phantom lie in the scanner?");
    }
  }
  TrueEvent take() {
    const TrueEvent event = ready_.front();
    ready_.pop_front();
    ++taken_;
    last_ = event.decay + 1;
    return event;
  }
  /// Number of decays up to the last event taken.
  std::uint64_t decays() const { return last_; }

 private:
  const TrueEvents& events_;
  std::deque<TrueEvent> ready_;
  std::uint64_t next_ = 0, last_ = 0;
  std::size_t taken_ = 0;
};

class Simulator {
 public:
  Simulator(const Scanner& scanner, const Phantom& activity, const Phantom* attenuation,
            const ListModeSimulation& options)
      : scanner_(scanner),
        attenuation_(attenuation),
        options_(options),
        info_(simulated_info(scanner, options)),
        pairs_(scanner),
        trues_(scanner, pairs_, activity, attenuation, options, info_.tof_fwhm_ps),
        scatter_(scanner, pairs_, options.scatter_sigma_mm > 0 ? options.scatter_sigma_mm : 0.22 * mean_radius(scanner),
                 info_.tof_fwhm_ps) {
    CounterRandom random(options.seed, 0, total_group);
    total_ = static_cast<std::int64_t>(options.poisson ? poisson(random, options.counts) : std::floor(options.counts));
    const double per_second = options.counts / options.duration_s;
    random_rate_ =
        per_second * options.random_fraction / static_cast<double>(std::max<std::int64_t>(1, pairs_.count()));
    scatter_rate_ = per_second * options.scatter_fraction;
  }

  SimulatedCounts run(const std::function<void(const EventList&)>& sink, const Watch& watch) {
    constexpr std::int64_t chunk = 1 << 20;
    TrueQueue queue(trues_);
    SimulatedCounts counts;
    watch.begin("simulate", total_, "events");
    for (std::int64_t first = 0; first < total_; first += chunk) {
      const std::int64_t n = std::min(chunk, total_ - first);
      EventList events = make(first, n, queue, counts, watch);
      sink(events);
      watch.advance(n);
    }
    watch.end();
    counts.decays = static_cast<double>(queue.decays()) / trues_.simulated_share();
    counts.activity = counts.decays / (trues_.total_activity() * options_.duration_s);
    return counts;
  }

 private:
  EventList make(std::int64_t first, std::int64_t n, TrueQueue& queue, SimulatedCounts& counts, const Watch& watch) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<EventKind> kinds(size);
    std::vector<TrueEvent> events(size);
    EventList list;
    list.time_ms.resize(size);
    parallel_chunks(n, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        CounterRandom random(options_.seed, static_cast<std::uint64_t>(first + i), slot_group);
        const double u = random.uniform(), when = static_cast<double>(first + i) + random.uniform();
        kinds[static_cast<std::size_t>(i)] = u < options_.scatter_fraction ? EventKind::scatter
                                             : u < options_.scatter_fraction + options_.random_fraction
                                                 ? EventKind::random
                                                 : EventKind::true_;
        list.time_ms[static_cast<std::size_t>(i)] =
            static_cast<std::uint32_t>(1000 * options_.duration_s * when / static_cast<double>(total_));
      }
    });
    const auto wanted = std::count(kinds.begin(), kinds.end(), EventKind::true_);
    queue.fill(static_cast<std::size_t>(wanted), watch);
    for (std::size_t i = 0; i < size; ++i) {
      if (kinds[i] == EventKind::true_) events[i] = queue.take();
      counts.trues += kinds[i] == EventKind::true_;
      counts.scatters += kinds[i] == EventKind::scatter;
      counts.randoms += kinds[i] == EventKind::random;
    }
    parallel_chunks(n, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto slot = static_cast<std::size_t>(i);
        if (kinds[slot] != EventKind::true_)
          events[slot] = background(static_cast<std::uint64_t>(first + i), kinds[slot] == EventKind::scatter);
      }
    });
    store(events, list);
    if (options_.labels) list.kind = std::move(kinds);
    return list;
  }

  TrueEvent background(std::uint64_t slot, bool scatter) const {
    TrueEvent event;
    CounterRandom random(options_.seed, slot, scatter_group);
    do pairs_.draw(random, event.crystal1, event.crystal2);
    while (scatter && random.uniform() >= scatter_.weight(event.crystal1, event.crystal2));
    if (scatter)
      event.dt_ps = static_cast<float>(scatter_.along_sigma_mm() * gaussian(random) / half_c_mm_per_ps);
    else
      event.dt_ps = static_cast<float>(info_.tof_range_ps * (random.uniform() - 0.5));
    return event;
  }

  void store(const std::vector<TrueEvent>& events, EventList& list) const {
    const std::size_t size = events.size();
    list.crystal1.resize(size), list.crystal2.resize(size), list.norm.resize(size);
    if (info_.has_tof()) list.dt_ps.resize(size);
    if (attenuation_) list.acf.resize(size);
    if (scatter_rate_ > 0) list.scatter_rate.resize(size);
    if (random_rate_ > 0) list.random_rate.assign(size, static_cast<float>(random_rate_));
    parallel_chunks(
        static_cast<std::int64_t>(size),
        [&](std::int64_t begin, std::int64_t end) {
          for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            store_one(events[i], i, list);
        },
        1 << 12);
  }

  void store_one(const TrueEvent& event, std::size_t i, EventList& list) const {
    const std::int64_t a = event.crystal1, b = event.crystal2;
    list.crystal1[i] = event.crystal1;
    list.crystal2[i] = event.crystal2;
    list.norm[i] = static_cast<float>(1 / scanner_.pair_efficiency(a, b));
    double dt = event.dt_ps;
    if (options_.tof_bin_ps > 0) dt = options_.tof_bin_ps * std::round(dt / options_.tof_bin_ps);
    if (info_.has_tof()) list.dt_ps[i] = static_cast<float>(dt);
    if (scatter_rate_ > 0)
      list.scatter_rate[i] = static_cast<float>(
          scatter_rate_ * (info_.has_tof() ? scatter_.density(a, b, half_c_mm_per_ps * dt) : scatter_.density(a, b)));
    if (attenuation_) {
      const Vec3 from(scanner_.position[event.crystal1]), line = Vec3(scanner_.position[event.crystal2]) - from;
      const double length = glm::length(line);
      list.acf[i] = static_cast<float>(std::exp(line_integral(*attenuation_, from, line / length, 0, length)));
    }
  }

  const Scanner& scanner_;
  const Phantom* attenuation_;
  const ListModeSimulation& options_;
  ListModeInfo info_;
  CrystalPairs pairs_;
  TrueEvents trues_;
  ScatterModel scatter_;
  std::int64_t total_ = 0;
  double random_rate_ = 0;   ///< 1/s, of a pair
  double scatter_rate_ = 0;  ///< 1/s, of all pairs
};

}  // namespace

ListModeInfo simulated_info(const Scanner& scanner, const ListModeSimulation& options) {
  check(options);
  if (!scanner.layout) throw InputError(scanner.name, "is a table of crystals", "simulate with a .scanner.toml");
  ListModeInfo info;
  info.format = "castor";
  info.scanner_name = scanner.name;
  info.duration_s = options.duration_s;
  info.tof_fwhm_ps = tof_of(scanner, options);
  if (info.has_tof()) info.tof_range_ps = 2 * mean_radius(scanner) / half_c_mm_per_ps;
  info.tof_bin_ps = info.has_tof() ? options.tof_bin_ps : 0;
  return info;
}

SimulatedCounts simulate_list_mode(const Scanner& scanner, const Phantom& activity, const Phantom* attenuation,
                                   const ListModeSimulation& options, const std::function<void(const EventList&)>& sink,
                                   const Watch& watch) {
  return Simulator(scanner, activity, attenuation, options).run(sink, watch);
}

}  // namespace backlit
