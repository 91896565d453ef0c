// Projections a second and the share of display, as functions of the interval between pictures.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using Catch::Contains;
using test::Windowless;

TEST_CASE("Rates are kept by their interval, the newest of each, as long as nothing else differs") {
  IntervalRates rates;
  CHECK(rates.all().empty());
  rates.add("gl", {16, 100, 0.5});
  rates.add("gl", {1, 20, 0.9});
  rates.add("gl", {360, 300, 0.01});
  rates.add("gl", {16, 110, 0.4});
  REQUIRE(rates.all().size() == 3);
  CHECK(rates.all()[0].interval == 1);
  CHECK(rates.all()[1].interval == 16);
  CHECK(rates.all()[1].views_per_second == 110);
  CHECK(rates.all()[1].shown_share == 0.4);
  CHECK(rates.all()[2].interval == 360);
  rates.add("cuda", {8, 500, 0.1});
  REQUIRE(rates.all().size() == 1);
  CHECK(rates.all()[0].interval == 8);
}

TEST_CASE("Runs that keep to an interval give its rate and the share of showing") {
  Windowless w;
  const Status& s = w.model.status();
  w.act("set follow off");
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CHECK_THROWS_WITH(w.act("export intervals " + (w.folder / "none.csv").string()),
                    Contains("no run of live FDK") && Contains("set lockstep on"));
  w.act("grid 16");
  w.act("set lockstep on");
  w.act("reconstruct");  // loads views and compiles passes
  REQUIRE(w.settle());
  for (const std::int64_t interval : {30, 1}) {
    INFO("a picture every " << interval << " views");
    w.act("set interval " + std::to_string(interval));
    const std::int64_t before = s.generation;
    w.act("reconstruct");
    REQUIRE(w.settle());
    const std::int64_t pictures = s.generation - before;
    CHECK(pictures >= 60 / interval);
    CHECK(pictures <= 60 / interval + 1);
    REQUIRE(s.finished.rate);
    CHECK(s.finished.lockstep);
    CHECK(s.finished.rate->interval == interval);
    CHECK(s.finished.rate->views_per_second == Approx(60 / s.finished.seconds));
    CHECK(s.finished.rate->shown_share < 1);
    // Frames are at least a millisecond apart here, and the run waits for the next frame with each picture.
    if (interval == 1)
      CHECK(s.finished.rate->shown_share * s.finished.seconds > 0.2e-3 * static_cast<double>(pictures));
    // Equal to the sum of its parts over time.
    double shown = 0, last = 0;
    for (const ThroughputSample& t : s.throughput) {
      CHECK(t.shown_share >= 0);
      CHECK(t.shown_share <= 1);
      shown += t.shown_share * (t.seconds - last);
      last = t.seconds;
    }
    CHECK(shown == Approx(s.finished.rate->shown_share * s.finished.seconds).epsilon(0.25).margin(2e-3));
  }
  const std::vector<IntervalRate>& rates = s.interval_rates.all();
  REQUIRE(rates.size() == 3);  // the interval is 16 at first
  CHECK(rates[0].interval == 1);
  CHECK(rates[2].interval == 30);
  CHECK(rates[0].views_per_second < rates[2].views_per_second);  // 60 pictures instead of 2
  const std::string path = (w.folder / "rates.csv").string();
  w.act("export intervals " + path);
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(text.starts_with("interval,views_per_second,shown_share\n1,"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 4);

  // A paused run gives no rate for its interval.
  w.act("set interval 2");
  const std::int64_t before_pause = s.generation;
  w.act("reconstruct");
  REQUIRE(w.until([&] { return s.running && s.generation > before_pause; }));
  w.act("pause");
  w.act("resume");
  REQUIRE(w.settle());
  CHECK_FALSE(s.finished.rate);
  CHECK(s.interval_rates.all().size() == 3);
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CHECK(s.interval_rates.all().empty());
}
