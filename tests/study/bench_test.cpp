#include "study/bench/bench.hpp"
#include "study/analysis.hpp"
#include "study/bench/bench_recon.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <thread>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include "support/recon/recon_options.hpp"

using namespace backlit;

TEST_CASE("timings are summed up by median, least and largest") {
  const Timing odd = timing_of({3, 1, 2}), even = timing_of({4, 1, 3, 2});
  CHECK(odd.median == 2);
  CHECK(odd.min == 1);
  CHECK(odd.max == 3);
  CHECK(even.median == 2.5);
  CHECK(even.repeats == 4);
  CHECK(timing_of({}).repeats == 0);
}

TEST_CASE("work is warmed up, repeated and waited for") {
  int runs = 0, waits = 0;
  const auto work = [&] { ++runs; };
  const auto finish = [&] { ++waits; };
  CHECK(time_repeatedly(work, finish, 4, 0, {.seconds = 0}).repeats == 4);
  CHECK(runs == 5);
  CHECK(waits == 5);
  CHECK(time_repeatedly(work, finish, 4, 0, {.seconds = 0, .at_most = -1}).repeats == 4);  // too long to warm up
  CHECK(runs == 9);
}

TEST_CASE("short work is warmed up until clocks are awake") {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::vector<double> begins;
  const auto work = [&] {
    begins.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    std::this_thread::sleep_for(std::chrono::milliseconds(begins.size() == 1 ? 50 : 2));
  };
  CHECK(time_repeatedly(work, [] {}, 3, 0, {.seconds = 0.3}).repeats == 3);
  REQUIRE(begins.size() > 4);
  CHECK(begins[begins.size() - 3] >= 0.35);  // the first run, which had 50 ms to plan, woke nobody
}

TEST_CASE("runs that wake a device count from the second on") {
  int runs = 0;
  const auto work = [&] { ++runs, std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  CHECK(time_repeatedly(work, [] {}, 3, 0, {.seconds = 0.005}).repeats == 3);
  CHECK(runs == 4);
}

TEST_CASE("iterations are timed from the second on, as many as it takes") {
  const Detector d{15, 11, 20, 20};
  const BenchCase c{
      "small", "", {{9, 9, 7}, {20, 20, 20}, {0, 0, 0}}, {d, circular_views(d, equal_angles(8), 600, 900)}};
  const auto cpu = make_backend("cpu");
  const ReconOptions once{.method = "sirt", .iterations = 1};
  const Trial trial = iteration_trial(*cpu, c, once);
  std::vector<HostArray<float>> volumes;
  for (int n = 0; n < 3; ++n) {
    trial.run();
    volumes.push_back(trial.result());
  }
  for (int n = 0; n < 2; ++n) CHECK_FALSE(std::ranges::equal(volumes[n].span(), volumes[n + 1].span()));
  CHECK(bench_iteration(*cpu, c, once, 3).seconds.repeats == 3);
}

TEST_CASE("benchmark cases have the sizes that their names promise") {
  for (const std::string& name : bench_case_names()) {
    const BenchCase c = bench_case(name);
    CHECK(c.name == name);
    c.scan.check(name.c_str());
    c.grid.check(name.c_str());
  }
  CHECK(bench_case("cone512").grid.voxels() == 512 * 512 * 512);
  CHECK(bench_case("rabbit512s").scan.view_count() == 496);
  CHECK(bench_case("ct750").scan.detector.shape == Detector::Shape::curved);
  CHECK(bench_case("rabbit256s").scan.views == bench_case("rabbit256s").scan.views);
  CHECK_THROWS_WITH(bench_case("cone"), Catch::Contains("no such benchmark case; choose from cone"));
}

TEST_CASE("a backend that computes in double precision has no error to report") {
  const auto backend = make_backend("cpu");
  const Detector d{48, 40, 8, 8};
  const BenchCase c{
      "small", "", {{24, 24, 20}, {10, 10, 10}, {0, 0, 0}}, {d, circular_views(d, equal_angles(20), 750, 1200)}};
  const BenchData data = head_views(c);
  CtOptions options;
  options.precision = Precision::exact;
  options.weighting = Weighting::fdk;
  const BenchRow row = bench_backprojection(*backend, c, options, data, 1);
  REQUIRE(row.rmse);
  CHECK(*row.rmse < 1e-4);
  CHECK(row.rate == Approx(24 * 24 * 20 * 20 / 1e9 / row.seconds.median));
  REQUIRE(row.rabbitct);
  CHECK(row.rabbitct->rmse_hu < 1e-4);
  CHECK(row.rabbitct->psnr_db > 150);
  // An error of 1 % of water everywhere is 10 HU, where values do not leave the 12 bits.
  std::vector<float> off(static_cast<std::size_t>(c.grid.voxels()));
  for (const VoxelSample* sample : {&data.middle, &data.all})
    for (std::size_t n = 0; n < sample->voxels.size(); ++n)
      off[static_cast<std::size_t>(sample->voxels[n])] = static_cast<float>(sample->values[n] + 0.0002);
  CHECK(rmse_hu(data.middle, off) == Approx(10).epsilon(1e-3));
  const RabbitError error = rabbitct_error(data.all, off);
  CHECK(error.max_hu == Approx(10).epsilon(1e-3));
  CHECK(error.rmse_hu <= error.max_hu);
  CHECK(error.psnr_db == Approx(20 * std::log10(4095 / error.rmse_hu)));
}

TEST_CASE("kernels A and B are analysed where there are some") {
  const auto backend = make_backend("cpu");
  CHECK_THROWS_WITH(analysed_kernels(*backend, Precision::fast),
                    "cpu: has no kernels A and B to analyse; use --backend cuda, --precision fast or half");
}

TEST_CASE("counted integrals of a head tell what counting loses") {
  const Detector d{24, 20, 16, 16};
  const BenchCase c{
      "small", "", {{16, 16, 12}, {14, 14, 14}, {0, 0, 0}}, {d, circular_views(d, equal_angles(6), 750, 1200)}};
  HeadOptions exact, counted;
  exact.keep_integrals = counted.keep_integrals = true;
  counted.open = 1000;
  const BenchData a = head_views(c, exact), b = head_views(c, counted);
  REQUIRE(a.integrals.size() == 6 * d.pixels());
  CHECK(head_views(c).integrals.empty());
  float most = 0;
  for (std::int64_t i = 0; i < a.integrals.size(); ++i) {
    const float counts = 1000 * std::exp(-b.integrals[i]);
    CHECK(counts == Approx(std::round(counts)).margin(1e-2));
    most = std::max(most, std::abs(1000 * std::exp(-a.integrals[i]) - counts));
  }
  CHECK(most > 0.1f);
  CHECK(most <= 0.501f);
}

TEST_CASE("rays and emission have no error on a backend that computes in double, and one where it does not belong") {
  const auto backend = make_backend("cpu");
  const Detector flat{48, 40, 8, 8}, curved{48, 40, 8, 8, Detector::Shape::curved};
  for (const Detector& d : {flat, curved}) {
    const BenchCase c{
        "small", "", {{24, 24, 20}, {10, 10, 10}, {0, 0, 0}}, {d, circular_views(d, equal_angles(20), 750, 1200)}};
    for (const Model model : {Model::joseph, Model::raycast, Model::siddon}) {
      const CtOptions options{.model = model, .precision = Precision::exact};
      const BenchRow row = bench_projection(*backend, c, options, 1, head_rays(c, options));
      INFO(row.variant << " " << *row.relative);
      CHECK(*row.relative < 1e-6);
      CHECK(row.rate == Approx(20 * 48 * 40 * 24 / 1e9 / row.seconds.median));
    }
    // What one backend's variant computes is compared with the same in double.
    const BenchCase turned{c.name, "", c.grid, {d, circular_views(d, {45, 100}, 750, 1200)}};
    const CtOptions by_view{.model = Model::joseph, .precision = Precision::exact, .stack = StackChoice::view};
    const BenchRays head = head_rays(turned, by_view);
    CHECK(*bench_projection(*backend, turned, by_view, 1, head).relative < 1e-6);
    CHECK((head.values == rays_in_double(turned, head, {.model = by_view.model, .variant = "draw=slices,stack=view"})));
    CHECK((head.values != rays_in_double(turned, head, {.model = by_view.model, .variant = "draw=slices"})));
    // The trapezoid rule is not a sum over slices.
    const CtOptions joseph{.model = Model::joseph, .precision = Precision::exact};
    CHECK(*bench_projection(*backend, c, joseph, 1, head_rays(c, {.model = Model::raycast})).relative > 1e-3);
    if (d.shape == Detector::Shape::curved) continue;
    const BenchRow emission = bench_emission(*backend, c, {.scatter_mm = 5}, EmissionPart::forward, true, 1);
    CHECK(*emission.relative < 1e-6);
    const BenchRow back = bench_emission(*backend, c, {}, EmissionPart::back, true, 1);
    CHECK(back.operation == "transpose");
    CHECK_FALSE(back.relative);
    CHECK_FALSE(bench_projection(*backend, c, joseph, 1).relative);
  }
}
