#include "model/progress_words.hpp"

#include <catch2/catch.hpp>

using namespace backlit;
using namespace backlit::viewer;
using Catch::Contains;

namespace {

Status running(const std::string& stage, std::int64_t done, std::int64_t total, std::int64_t iteration) {
  Status s;
  auto source = std::make_shared<SourceInfo>();
  source->scan.views.resize(181);
  s.source = source;
  s.running = true;
  s.runs = 1;
  s.progress = {stage, done, total, "views", iteration};
  s.started.iterations = 20;
  return s;
}

}  // namespace

TEST_CASE("A run says in words how far it is, and how long it will take") {
  CHECK(run_in_words(running("iterate", 36, 3620, 0)) == "Iteration 1 of 20 (36 of 181 views)");
  CHECK(run_in_words(running("iterate", 1000, 3620, 5)) == "Iteration 6 of 20 (95 of 181 views)");
  CHECK(run_in_words(running("iterate", 72, 7240, 0)) == "Iteration 1 of 20 (36 of 181 views)");  // two passes
  CHECK(run_in_words(running("read", 0, 0, 0)) == "Preparing ...");
  Status s = running("iterate", 905, 3620, 5);
  s.throughput.push_back({.seconds = 60});
  CHECK_THAT(run_in_words(s), Contains("Iteration 6 of 20, 3 min left ("));
  s.paused = true;
  CHECK_THAT(run_in_words(s), Contains("Paused: Iteration 6") && !Contains("left"));
}

TEST_CASE("A run that is over says how it ended, before the first there is nothing to say") {
  Status s = running("backproject", 181, 181, 0);
  s.running = false;
  s.finished.seconds = 3.21;
  CHECK(run_in_words(s) == "Done in 3.21 s");
  s.finished.complete = false;
  CHECK(run_in_words(s) == "Stopped after 3.21 s");
  s.finished.cancelled = true;
  CHECK(run_in_words(s) == "Cancelled");
  s.runs = 0;
  CHECK(run_in_words(s).empty());
}

TEST_CASE("The seconds of a PET run hold its sensitivity") {
  Status s = running("iterate", 0, 0, 0);
  auto source = std::make_shared<SourceInfo>(*s.source);
  source->list = std::make_shared<ListFacts>();
  s.source = source;
  s.running = false;
  s.finished.seconds = 57;
  s.finished.stages["plan"] = 300;
  CHECK(run_in_words(s) == "Done in 357.00 s");
}

TEST_CASE("Stages have words") {
  Status s;
  CHECK(activity_in_words(s).empty());
  s.activity = "read";
  CHECK(activity_in_words(s) == "Reading data");
  s.activity_total = 200;
  s.activity_done = 50;
  s.activity_since = std::chrono::steady_clock::now() - std::chrono::seconds(30);
  CHECK(activity_in_words(s) == "Reading data, 25 %, 90 s left");
  s.activity = "waiting for views at tcp://127.0.0.1:5";
  s.activity_total = 0;
  CHECK(activity_in_words(s) == "Waiting for views at tcp://127.0.0.1:5");
}
