// If a CPU draws, frames have priority over the worker's work, which never stops for them completely.
#include "model/display/frames_first.hpp"
#include "model/input_delays.hpp"

#include <atomic>

#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

TEST_CASE("An input waits for the frame that reads it to end") {
  using Frames = std::vector<FrameTimes>;
  CHECK(input_delays({}).empty());
  CHECK(input_delays(Frames{{5, 6}}).empty());
  // Read after 2 ms, drawn for 10 ms: the earlier input waits longer.
  CHECK(input_delays(Frames{{0, 1}, {2, 12}}) == std::vector<double>{10.5, 11.5});
  // A pause of 7 ms before inputs are read delays only the inputs that arrive in it.
  const auto paused = input_delays(Frames{{0, 3}, {10, 13}, {13, 16}});
  CHECK(paused.size() == 13);
  CHECK(paused.front() == Approx(3.5));
  CHECK(paused.back() == Approx(12.5));
}

TEST_CASE("The worker rests until a frame ends, not for long, and the window gives back what it has taken") {
  FramesFirst turns;
  turns.give_way();  // no frame is being drawn
  turns.begin();
  std::atomic<bool> over = false;
  const auto start = Clock::now();
  std::thread worker([&] {
    turns.give_way();
    over = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK((!over || seconds_since(start) > FramesFirst::longest_rest));
  turns.end();
  worker.join();
  turns.begin();  // a frame that never ends
  const auto rested = Clock::now();
  for (int i = 0; i < 20; ++i) turns.give_way();
  CHECK(seconds_since(rested) >= 0.99 * FramesFirst::longest_rest);
  turns.end();
  const auto ended = Clock::now();
  turns.wait();
  CHECK(seconds_since(ended) >= 0.9 * FramesFirst::longest_wait);
  turns.begin();
  turns.end();
  double quickest = 1e9;
  for (int i = 0; i < 20; ++i) {  // the worker did not pause, so the window does not wait
    const auto idle = Clock::now();
    turns.wait();
    turns.begin();
    turns.end();
    quickest = std::min(quickest, seconds_since(idle));
  }
  CHECK(quickest < FramesFirst::longest_wait);
}

TEST_CASE("On a renderer in software the worker hands over small pieces, and a reconstruction ends beside any frame") {
  test::Scratch folder;
  const auto window = gl::Context::create();
  std::weak_ptr<gl::Context> made;  // the worker's context, which must not outlive the worker
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
    } while (!model.idle() && seconds_since(start) < 300);
    act("reconstruct");
    do {
      model.update();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (!model.idle() && seconds_since(start) < 300);
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
