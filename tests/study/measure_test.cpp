// How a study is measured: what is timed in turn, what is not timed at all, and how near to a limit it came.
#include <catch2/catch.hpp>

#include <chrono>
#include <functional>
#include <numeric>
#include <thread>

#include <backlit/core/error.hpp>
#include "study/candidates/ct_candidates.hpp"
#include "study/plan.hpp"
#include "study/probes/ceilings.hpp"
#include "study/study.hpp"
#include "study/study_report.hpp"

using namespace backlit;
using Catch::Matchers::Contains;

namespace {

const MeasureOptions quick{.least = 4, .most = 4, .seconds = 0, .sample_seconds = 0, .wake_seconds = 0};

/// A candidate that writes its name into a log whenever it runs.
Candidate logged(Backend& backend, const std::string& name, std::string& log, double error = 0) {
  Candidate c;
  c.backend = &backend;
  c.cell.workload = name;
  c.cell.error_unit = "HU";
  c.cell.rmse_bound = 1;
  c.prepare = [name, error, &log] {
    Trial t{name, 2, "GUPS", [name, &log] { log += name; }, {}};
    t.error = [error] { return error; };
    return t;
  };
  return c;
}

/// The candidate's trials do this in place of what they did.
void run_instead(Candidate& c, std::function<void()> work) {
  c.prepare = [make = c.prepare, work = std::move(work)] {
    Trial t = make();
    t.run = work;
    return t;
  };
}

}  // namespace

TEST_CASE("A study's repeats take turns, each round begins with another cell") {
  const auto backend = make_backend("cpu");
  std::string log;
  StudyGroup group;
  for (const char* name : {"a", "b", "c"}) group.push_back(logged(*backend, name, log));
  measure(group, quick, {});
  REQUIRE(log.size() > 12);
  CHECK(log.substr(log.size() - 12) == "abcbcacababc");
  for (const Candidate& c : group) {
    CHECK(c.cell.seconds.size() == 4);
    CHECK(c.cell.work == 2);
    CHECK(c.cell.rmse == 0.0);
  }
}

TEST_CASE("Another pass makes right candidates anew, does not judge them again and adds repeats") {
  const auto backend = make_backend("cpu");
  std::string log;
  StudyGroup group{logged(*backend, "a", log), logged(*backend, "wrong", log, 7)};
  int made = 0;
  group[0].prepare = [make = group[0].prepare, &made] {
    ++made;
    return make();
  };
  measure(group, quick, {});
  group[0].cell.rmse = 0.5;
  log.clear();
  measure(group, quick, {});
  CHECK(made == 2);
  CHECK(log == "aaaaa");  // one run to warm up
  CHECK(group[0].cell.rmse == 0.5);
  CHECK(group[0].cell.seconds.size() == 8);
  CHECK(group[0].cell.passes == std::vector<std::int64_t>{4, 4});
  CHECK(group[1].cell.passes.empty());
}

TEST_CASE("Zeros that are blended are no demand, and idle devices are woken") {
  const auto backend = make_backend("cpu");
  std::string log;
  StudyGroup group{logged(*backend, "a", log)};
  group[0].demands = {{"blend r32f", 8}, {"copy", 8}};
  group[0].cell.counts = {{"bytes", 8e9}};
  group[0].prepare = [make = group[0].prepare] {
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    Trial t = make();
    t.adding = 0.75;
    return t;
  };
  MeasureOptions waking = quick;
  waking.wake_seconds = 0.3;
  measure(group, waking, {});
  CHECK(group[0].demands[0].amount == 6);
  CHECK(group[0].demands[1].amount == 8);
  CHECK(group[0].cell.counts[0].second == 6e9);
  CHECK(log.size() > 20);  // a quarter of 40 ms, in runs that take no time
  CHECK(group[0].cell.seconds.size() == 4);
  log.clear();
  measure(group, waking, {});
  CHECK(group[0].demands[0].amount == 6);  // once
}

TEST_CASE("Cells that are noisy are repeated more often where there is time") {
  const auto backend = make_backend("cpu");
  std::string log;
  for (const double seconds : {0.0, 10.0}) {
    StudyGroup group{logged(*backend, "a", log)};
    int runs = 0;
    run_instead(group[0], [&runs] { std::this_thread::sleep_for(std::chrono::milliseconds(++runs % 2 ? 1 : 30)); });
    MeasureOptions options = quick;
    options.most = 8;
    options.noisy_seconds = seconds;
    measure(group, options, {});
    CHECK(group[0].cell.seconds.size() == (seconds > 0 ? 8u : 4u));
    summarise(group[0].cell);
    CHECK(group[0].cell.noisy);
    CHECK_THAT(group[0].cell.note, Contains("times the median"));
  }
}

TEST_CASE("What a first run takes longer, as programs are made, is not counted as the device's") {
  const auto backend = make_backend("cpu");
  std::string log;
  for (const int later_ms : {1, 80}) {
    StudyGroup group{logged(*backend, "a", log)};
    int runs = 0;
    run_instead(group[0],
                [&runs, later_ms] { std::this_thread::sleep_for(std::chrono::milliseconds(runs++ ? later_ms : 40)); });
    MeasureOptions options = quick;
    options.slow_seconds = 0.02;
    options.least_of_slow = 2;
    measure(group, options, {});
    CHECK(runs == (later_ms == 1 ? 1 + 1 + 1 + 4 : 1 + 1 + 2));  // counted cold, once more, warm if quick; repeats
  }
}

TEST_CASE("What is wrong, fails or is not offered says why and is not timed") {
  const auto backend = make_backend("cpu");
  std::string log;
  StudyGroup group{logged(*backend, "right", log), logged(*backend, "wrong", log, 7), logged(*backend, "none", log),
                   logged(*backend, "broken", log)};
  group[2].prepare = []() -> Trial { throw Unsupported("gl", "no such thing", "take another"); };
  group[3].prepare = []() -> Trial { throw Failure("gl", "no room on the device"); };
  measure(group, quick, {});
  CHECK(group[0].cell.status == StudyCell::Status::ok);
  CHECK(group[1].cell.status == StudyCell::Status::failed);
  CHECK_THAT(group[1].cell.note, Contains("an error of 7 HU, allowed 1"));
  CHECK(group[2].cell.status == StudyCell::Status::unsupported);
  CHECK_THAT(group[2].cell.note, Contains("no such thing"));
  CHECK(group[3].cell.status == StudyCell::Status::failed);
  for (std::size_t i = 1; i < 4; ++i) CHECK(group[i].cell.seconds.empty());
}

TEST_CASE("The nearest limit is the one that takes longest, and nothing is faster than its limit") {
  Candidate c;
  c.through = "compute";
  c.demands = {{"bilinear r32f", 100}, {"copy", 10}, {"no such", 1e9}};
  c.cell.median = 0.4;
  const std::vector<Ceiling> ceilings{{"bilinear r32f", "compute", 500, 0.01, "G fetches/s"},
                                      {"bilinear r32f, step 2.5", "compute", 400, 0.01, "G fetches/s"},
                                      {"bilinear r32f", "fragment", 10, 0.01, "G fetches/s"},
                                      {"copy", "compute", 1000, 0.01, "GB/s"}};
  find_limit(c, ceilings);
  CHECK(c.cell.limit == "bilinear r32f");
  REQUIRE(c.cell.share);
  CHECK(*c.cell.share == Approx(0.5));
  c.cell.median = 0.1;
  find_limit(c, ceilings);
  CHECK(*c.cell.share == Approx(2));  // told, not hidden
  CHECK_THAT(c.cell.note, Contains("2.00 times the rate of 'bilinear r32f': that ceiling was measured too low"));
}

TEST_CASE("The study's case hits the detector, and its narrow one sees a circle") {
  const BenchCase wide = study_case(32, 12), narrow = study_case(32, 12, 380);
  CHECK(wide.grid.voxels() == 32 * 32 * 32);
  CHECK(wide.scan.detector.columns == 64);
  CHECK(share_of_hits(wide) > 0.995);
  CHECK(share_of_hits(narrow) < 0.95);
  HostArray<float> views(wide.scan.view_count() * wide.scan.detector.pixels());
  std::ranges::fill(views.span(), 0.0f);
  CHECK(share_of_additions(wide, views) == 0);
  std::ranges::fill(views.span(), 1.0f);
  CHECK(share_of_additions(wide, views) == Approx(share_of_hits(wide)));
  for (std::int64_t view = 0; view < wide.scan.view_count(); view += 2)  // half of them
    std::ranges::fill(views.span().subspan(static_cast<std::size_t>(view * wide.scan.detector.pixels()),
                                           static_cast<std::size_t>(wide.scan.detector.pixels())),
                      0.0f);
  CHECK(share_of_additions(wide, views) == Approx(0.5 * share_of_hits(wide)).epsilon(0.01));
}

TEST_CASE("A profile runs through all three tumours") {
  const TumourProfile profile(study_case(256, 12));
  std::vector<float> volume(256 * 256 * 256);
  for (const std::int64_t voxel : profile.voxels()) volume[static_cast<std::size_t>(voxel)] = 0.5f;
  const StudyProfile p = profile.of("CUDA", volume);
  CHECK(p.value == std::vector<double>(p.position_mm.size(), 0.5));
  const double brain = p.truth.front();
  int tumours = 0;
  for (std::size_t i = 1; i < p.truth.size(); ++i) tumours += p.truth[i] > brain + 0.005 && p.truth[i - 1] <= brain;
  CHECK(tumours == 3);
  CHECK(p.position_mm[1] - p.position_mm[0] == Approx(1));
}

TEST_CASE("A study of the CPU alone has cells for each operation that it offers, right ones, and stops when asked") {
  const auto cpu = make_backend("cpu");
  Backend* backends[] = {cpu.get()};
  const auto groups = plan_study(backends, {}, {});
  for (const std::string& operation : study_operations())
    CHECK(std::ranges::any_of(groups, [&](const PlannedGroup& g) { return g.operation == operation; }));
  CHECK_THROWS_WITH(run_study(backends, {.only = {"blob"}}, *std::make_unique<Progress>(), CancelToken()),
                    Contains("'blob' is no operation of the study; choose from backprojection"));
  CHECK_THROWS_WITH(
      run_study(backends, {.only = {"sart"}, .workloads = {"cube99"}}, *std::make_unique<Progress>(), CancelToken()),
      Contains("no workload's name begins with 'cube99'") && Contains("there are: cube32 x 16 views"));
  Progress progress;
  CancelToken stop;
  stop.request();
  const StudyResult none = run_study(backends, {}, progress, stop);
  CHECK(none.cells.empty());
  CHECK(none.extent == "quick, stopped");
  const StudyResult lines = run_study(backends, {.only = {"lines_forward"}, .workloads = {"lm75 x 0.01 M lines, thin"}},
                                      progress, CancelToken());
  REQUIRE(lines.cells.size() == 1);  // not the tubes
  for (const StudyCell& c : lines.cells) {
    INFO(c.key() << ": " << c.note);
    CHECK(c.status == StudyCell::Status::ok);
    CHECK(c.rate > 0);
    CHECK(c.share.value_or(0) > 0);
    CHECK(c.seconds.size() >= 4);
    CHECK(c.passes.size() == 2);
    CHECK(c.spread >= lines.pass_spreads.at(0).spread);
  }
  CHECK(std::ranges::any_of(lines.ceilings, [](const Ceiling& c) { return c.name == "fma" && c.rate > 0; }));
}
