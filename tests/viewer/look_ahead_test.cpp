// A whole run plans the next one while the device works; the result must be the same as without that.
#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

#include <backlit/core/error.hpp>
#include "viewer/engine_bench.hpp"

using namespace backlit;
using namespace backlit::viewer;

namespace look_ahead_test {
namespace {

/// A bench with whole runs.
struct Bench : test::EngineBench {
  Bench() {
    for (int i = 0; i < 3; ++i) finish(wanted(0));  // in parts, whole for the first time, whole
    REQUIRE(whole());
  }
  bool whole() const {
    for (auto e = events.rbegin(); e != events.rend(); ++e)
      if (const auto* started = std::get_if<event::Started>(&*e)) return started->whole;
    return false;
  }
};

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max<double>(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace

TEST_CASE("Runs in quick succession are planned beside each other and come out the same") {
  Bench bench;
  std::vector<order::Run> runs{Bench::wanted(3), Bench::wanted(-2), Bench::wanted(-2, 0.6), Bench::wanted(0)};
  std::vector<std::vector<float>> alone;
  for (const auto& run : runs) {
    bench.finish(run);
    alone.push_back(bench.shown());
  }
  CHECK(difference(alone[0], alone[3]) > 1e-3);
  CHECK(difference(alone[1], alone[2]) > 1e-4);
  const std::int64_t before = bench.finished();
  bench.waiting.assign(runs.begin() + 1, runs.end());
  bench.engine.obey(runs[0], bench.never);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    CHECK(bench.finished() == before + static_cast<std::int64_t>(i) + 1);
    CHECK(bench.engine.committed() == (i + 1 < runs.size()));
    CHECK(bench.whole());
    CHECK(difference(bench.shown(), alone[i]) < 1e-7);
    if (i + 1 < runs.size()) bench.engine.work(bench.never);
  }
  CHECK(bench.waiting.empty());
}

TEST_CASE("What cannot be run is told when it is its turn, and the run before it is shown") {
  Bench bench;
  bench.finish(Bench::wanted(2));
  const auto alone = bench.shown();
  bench.waiting = {Bench::wanted(500)};  // misses the detector
  bench.engine.obey(Bench::wanted(2), bench.never);
  CHECK(difference(bench.shown(), alone) < 1e-7);
  REQUIRE(bench.engine.committed());
  CHECK_THROWS_AS(bench.engine.work(bench.never), InputError);
  bench.engine.give_up();
  CHECK_FALSE(bench.engine.committed());
  CHECK(difference(bench.shown(), alone) < 1e-7);
}

TEST_CASE("A run of another kind is not planned ahead, and cancelling forgets one that is") {
  Bench bench;
  order::Run other = Bench::wanted(1);
  other.recon.method = Method("sirt");
  bench.waiting = {other};
  bench.engine.obey(Bench::wanted(0), bench.never);
  CHECK_FALSE(bench.engine.committed());
  CHECK(bench.waiting.size() == 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(260));  // so that a histogram is made
  bench.waiting = {Bench::wanted(3)};
  bench.engine.obey(Bench::wanted(0), bench.never);
  const auto before = bench.shown();
  REQUIRE(bench.engine.committed());
  bench.engine.obey(order::Control::cancel, bench.never);
  CHECK_FALSE(bench.engine.committed());
  CHECK(difference(bench.shown(), before) == 0);
  // A volume that stays needs a histogram of all samples.
  CHECK(bench.engine.histogram_pending());
  bench.events.clear();
  while (bench.engine.histogram_pending()) bench.engine.work(bench.never);
  CHECK(std::ranges::count_if(bench.events, [](const Event& e) {
          const auto* made = std::get_if<event::HistogramMade>(&e);
          return made && made->final;
        }) == 1);
}

}  // namespace look_ahead_test
