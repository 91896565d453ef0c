// Simulated list mode against what can be computed: counts of lines, times, attenuation, rates of the backgrounds.
#include <catch2/catch.hpp>

#include <omp.h>

#include <cmath>
#include <map>

#include <backlit/core/error.hpp>
#include <backlit/pet/default_grid.hpp>
#include <backlit/pet/simulate.hpp>
#include "pet/emission_sampler.hpp"
#include "pet/pairs.hpp"
#include "support/io/small_scanner.hpp"

using namespace backlit;

namespace {

Scanner ring(std::vector<double> layers = {20}, double tof_fwhm_ps = 0) {
  RingLayout layout = test::closed_rings(60, 7, 100, 8, 6);
  layout.layers_mm = std::move(layers);
  Scanner scanner = make_ring_scanner("ring", layout, {80, 40}, "test");
  scanner.tof_fwhm_ps = tof_fwhm_ps;
  return scanner;
}

Body body(Body::Shape shape, const Vec3& center, const Vec3& half, double value) {
  Body b;
  b.shape = shape;
  b.center = center;
  b.half = half;
  b.value = value;
  return b;
}

Phantom ball(const Vec3& center, double radius, double value = 1) {
  return {"ball", {body(Body::Shape::ellipsoid, center, Vec3(radius), value)}};
}

struct Run {
  EventList events;
  SimulatedCounts counts;
};

Run run(const Scanner& scanner, const Phantom& activity, const Phantom* matter, const ListModeSimulation& options) {
  Run made;
  made.counts = simulate_list_mode(scanner, activity, matter, options,
                                   [&](const EventList& e) { made.events.append(e, 0, e.size()); });
  made.events.check(scanner, "test");
  return made;
}

/// Which group a pair belongs to: how far around its crystals are apart, and along the axis.
std::array<std::int64_t, 2> group_of(std::int64_t a, std::int64_t b) {
  const std::int64_t around = std::abs(a % 60 - b % 60), rings = std::abs(a / 60 - b / 60);
  return {std::min(around, 60 - around), rings};
}

}  // namespace

TEST_CASE("places of decays have the phantom's moments, for every shape, clip and hole") {
  Phantom phantom{"all", {}};
  phantom.bodies.push_back(body(Body::Shape::box, {1, 2, 3}, {10, 8, 6}, 2));
  phantom.bodies.push_back(body(Body::Shape::cylinder, {-20, 0, 0}, {5, 7, 9}, 3));
  phantom.bodies.push_back(body(Body::Shape::cone, {20, 10, 0}, {6, 6, 8}, 4));
  phantom.bodies.back().top = 0.25;
  phantom.bodies.push_back(body(Body::Shape::ellipsoid, {0, -20, 0}, {9, 7, 5}, 1.5));
  phantom.bodies.back().clips.push_back({{0, -20, 1}, {0, 0, 1}});
  phantom.bodies.push_back(body(Body::Shape::gaussian, {0, 20, 5}, {2, 3, 1}, 5));
  phantom.bodies.push_back(body(Body::Shape::ellipsoid, {3, 2, 3}, Vec3(4), -2));  // a hole in the box
  const EmissionSampler sampler(phantom);
  double count = 0;
  Vec3 sum(0), squares(0);
  constexpr int draws = 400'000;
  for (int i = 0; i < draws; ++i) {
    CounterRandom random(1, static_cast<std::uint64_t>(i), 0);
    Vec3 p;
    if (!sampler.draw(random, p) || !sampler.keep(random, p)) continue;
    ++count;
    sum += p;
    squares += p * p;
  }
  // The same by adding up a grid, whose means are right within 0.08 mm.
  double total = 0;
  Vec3 mean(0), second(0);
  for (double x = -35.25; x < 36; x += 0.5)
    for (double y = -35.25; y < 36; y += 0.5)
      for (double z = -15.25; z < 16; z += 0.5) {
        const Vec3 p(x, y, z);
        const double v = 0.125 * value_at(phantom, p);
        total += v;
        mean += v * p;
        second += v * p * p;
      }
  CHECK(count / draws * sampler.total() == Approx(total).epsilon(0.01));
  for (int axis = 0; axis < 3; ++axis) {
    CHECK(sum[axis] / count == Approx(mean[axis] / total).margin(0.13));
    CHECK(squares[axis] / count == Approx(second[axis] / total).epsilon(0.015));
  }
  CHECK_THROWS_WITH(EmissionSampler(ball({0, 0, 0}, 3, -1)), Catch::Contains("no body of this phantom has activity"));
}

TEST_CASE("every kind of line is counted as often as its efficiency and line integral say") {
  const Scanner scanner = ring();
  const Phantom phantom{"blob", {body(Body::Shape::gaussian, {12, -7, 3}, {9, 12, 8}, 1)}};
  ListModeSimulation options;
  options.counts = 400'000;
  const Run made = run(scanner, phantom, nullptr, options);
  REQUIRE(made.counts.trues == 400'000);
  std::map<std::array<std::int64_t, 2>, double> expected, counted;
  const double scale = made.counts.activity * options.duration_s;
  const CrystalPairs pairs(scanner);
  double sum = 0;
  for (std::int64_t a = 0; a < scanner.crystals(); ++a)
    for (const std::uint32_t b : pairs.partners(a)) {
      const Vec3 p(scanner.position[static_cast<std::size_t>(a)]), line = Vec3(scanner.position[b]) - p;
      const double length = glm::length(line);
      const double mean = scale * scanner.pair_efficiency(a, b) * line_integral(phantom, p, line / length, 0, length);
      expected[group_of(a, b)] += mean;
      sum += mean;
    }
  CHECK(sum == Approx(400'000).epsilon(0.01));  // the activity is absolute
  for (std::size_t i = 0; i < 400'000; ++i) counted[group_of(made.events.crystal1[i], made.events.crystal2[i])] += 1;
  double chi = 0;
  int groups = 0;
  for (const auto& [group, mean] : expected) {
    if (mean < 100) continue;
    // Crystals are 10 mm wide and 8 long: the line between their middles stands for them within 3 %.
    const double sigma = std::sqrt(mean + 0.03 * 0.03 * mean * mean);
    chi += std::pow((counted[group] - mean) / sigma, 2);
    CHECK(std::abs(counted[group] - mean) < 5 * sigma);
    ++groups;
  }
  CHECK(groups > 45);
  CHECK(chi / groups < 1.3);
  // Norms are the inverse of efficiencies; the times rise to the end of the scan.
  CHECK(made.events.norm[7] == Approx(1 / scanner.pair_efficiency(made.events.crystal1[7], made.events.crystal2[7])));
  CHECK(std::is_sorted(made.events.time_ms.begin(), made.events.time_ms.end()));
  CHECK(made.events.time_ms.back() == Approx(60'000).margin(2));
  CHECK(made.events.acf.empty());
  CHECK(made.events.dt_ps.empty());
}

TEST_CASE("time of flight: t1 - t2 points to the source with the resolution asked for") {
  const Scanner scanner = ring({20}, 500);
  const Vec3 source(25, -10, 4);
  ListModeSimulation options;
  options.counts = 60'000;
  const Run made = run(scanner, ball(source, 0.5), nullptr, options);
  double sum = 0, squares = 0, agree = 0;
  for (std::size_t i = 0; i < 60'000; ++i) {
    const Vec3 p(scanner.position[made.events.crystal1[i]]), q(scanner.position[made.events.crystal2[i]]);
    // dt > 0: nearer crystal 2, half_c dt from the middle towards it.
    const double place = glm::dot(source - 0.5 * (p + q), glm::normalize(q - p));
    const double error = half_c_mm_per_ps * static_cast<double>(made.events.dt_ps[i]) - place;
    sum += error;
    squares += error * error;
    agree += (made.events.dt_ps[i] > 0) == (place > 0);
  }
  const double sigma = tof_sigma_mm(500);
  CHECK(sum / 60'000 == Approx(0).margin(4 * sigma / std::sqrt(60'000)));
  // The middle of a crystal stands for its width: a few mm against 31.8.
  CHECK(std::sqrt(squares / 60'000) == Approx(sigma).epsilon(0.02));
  CHECK(agree / 60'000 > 0.6);
  options.tof_bin_ps = 40;
  const Run binned = run(scanner, ball(source, 0.5), nullptr, options);
  for (std::size_t i = 0; i < 100; ++i)
    CHECK(std::fmod(static_cast<double>(binned.events.dt_ps[i]), 40) == Approx(0).margin(1e-3));
  options.tof_fwhm_ps = 0;
  CHECK(run(scanner, ball(source, 0.5), nullptr, options).events.dt_ps.empty());
}

TEST_CASE("attenuation takes away what its factors give back") {
  const Scanner scanner = ring();
  const Phantom source = ball({20, 5, 0}, 10);
  const Phantom water{"water", {body(Body::Shape::cylinder, {0, 0, 0}, {60, 60, 60}, 0.0096)}};
  ListModeSimulation options;
  options.counts = 200'000;
  const Run free = run(scanner, source, nullptr, options), through = run(scanner, source, &water, options);
  double corrected = 0, squares = 0;
  for (const float acf : through.events.acf) {
    corrected += static_cast<double>(acf);
    squares += static_cast<double>(acf * acf);
  }
  const double detected = 200'000 / free.counts.decays, undone = corrected / through.counts.decays;
  const double sigma = undone * std::hypot(std::sqrt(squares) / corrected, 1 / std::sqrt(200'000.0));
  CHECK(std::abs(undone - detected) < 4 * sigma + 0.003 * detected);
  CHECK(through.counts.decays > 2 * free.counts.decays);
  // One line by hand: along a diameter of the water.
  const auto& e = through.events;
  for (std::size_t i = 0; i < 100; ++i) {
    const Vec3 p(scanner.position[e.crystal1[i]]), d = glm::normalize(Vec3(scanner.position[e.crystal2[i]]) - p);
    CHECK(e.acf[i] == Approx(std::exp(line_integral(water, p, d, 0, 1000))).epsilon(1e-5));
  }
}

TEST_CASE("the rates of randoms and scatter stored with events are those they come with") {
  const Scanner scanner = ring({20}, 600);
  const Phantom source = ball({0, 0, 0}, 20);
  const CrystalPairs pairs(scanner);
  for (const bool tof : {true, false}) {
    ListModeSimulation options;
    options.counts = 300'000;
    options.scatter_fraction = 0.4;
    options.random_fraction = 0.35;
    options.labels = true;
    if (!tof) options.tof_fwhm_ps = 0;
    const Run made = run(scanner, source, nullptr, options);
    CHECK(made.counts.randoms == Approx(105'000).margin(4 * std::sqrt(105'000 * 0.65)));
    CHECK(made.counts.scatters == Approx(120'000).margin(4 * std::sqrt(120'000 * 0.6)));
    CHECK(made.counts.prompts() == 300'000);
    const double rate = static_cast<double>(made.events.random_rate[0]);
    CHECK(rate * static_cast<double>(pairs.count()) * options.duration_s == Approx(105'000).epsilon(1e-5));

    // Every pair of a group expects rate * duration counts: the sum of 1 / that over events is the group's size (times
    // the range along the line that was looked at, with TOF).
    constexpr double reach = 20;
    std::map<std::int64_t, double> size, scatters, squares, randoms;
    for (std::int64_t a = 0; a < scanner.crystals(); ++a)
      for (const std::uint32_t b : pairs.partners(a)) size[group_of(a, b)[0]] += 1;
    for (std::size_t i = 0; i < 300'000; ++i) {
      const std::int64_t group = group_of(made.events.crystal1[i], made.events.crystal2[i])[0];
      if (made.events.kind[i] == EventKind::random) randoms[group] += 1;
      if (made.events.kind[i] != EventKind::scatter) continue;
      if (tof && std::abs(half_c_mm_per_ps * static_cast<double>(made.events.dt_ps[i])) > reach) continue;
      const double weight = 1 / (static_cast<double>(made.events.scatter_rate[i]) * options.duration_s);
      scatters[group] += weight;
      squares[group] += weight * weight;
    }
    int checked = 0;
    for (const auto& [group, pairs_there] : size) {
      const double mean = rate * options.duration_s * pairs_there;
      CHECK(std::abs(randoms[group] - mean) < 5 * std::sqrt(mean));
      if (scatters[group] == 0) continue;
      const double wanted = pairs_there * (tof ? 2 * reach : 1);
      CHECK(std::abs(scatters[group] - wanted) < 5 * std::sqrt(squares[group]));
      ++checked;
    }
    CHECK(checked > 12);
  }
}

TEST_CASE("layers of crystals stop the shares of photons that their efficiencies say") {
  const Scanner scanner = ring({7, 9});
  ListModeSimulation options;
  options.counts = 100'000;
  const Run made = run(scanner, ball({0, 0, 0}, 5), nullptr, options);
  const std::int64_t in_layer = scanner.crystals() / 2;
  double inner = 0;
  for (std::size_t i = 0; i < 100'000; ++i)
    inner += (made.events.crystal1[i] < in_layer) + (made.events.crystal2[i] < in_layer);
  const double first = 1 - std::exp(-0.087 * 7), second = std::exp(-0.087 * 7) - std::exp(-0.087 * 16);
  CHECK(static_cast<double>(scanner.efficiency[0]) == Approx(first));
  CHECK(inner / 200'000 == Approx(first / (first + second)).margin(0.015));
}

TEST_CASE("a list depends on its seed, not on threads, Poisson draws its length") {
  const Scanner scanner = ring({20}, 500);
  ListModeSimulation options;
  options.counts = 30'000;
  options.scatter_fraction = 0.2;
  options.random_fraction = 0.2;
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const Run one = run(scanner, ball({0, 0, 0}, 20), nullptr, options);
  omp_set_num_threads(3);
  const Run three = run(scanner, ball({0, 0, 0}, 20), nullptr, options);
  omp_set_num_threads(threads);
  CHECK(one.events.crystal1 == three.events.crystal1);
  CHECK(one.events.crystal2 == three.events.crystal2);
  CHECK(one.events.dt_ps == three.events.dt_ps);
  CHECK(one.events.scatter_rate == three.events.scatter_rate);
  options.seed = 2;
  options.poisson = true;
  const Run other = run(scanner, ball({0, 0, 0}, 20), nullptr, options);
  CHECK(other.events.crystal1 != one.events.crystal1);
  CHECK(other.counts.prompts() != 30'000);
  CHECK(other.counts.prompts() == Approx(30'000).margin(5 * std::sqrt(30'000)));
}

TEST_CASE("simulations that cannot be are refused with a reason") {
  const Scanner scanner = ring();
  const Phantom source = ball({0, 0, 0}, 5);
  const auto error = [&](const ListModeSimulation& options, const Scanner& of) {
    try {
      run(of, source, nullptr, options);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  ListModeSimulation options;
  options.scatter_fraction = 0.7;
  options.random_fraction = 0.4;
  CHECK_THAT(error(options, scanner), Catch::Contains("together below 1"));
  Scanner table = scanner;
  table.layout.reset();
  CHECK_THAT(error({}, table), Catch::Contains("simulate with a .scanner.toml"));
  const VolumeGrid grid = default_pet_grid(scanner);
  CHECK(grid.size == Size3{21, 21, 7});
  CHECK(grid.spacing == Vec3(8));
}
