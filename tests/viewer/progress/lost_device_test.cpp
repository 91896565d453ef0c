// Runs whose device is lost go on with another backend where the user asked for it.
#include <backlit/core/error.hpp>
#include "support/failing_backend.hpp"
#include "support/relative_l2.hpp"
#include "support/scratch.hpp"
#include "viewer/engine_bench.hpp"

using namespace backlit;
using namespace backlit::viewer;
using Catch::Contains;

namespace lost_device_test {
namespace {

struct Bench : test::EngineBench {
  test::FailingBackend device;

  template <class E>
  std::vector<E> all() const {
    std::vector<E> found;
    for (const Event& event : events)
      if (const auto* e = std::get_if<E>(&event)) found.push_back(*e);
    return found;
  }
  std::string warned() const { return all<event::Warned>().empty() ? "" : all<event::Warned>().back().message; }
  std::string backend() const { return all<event::Started>().empty() ? "" : all<event::Started>().back().backend; }
};

order::Run run_on(const std::string& backend, const std::string& method) {
  order::Run run;
  run.grid.size = {20, 20, 20};
  run.recon.backend = backend;
  run.recon.on_failure = backend == "fake" ? "gl" : "stop";
  run.recon.method = Method(method);
  run.recon.method.set("precision", "exact");
  if (method != "fdk") run.recon.method.set("iterations", "4");
  return run;
}

}  // namespace

TEST_CASE("A run whose device is lost at any moment goes on with another backend, to the same volume") {
  Bench bench;
  for (const char* method : {"fdk", "sirt"}) {
    bench.finish(run_on("gl", method));
    const auto whole = bench.shown();
    bench.device.fail_from(0);
    bench.finish(run_on("fake", method));
    const int calls = bench.device.calls();
    REQUIRE(calls > 4);
    for (const double part : {0.0, 0.3, 0.6, 0.9}) {
      bench.events.clear();
      bench.device.fail_from(1 + static_cast<int>(part * calls));
      bench.finish(run_on("fake", method));
      INFO(method << ", call " << 1 + static_cast<int>(part * calls) << " of " << calls << ": " << bench.warned());
      CHECK(bench.all<event::Warned>().size() == 1);
      CHECK_THAT(bench.warned(), Contains("the device was lost") && Contains("going on with gl from the beginning"));
      CHECK(bench.finished() == 1);
      CHECK(bench.backend() == "gl");
      CHECK(test::relative_l2(bench.shown(), whole) < 1e-4);
    }
  }
}

TEST_CASE("A steered run whose device is lost goes on with another backend, by its new parameters") {
  Bench bench;
  order::Run first = run_on("fake", "fista"), steered = first, alone = run_on("gl", "fista");
  for (order::Run* run : {&steered, &alone}) run->recon.method.set("relaxation", "0.5");
  steered.goes_on = true;
  bench.finish(alone);
  const auto aim = bench.shown();
  bench.device.fail_from(0);
  bench.finish(first);
  bench.events.clear();
  bench.device.fail_from(3);
  bench.finish(steered);
  CHECK(bench.all<event::Steered>().size() == 1);
  CHECK_THAT(bench.warned(), Contains("going on with gl from the beginning"));
  CHECK(bench.finished() == 1);
  CHECK(bench.backend() == "gl");
  CHECK(test::relative_l2(bench.shown(), aim) < 1e-4);
}

TEST_CASE("A run whose device is lost goes on from its last checkpoint") {
  Bench bench;
  const test::Scratch folder;
  bench.finish(run_on("gl", "sirt"));
  const auto whole = bench.shown();
  order::Run run = run_on("fake", "sirt");
  run.recon.method.set("checkpoint", (folder / "c").string());
  run.recon.method.set("checkpoint_every", "1");
  bench.device.fail_from(0);
  bench.finish(run);
  bench.device.fail_from(bench.device.calls() * 3 / 4);
  std::filesystem::remove(folder / "c");
  bench.finish(run);
  CHECK_THAT(bench.warned(), Contains("going on with gl from iteration "));
  CHECK(test::relative_l2(bench.shown(), whole) < 1e-4);
}

TEST_CASE("A run whose device is lost ends where nothing else was asked for, and what cannot go on is refused") {
  Bench bench;
  order::Run run = run_on("fake", "sirt");
  run.recon.on_failure = "stop";
  bench.device.fail_from(0);
  bench.finish(run);
  bench.device.fail_from(bench.device.calls() / 2);
  CHECK_THROWS_AS(bench.finish(run), DeviceFailure);
  bench.engine.give_up();
  CHECK(bench.warned().empty());

  // The other backend is asked before any work.
  run = {};
  run.grid.size = {20, 20, 20};
  run.recon.backend = "cpu";
  run.recon.on_failure = "gl";
  run.recon.method = Method("sart_in_place");
  CHECK_THROWS_WITH(bench.finish(run), Contains("on_failure") && Contains("gl could not go on"));
}

}  // namespace lost_device_test
