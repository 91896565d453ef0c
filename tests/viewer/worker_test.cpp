// Orders that arrive while others wait.
#include "model/engine/worker.hpp"
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;

namespace {

/// A worker and all of its events.
struct Bench {
  std::shared_ptr<gl::Context> window = gl::Context::create();
  Worker worker{{test::worker_context(window)}};
  std::vector<Event> events;

  bool idle() {
    for (Event& e : worker.take_events()) events.push_back(std::move(e));
    return worker.idle();
  }
  bool settle(double seconds = 300) {
    const auto start = std::chrono::steady_clock::now();
    while (!idle()) {
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  template <class E>
  std::int64_t count() const {
    return std::count_if(events.begin(), events.end(), [](const Event& e) { return std::holds_alternative<E>(e); });
  }
};

order::Run slow_run() {
  order::Run run;
  run.grid.size = {20, 20, 20};
  run.recon.method = Method("sirt");
  run.recon.method.set("iterations", "100000");
  return run;
}

}  // namespace

TEST_CASE("Panes get what they asked for although the run beside it was cancelled") {
  Bench bench;
  bench.worker.give(order::Open{"demo:spheres"});
  REQUIRE(bench.settle());
  bench.worker.give(slow_run());
  bench.worker.give(order::Preview{{}, true, 3});
  bench.worker.give(order::Sinogram{5});
  bench.worker.give(order::Control::cancel);
  REQUIRE(bench.settle());
  CHECK(bench.count<event::Previewed>() == 1);
  CHECK(bench.count<event::SinogramMade>() == 1);
  bench.worker.give(order::FindCenter{});  // delays the pictures
  bench.worker.give(order::Preview{{}, true, 4});
  bench.worker.give(order::Open{"demo:spheres"});
  REQUIRE(bench.settle());
  CHECK(bench.count<event::Previewed>() == 1);  // it was of the file before
}

TEST_CASE("An error in what a pane or an export asks for leaves the run alone") {
  Bench bench;
  bench.worker.give(order::Open{"demo:spheres"});
  REQUIRE(bench.settle());
  bench.worker.give(slow_run());
  bench.worker.give(order::Sinogram{100000});
  bench.worker.give(order::ExportVolume{"/nowhere/volume.mha"});
  const auto warned = [&] { return bench.idle() || bench.count<event::Warned>() == 2; };
  while (!warned()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(bench.count<event::Warned>() == 2);
  CHECK(bench.count<event::Failed>() == 0);
  CHECK(bench.count<event::Finished>() == 0);
  bench.worker.give(order::Control::cancel);
  REQUIRE(bench.settle());
  CHECK(bench.count<event::Finished>() == 1);
}

TEST_CASE("A pause that comes before its run has begun is kept, and so is what takes it back") {
  Bench bench;
  bench.worker.give(order::Open{"demo:spheres"});
  REQUIRE(bench.settle());
  bench.worker.give(order::FindCenter{});  // delays the run
  bench.worker.give(slow_run());
  bench.worker.give(order::Control::pause);
  REQUIRE(bench.settle());  // nothing runs: it is paused
  CHECK(bench.count<event::Started>() == 1);
  CHECK(bench.count<event::Paused>() == 1);
  CHECK(bench.count<event::Finished>() == 0);

  bench.worker.give(order::Control::finish);
  REQUIRE(bench.settle());
  CHECK(bench.count<event::Finished>() == 1);

  bench.worker.give(order::FindCenter{});
  bench.worker.give(slow_run());
  bench.worker.give(order::Control::pause);
  bench.worker.give(order::Control::finish);  // finishes that run, not the one before
  REQUIRE(bench.settle());
  CHECK(bench.count<event::Started>() == 2);
  CHECK(bench.count<event::Finished>() == 2);

  bench.worker.give(order::FindCenter{});
  bench.worker.give(slow_run());
  bench.worker.give(order::Control::pause);
  bench.worker.give(order::Control::resume);
  CHECK_FALSE(bench.settle(0.5));
  bench.worker.give(order::Control::cancel);
  REQUIRE(bench.settle());
}
