// Scanners whose process dies in the middle of a scan without notice.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "support/skip.hpp"
#include "viewer/demo_scan.hpp"
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::test;
using Catch::Contains;

namespace {

/// A separate process that waits for a signal, sends the scan (`views` >= 0) and that many views, and then waits until
/// it is killed. Make it before any threads, since a copy of a process lacks them.
class DoomedSender {
 public:
  DoomedSender(const std::string& address, const DemoScan& scan, std::int64_t views) {
    REQUIRE(::pipe(signal_) == 0);
    process_ = ::fork();
    if (process_ != 0) return;
    ::close(signal_[1]);  // so that it ends with the test
    try {
      char word = 0;
      if (::read(signal_[0], &word, 1) != 1) ::_exit(1);
      const CancelToken never;
      stream::SocketSender sender(address, never);
      if (views >= 0) sender.scan(scan.toml);
      for (std::int64_t i = 0; i < views; ++i) sender.view(i, scan.views.scan.detector, scan.views.view(i));
      for (;;) ::pause();
    } catch (...) {
    }
    ::_exit(1);
  }
  ~DoomedSender() {
    kill();
    ::close(signal_[0]);
    ::close(signal_[1]);
  }
  DoomedSender(const DoomedSender&) = delete;

  void begin() { REQUIRE(::write(signal_[1], "b", 1) == 1); }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  int signal_[2];
  pid_t process_ = -1;
};

/// Draws frames for `seconds`.
void pass(Windowless& w, double seconds) {
  w.until([] { return false; }, seconds);
}

}  // namespace

TEST_CASE("A scanner dies in the middle: what came is finished or cancelled, saved, and gone on with") {
  if (!stream::has_sockets()) BACKLIT_SKIP("built without ZeroMQ");
  const DemoScan scan(24);
  const Scratch folder;
  const std::string address = "ipc://" + (folder / "views").string(), session = (folder / "s.toml").string();
  DoomedSender scanner(address, scan, 40), again(address, scan, 60);
  scanner.begin();
  Windowless w;
  const viewer::Status& status = w.model.status();
  w.act("watch " + address);
  REQUIRE(w.until([&] { return status.progress.done == 40; }, 30));
  scanner.kill();
  pass(w, 0.3);
  CHECK(status.running);  // as if the sender were only slow
  CHECK(status.errors.empty());
  CHECK_THAT(status.activity, Contains("waiting for views"));
  const float partial = w.model.value_at(Vec3(0));
  CHECK(partial == Approx(0.02).epsilon(0.15));  // from 40 of 60 views, at the same value as from all

  const auto anew = [&](const std::string& action) {  // from the views received so far
    const std::int64_t before = status.generation;
    w.act(action);
    const auto here = [&] { return status.generation > before && status.throughput.back().views == 40; };
    return w.until([&] { return status.running && !status.throughput.empty() && here(); }, 30);
  };
  REQUIRE(anew("set center_shift 0.5"));
  CHECK(status.started.center_px == status.source->center_px + 0.5);
  w.act("save session " + session);
  w.act("finish");
  REQUIRE(w.settle());
  CHECK_FALSE(status.finished.complete);
  CHECK_FALSE(status.finished.cancelled);
  CHECK(w.model.value_at(Vec3(0)) == Approx(partial).margin(0.002));

  REQUIRE(anew("reconstruct"));
  w.act("cancel");
  REQUIRE(w.settle());
  CHECK(status.finished.cancelled);
  CHECK(status.errors.empty());

  // The sender returns with the whole scan: views received before are not added again.
  w.act("reconstruct");
  again.begin();
  REQUIRE(w.until([&] { return status.finished.complete && !status.running; }, 30));
  CHECK(w.model.value_at(Vec3(0)) == Approx(0.02).margin(0.004));
  again.kill();

  {
    Windowless restored;
    restored.act("load session " + session);
    CHECK(restored.model.state().watch.empty());  // a session does not start to listen
    CHECK(restored.model.status().asks_to_listen == address);
    CHECK(restored.model.state().geometry.center_shift == 0.5);
    restored.act("watch " + address);
    REQUIRE(restored.until([&] { return !restored.model.status().activity.empty(); }));
    CHECK_THAT(restored.model.status().activity, Contains("waiting for a scan"));
    CHECK(restored.model.status().errors.empty());
  }
  w.window->make_current();
}

TEST_CASE("A scanner dies before its first view, or before it has said anything") {
  if (!stream::has_sockets()) BACKLIT_SKIP("built without ZeroMQ");
  const DemoScan scan(16);
  const Scratch folder;
  const std::string address = "ipc://" + (folder / "views").string();
  DoomedSender silent(address, scan, -1), empty(address + "2", scan, 0);
  silent.begin();
  empty.begin();
  Windowless w;
  const viewer::Status& status = w.model.status();
  w.act("watch " + address);
  REQUIRE(w.until([&] { return !status.activity.empty(); }));
  pass(w, 0.2);
  silent.kill();
  pass(w, 0.2);
  CHECK_FALSE(status.source);
  w.act("cancel");
  REQUIRE(w.settle());
  w.act("watch " + address + "2");
  REQUIRE(w.until([&] { return status.running && status.source; }));
  empty.kill();
  pass(w, 0.2);
  w.act("finish");
  REQUIRE(w.settle());
  CHECK_FALSE(status.finished.complete);
  CHECK(status.errors.empty());
  // Continue with another file.
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CHECK(status.finished.complete);
  CHECK(status.errors.empty());
}
