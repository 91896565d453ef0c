// Do two studies of one machine agree within the spreads that they state? Machines that nobody has, timed as a study
// times them: passes, groups, rounds.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <random>

#include "study/report/statistics.hpp"
#include "study/study_report.hpp"

using namespace backlit;

namespace {

using Random = std::mt19937;
/// How many times longer than usual work takes that begins then.
using Slowdown = std::function<double(double seconds)>;
/// Made anew for each study: what neighbours do has no memory of the study before.
using Machine = std::function<Slowdown(Random&)>;

constexpr int cells = 96, cells_a_group = 12;

/// Two passes of eight groups, four rounds each, some 80 seconds in all; a yardstick before each group.
StudyResult study_of(const Machine& machine, Random& random) {
  const Slowdown slowdown = machine(random);
  StudyResult r;
  r.cells.resize(cells);
  double now = 0;
  std::vector<double> yardstick;
  for (int pass = 0; pass < 2; ++pass)
    for (int first = 0; first < cells; first += cells_a_group) {
      now += 0.2 * cells_a_group;  // made ready
      yardstick.push_back(report::median_of({slowdown(now), slowdown(now), slowdown(now)}));
      for (int round = 0; round < 4; ++round)
        for (int i = first; i < first + cells_a_group; ++i) {
          StudyCell& cell = r.cells[static_cast<std::size_t>(i)];
          const double seconds = 0.01 * (1 + i % 7) * slowdown(now);
          now += seconds;
          cell.seconds.push_back(seconds);
        }
      for (int i = first; i < first + cells_a_group; ++i) r.cells[static_cast<std::size_t>(i)].passes.push_back(4);
    }
  for (int i = 0; i < cells; ++i) {
    StudyCell& cell = r.cells[static_cast<std::size_t>(i)];
    cell.workload = std::to_string(i);
    cell.architecture = "CUDA";
    cell.unit = "GUPS";
    cell.work = 1;
    summarise(cell);
  }
  r.ceilings = {{"yardstick, fma", "CUDA", 1 / report::median_of(yardstick), report::scatter_of(yardstick), "GFLOP/s"}};
  return r;
}

/// As the text that compares two studies begins.
double separated(const StudyResult& a, const StudyResult& b) {
  const std::string text = study_difference(a, b), before = "\n\n";
  return std::stod(text.substr(text.find(before, text.find("A: ")) + before.size()));
}

/// Share of cells that two studies of a machine tell apart: by repeats alone, and as it is done.
struct Apart {
  double by_repeats = 0, stated = 0;
  double spread = 0;  ///< the median of what they state
};
Apart apart(const Machine& machine) {
  constexpr int trials = 20;
  Random random(11);
  Apart share;
  std::vector<double> spreads;
  for (int t = 0; t < trials; ++t) {
    StudyResult a = study_of(machine, random), b = study_of(machine, random);
    StudyResult naive_a = a, naive_b = b;
    naive_a.ceilings.clear();
    share.by_repeats += separated(naive_a, naive_b) / (trials * cells);
    widen_by_passes(a);
    widen_by_passes(b);
    share.stated += separated(a, b) / (trials * cells);
    for (const StudyCell& cell : a.cells) spreads.push_back(cell.spread);
  }
  share.spread = report::median_of(spreads);
  return share;
}

double normal(Random& random) { return std::normal_distribution<double>()(random); }
double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// Repeats scatter by a hundredth, and one of a hundred takes up to three times as long.
double repeat_noise(Random& random) {
  return std::exp(0.01 * normal(random)) * (uniform(random, 0, 1) < 0.01 ? uniform(random, 1, 3) : 1);
}

/// Events that come as they like, `every` seconds on average, and take `for_seconds` on average.
std::vector<std::pair<double, double>> events(Random& random, double every, double for_seconds) {
  std::vector<std::pair<double, double>> list;
  std::exponential_distribution<double> wait(1 / every), stay(1 / for_seconds);
  const double first = uniform(random, 0, 1) < for_seconds / (every + for_seconds) ? 0 : wait(random);
  for (double t = first; t < 200; t = list.back().second + wait(random)) list.emplace_back(t, t + stay(random));
  return list;
}
bool within(const std::vector<std::pair<double, double>>& list, double t) {
  for (const auto& [begin, end] : list)
    if (t >= begin && t < end) return true;
  return false;
}

Machine machine_with(std::function<Slowdown(Random&)> slow) {
  return [slow](Random& random) -> Slowdown {
    return [&random, s = slow(random)](double t) { return s(t) * repeat_noise(random); };
  };
}

}  // namespace

TEST_CASE("Two studies of a quiet machine agree, and its spread stays small") {
  const Apart quiet = apart(machine_with([](Random&) -> Slowdown { return [](double) { return 1.0; }; }));
  CHECK(quiet.stated < 0.05);
  CHECK(quiet.spread < 0.05);
}

TEST_CASE("Two studies agree where clocks, neighbours and heat change in seconds and minutes") {
  const std::vector<std::pair<const char*, Machine>> machines{
      {"two clocks, for some 15 s each", machine_with([](Random& random) -> Slowdown {
         return [list = events(random, 15, 15)](double t) { return within(list, t) ? 1.25 : 1.0; };
       })},
      {"a neighbour now and then, for some 8 s", machine_with([](Random& random) -> Slowdown {
         return [list = events(random, 25, 8)](double t) { return within(list, t) ? 1.6 : 1.0; };
       })},
      {"it grows slower, by up to a third in a study", machine_with([](Random& random) -> Slowdown {
         return [slope = uniform(random, 0, 0.4) / 80](double t) { return 1 + slope * t; };
       })},
      {"its speed walks about", machine_with([](Random& random) -> Slowdown {
         std::vector<double> walk{0.1 * normal(random)};
         for (int t = 1; t < 200; ++t) walk.push_back(0.95 * walk.back() + 0.031 * normal(random));
         return [walk](double t) { return std::exp(walk[static_cast<std::size_t>(t)]); };
       })}};
  for (const auto& [name, machine] : machines) {
    const Apart share = apart(machine);
    INFO(name << ": by repeats alone " << share.by_repeats << ", stated " << share.stated << ", spread "
              << share.spread);
    CHECK(share.by_repeats > 0.1);  // what this is for
    CHECK(share.stated < 0.06);
    CHECK(share.spread < 0.5);
  }
}

TEST_CASE("What passes say holds for few of them, and with long tails") {
  Random random(3);
  const auto coverage = [&](int n, const std::function<double()>& log_speed) {
    const int trials = 4000;
    int held = 0;
    for (int t = 0; t < trials; ++t) {
      std::vector<double> ratios;
      for (int i = 0; i < n; ++i) ratios.push_back(log_speed() - log_speed());
      const double spread = report::spread_of_passes(ratios), again = report::spread_of_passes(ratios);
      held += std::abs(log_speed() - log_speed()) <= std::hypot(spread, again);
    }
    return static_cast<double>(held) / trials;
  };
  for (const int n : {1, 2, 3, 5, 10, 19, 20, 40, 100}) {
    INFO(n << " ratios");
    CHECK(coverage(n, [&] { return 0.02 * normal(random); }) > 0.93);
    if (n >= 20)
      CHECK(coverage(n, [&] { return 0.02 * normal(random) + (uniform(random, 0, 1) < 0.1 ? 0.5 : 0); }) > 0.93);
  }
  CHECK(coverage(100, [&] { return 0.02 * normal(random); }) < 0.98);
  CHECK(report::spread_of_passes({}) == 1);
}
