// A long run is not thrown away unasked, by whatever would end it.
#include <backlit/core/error.hpp>
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using test::Windowless;

namespace {

/// A paused run of SIRT that counts as long from its first moment.
struct LongRun : Windowless {
  LongRun() {
    for (const char* line : {"set follow false", "open demo:spheres"}) act(line);
    REQUIRE(settle());
    for (const char* line : {"grid 16", "set backend cpu", "method sirt", "set iterations 1000000", "set follow true"})
      act(line);
    act("reconstruct");
    model.ask_after(1e-6);
    REQUIRE(until([this] { return model.status().running && model.status().started.backend == "cpu"; }));
    act("pause");
  }
  const Status& s() const { return model.status(); }
  bool asked() const { return s().question.has_value(); }
  std::string grid() const { return std::to_string(s().started.grid.size[0]); }
};

}  // namespace

TEST_CASE("A changed parameter asks before it ends a long run, and undo takes the question back") {
  LongRun w;
  w.act("set voxel 20");
  REQUIRE(w.asked());
  CHECK(w.s().question->action.name == "");
  CHECK(w.s().running);
  CHECK(w.model.state().grid.voxel == 20);
  w.act("crosshair 1 2 3");
  w.act("answer undo");
  CHECK(w.model.state().grid.voxel == 0);
  CHECK(!w.asked());
  CHECK(w.s().running);
  w.act("redo");
  w.act("redo");
  REQUIRE(w.asked());
  w.act("answer no");
  CHECK(!w.asked());
  w.act("set voxel 21");  // it was said once: the run is kept
  CHECK(!w.asked());
  CHECK(w.s().running);
  w.act("reconstruct");
  REQUIRE(w.asked());
  w.act("answer yes");
  CHECK(!w.asked());
  REQUIRE(w.until([&] { return w.s().started.grid.spacing.x == 21; }));
  CHECK_THROWS_AS(w.act("answer yes"), InputError);
}

TEST_CASE("Opening, cancelling and quitting ask before they end a long run, and do it when told to") {
  LongRun w;
  bool quit = false;
  w.model.hooks.quit = [&] { quit = true; };
  for (const char* line : {"open demo:head", "cancel", "quit", "watch .", "recent 1"}) {
    INFO(line);
    w.act(line);
    REQUIRE(w.asked());
    CHECK(text(w.s().question->action) == line);
    w.act("answer no");
    CHECK(!w.asked());
    CHECK(w.s().running);
    CHECK(!quit);
    CHECK(w.model.state().path == "demo:spheres");
  }
  const ViewState before = w.model.state();
  w.act("quit");
  w.act("answer undo");  // no change was asked about: none is undone
  CHECK(!w.asked());
  CHECK(w.model.state() == before);
  w.act("quit");
  w.act("answer yes");
  CHECK(quit);
  w.act("cancel");
  w.act("answer yes");
  REQUIRE(w.until([&] { return !w.s().running; }));
  CHECK(w.s().finished.cancelled);
  w.act("open demo:bar");  // nothing runs: nothing is asked
  CHECK(!w.asked());
  w.act("cancel");
}

TEST_CASE("Undo and redo of what opens another file ask once, and keep the run's own file") {
  Windowless w;
  w.act("set follow false");
  for (const char* line : {"open demo:head", "open demo:spheres"}) {
    w.act(line);
    REQUIRE(w.settle());
  }
  for (const char* line : {"set backend cpu", "method sirt", "set iterations 1000000"}) w.act(line);
  w.act("reconstruct");
  w.model.ask_after(1e-6);
  REQUIRE(w.until([&] { return w.model.status().running; }));
  w.act("pause");
  while (w.model.state().path == "demo:spheres") w.act("undo");
  CHECK(w.model.state().path == "demo:head");
  REQUIRE(w.model.status().question);
  w.act("redo");  // taken back
  CHECK(w.model.state().path == "demo:spheres");
  CHECK(!w.model.status().question);
  w.act("undo");
  REQUIRE(w.model.status().question);
  w.act("answer no");
  CHECK(w.model.state().path == "demo:spheres");
  CHECK(w.model.status().running);
  w.act("cancel");
  w.act("answer yes");
}

TEST_CASE("A run that was paused before it began is shown as paused, and goes on when it is resumed") {
  Windowless w;
  w.act("set follow false");
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  for (const char* line : {"set backend cpu", "method sirt", "set iterations 1000000", "reconstruct", "pause"})
    w.act(line);
  REQUIRE(w.until([&] { return w.model.status().running && w.model.status().paused; }));
  const double done = w.model.status().progress.done;
  w.act("resume");
  CHECK(w.until([&] { return !w.model.status().paused && w.model.status().progress.done > done; }));
  w.act("cancel");
}

TEST_CASE("A short run, and any run of a script, is replaced without a question") {
  LongRun w;
  w.model.ask_after(1e6);
  w.act("set voxel 20");
  CHECK(!w.asked());
  w.model.ask_after(0);
  w.act("open demo:head");
  CHECK(!w.asked());
  w.act("cancel");
  CHECK_THROWS_AS(w.act("ask after -1"), InputError);
}
