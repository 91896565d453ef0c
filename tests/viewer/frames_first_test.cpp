// Where a CPU draws, frames come before the worker's work, which never stands still for them.
#include "model/frames_first.hpp"

#include <atomic>

#include "viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

TEST_CASE("The worker gives way to a frame until its end, and no longer than it has worked") {
  FramesFirst turns;
  turns.give_way();  // nothing is being drawn
  turns.begin();
  std::atomic<bool> over = false;
  const auto start = Clock::now();
  std::thread worker([&] {
    turns.give_way();  // has never rested: until the end, or 0.1 s
    over = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK((!over || seconds_since(start) > 0.1));
  turns.end();
  worker.join();
  turns.begin();
  turns.give_way();
  const auto rested = Clock::now();
  turns.give_way();  // has hardly worked since
  CHECK(seconds_since(rested) < 0.09);
  turns.end();
  turns.give_way();
}

TEST_CASE("On a renderer in software the worker hands over small pieces, and a reconstruction ends beside any frame") {
  test::Scratch folder;
  const auto window = gl::Context::create();
  std::weak_ptr<gl::Context> made;  // the worker's, and not to outlive it
  const auto make = [&] {
    auto context = test::worker_context(window)();
    made = context;
    return context;
  };
  {
    viewer::Model model({.make_context = make,
                         .wake = {},
                         .memory_bytes = 0,
                         .recent_file = folder.path() / "recent.txt",
                         .debounce = 0.01});
    const auto act = [&](const char* line) { model.apply(*parse_action(line, "test")); };
    model.frames_first().begin();  // a frame that never ends
    act("set follow false");
    act("open demo:spheres");
    act("method sirt");
    act("set iterations 1");
    const auto start = Clock::now();
    do {
      model.update();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (!model.idle() && seconds_since(start) < 60);
    act("reconstruct");
    do {
      model.update();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (!model.idle() && seconds_since(start) < 60);
    CHECK(model.idle());
    CHECK(model.status().errors.empty());
    CHECK(model.status().generation > 0);
    model.frames_first().end();
    const auto workers = made.lock();
    REQUIRE(workers);
    CHECK(workers->cuts_passes() == window->limits().software);
    if (!workers->cuts_passes()) return;
    CHECK(workers->largest_piece() > 0);
    CHECK(workers->largest_piece() < 1.5 * FramesFirst::piece);
  }
}
