// Display of unfinished runs: final values from the first picture, and no black picture between two runs.
#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

#include "viewer/engine_bench.hpp"

using namespace backlit;
using namespace backlit::viewer;

namespace {

double mean(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

struct Bench : test::EngineBench {
  std::int64_t pictures() const {
    return std::count_if(events.begin(), events.end(),
                         [](const Event& e) { return std::holds_alternative<event::Published>(e); });
  }
  /// Works until the next picture has been published.
  std::vector<float> next_picture() {
    const std::int64_t before = pictures();
    for (int i = 0; i < 10000 && pictures() == before; ++i) engine.work(never);
    REQUIRE(pictures() == before + 1);
    return shown();
  }
  std::vector<float> rest() {
    while (engine.busy() && !engine.histogram_pending()) engine.work(never);
    return shown();
  }
};

}  // namespace

TEST_CASE("Live FDK shows a part of the views at the values that all will have") {
  Bench bench;
  order::Run run = Bench::wanted(0);
  run.recon.interval = 20;  // of 60 views
  run.recon.lockstep = true;
  bench.engine.obey(run, bench.never);
  const auto part = bench.next_picture(), whole = bench.rest();
  CHECK(mean(part) == Approx(mean(whole)).epsilon(0.1));
  const double norm = distance(whole, std::vector<float>(whole.size()));
  CHECK(distance(part, whole) > 0.02 * norm);  // from a third of the views ...
  CHECK(distance(part, whole) < 0.26 * norm);  // ... from all sides
  bench.engine.obey(run, bench.never);
  CHECK(distance(bench.rest(), whole) < 1e-5 * norm);
}

TEST_CASE(
    "Runs that iterate leave the last picture until they have corrected their own volume, when started again, too") {
  Bench bench;
  order::Run run = Bench::wanted(0);
  run.recon.backend = "cpu";
  run.recon.method = Method("sirt");
  run.recon.method.set("iterations", "100000");
  bench.engine.obey(run, bench.never);
  while (mean(bench.next_picture()) <= 0) {  // the volume is empty at first
  }
  const auto last = bench.shown();
  bench.engine.obey(run, bench.never);  // again, although it is unfinished
  CHECK(distance(bench.shown(), last) == 0);
  CHECK(mean(bench.next_picture()) > 0.2 * mean(last));
  bench.engine.obey(order::Control::cancel, bench.never);
}

TEST_CASE("A run that was to advance by one update goes on when it is resumed or replaced before that") {
  Bench bench;
  order::Run run = Bench::wanted(0);
  run.recon.backend = "cpu";
  run.recon.method = Method("sirt");
  run.recon.method.set("iterations", "100000");
  bench.engine.obey(run, bench.never);
  bench.engine.obey(order::Control::step, bench.never);
  bench.next_picture();
  bench.engine.work(bench.never);
  const bool paused = !bench.engine.busy() || bench.engine.histogram_pending();
  CHECK(paused);
  bench.engine.obey(order::Control::step, bench.never);
  bench.engine.obey(order::Control::resume, bench.never);
  for (int i = 0; i < 3; ++i) bench.next_picture();
  bench.engine.obey(order::Control::step, bench.never);
  bench.engine.obey(run, bench.never);  // the step was the former run's
  for (int i = 0; i < 3; ++i) bench.next_picture();
  bench.engine.obey(order::Control::cancel, bench.never);
}
