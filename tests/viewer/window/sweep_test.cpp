// Timing of frames with --sweep, and its counts.
#include "model/actions/sweep.hpp"

#include <catch2/catch.hpp>

#include <vector>

#include <backlit/core/error.hpp>
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using namespace std::chrono_literals;

TEST_CASE("A sweep's frames come at the refreshes of a screen, and none in a hurry after one that was late") {
  Sweep sweep = Sweep::parse("center_shift=-2:2");
  const Sweep::Time start = std::chrono::steady_clock::now();
  Sweep::Time now = start;
  std::vector<Sweep::Time> begun;
  for (int frame = 0; frame < 420; ++frame) {
    now = std::max(now, sweep.next_refresh(now));
    begun.push_back(now);
    now += frame == 100 ? 1s : frame % 2 ? 1ms : 9ms;
  }
  for (std::size_t i = 1; i < begun.size(); ++i) {
    REQUIRE(begun[i] - begun[i - 1] >= Sweep::period);
    REQUIRE((begun[i] - start) % Sweep::period == 0ns);
    REQUIRE(begun[i] - begun[i - 1] == (i == 101 ? 60 * Sweep::period : Sweep::period));
  }
}

TEST_CASE("A sweep goes to and fro, and counts once it is warm") {
  Sweep sweep = Sweep::parse("cutoff=0.5:1");
  CHECK(sweep.name() == "cutoff");
  std::vector<double> values;
  std::int64_t cold = 0;
  for (int frame = 0; frame < 181; ++frame) {
    cold += !sweep.warm();
    values.push_back(sweep.next_value());
  }
  CHECK(cold == Sweep::warming);
  CHECK(values[0] == 0.5);
  CHECK(values[30] == Approx(0.75));
  CHECK(values[60] == 1);
  CHECK(values[90] == Approx(0.75));
  CHECK(values[120] == 0.5);
  CHECK(values[180] == 1);
  for (const char* bad : {"cutoff", "cutoff=1", "cutoff=1:0.5", "cutoff=0:1x"})
    CHECK_THROWS_AS(Sweep::parse(bad), InputError);
}

TEST_CASE("Frames are counted when the script is over: a sweep is neither cut short by it nor hurried") {
  REQUIRE_VIEWER();
  test::Viewer viewer;
  const auto result = viewer.run(
      "toggle panels off\nlayout slices\nresize 300 240\ngrid 24\nopen demo:spheres\nwait done\nwait frames 40\n"
      "set cutoff 0.9\nwait done\nscreenshot over.png\n",
      {"--frames", "60", "--sweep", "center_shift=-2:2"});
  CHECK(result.err == "");
  REQUIRE(result.code == 0);
  INFO(result.out);
  REQUIRE(std::filesystem::exists(viewer.folder / "over.png"));
  double seconds = 0, rate = 0, runs = 0, shown = 0;
  int frames = 0;
  REQUIRE(std::sscanf(result.out.c_str(), "%d frames in %lf s: %lf", &frames, &seconds, &rate) == 3);
  CHECK(frames == 60);
  CHECK(seconds > 59 / 60.1);
  CHECK(rate < 65);
  const std::size_t sweep = result.out.find("while center_shift changed: ");
  REQUIRE(sweep != std::string::npos);
  REQUIRE(std::sscanf(result.out.c_str() + sweep, "while center_shift changed: %lf reconstructions/s, %lf", &runs,
                      &shown) == 2);
  CHECK(runs > 0);
  CHECK(shown > 0);
}

TEST_CASE("A sweep with nothing to follow it says so") {
  REQUIRE_VIEWER();
  test::Viewer viewer;
  const auto result = viewer.run("wait frames 2\n", {"--frames", "15", "--sweep", "cutoff=0.5:1"});
  CHECK(result.code == 2);
  CHECK(result.err ==
        "backlit-view: --sweep: there is no volume that could follow; open a scan, and let 'follow' be on\n");
}
