// Watching by menu and dialog: a folder, an address, invalid targets, and the end.
#include "viewer/demo_scan.hpp"
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;
using Catch::Contains;

namespace {

const std::string dialog = "click File\nwait frames 3\nclick Watch\nwait frames 4\n";

void write(const DemoScan& scan, const std::filesystem::path& folder) {
  std::ofstream(folder / "w.scan.toml") << scan.toml << "\n[data]\nprojections = \"view_*.mha\"\n";
  for (std::int64_t i = 0; i < scan.views.scan.view_count(); ++i) {
    Projections one({scan.views.scan.detector, {scan.views.scan.views.front()}});
    std::ranges::copy(scan.views.view(i), one.values.begin());
    save_projections(one, folder / fmt::format("view_{:03}.mha", i + 1));
  }
}

}  // namespace

TEST_CASE("A folder is watched by menu, and watching is stopped there") {
  REQUIRE_VIEWER();
  Viewer viewer;
  write(DemoScan(24), viewer.folder.path());
  viewer.succeed("set font_scale 0.5\nresize 500 350\nwait frames 3\n" + dialog +
                 "screenshot dialog.png \"folder or address\"\nclick Watch\nwait frames 4\n" +
                 "expect watch contains " + viewer.folder.path().filename().string() +
                 "\nwait picture\nwait done\nexpect views == 60\nexpect value == 0.02 0.004\nexpect errors == 0\n" +
                 dialog + "click \"Stop watching\"\nwait frames 3\nexpect watch is \"\"\nexpect views == 60\n" +
                 dialog + "click \"Cancel file\"\nwait frames 3\nexpect watch is \"\"\nexpect errors == 0\n");
  CHECK(viewer.shot("dialog").width > 150);
}

TEST_CASE("An address is watched by menu, one that cannot be is told of in the window") {
  REQUIRE_VIEWER();
  Viewer viewer;
  if (!stream::has_sockets()) BACKLIT_SKIP("built without ZeroMQ");
  // Before the first view the window shows what it waits for, instead of the start screen.
  viewer.succeed("set font_scale 0.5\nresize 500 350\nwait frames 3\n" + dialog +
                 "click \"folder or address\"\nwait frames 2\ntype tcp://127.0.0.1:*\nwait frames 2\nclick Watch\n"
                 "wait 0.3\nexpect watch is tcp://127.0.0.1:*\nexpect errors == 0\nwait frames 2\n"
                 "screenshot waits.png watched\n" +
                 dialog +
                 "click \"folder or address\"\nwait frames 2\ntype tcp://no.such.host.example:1\nwait frames 2\n"
                 "click Watch\nwait 0.3\nwait done\nwait frames 3\nscreenshot told.png Dismiss\n"
                 "expect error contains no.such.host.example\nclick Spheres\nwait picture\nexpect views == 60\n");
  CHECK(viewer.shot("waits").width > 50);
  CHECK(viewer.shot("told").width > 10);
}

TEST_CASE("What is watched may be watched again, a socket too") {
  Windowless w;
  const auto watched = [&] { return w.model.status().activity; };
  CHECK_THROWS_WITH(w.act("watch"), Contains("takes a window"));
  const auto folder = w.folder / "later";
  w.act("watch " + folder.string());
  REQUIRE(w.until([&] { return !w.model.status().errors.empty(); }));
  CHECK_THAT(w.model.status().errors.back(), Contains("not a folder"));
  w.model.dismiss_errors();
  std::filesystem::create_directories(folder);
  w.act("watch " + folder.string());
  REQUIRE(w.until([&] { return !watched().empty(); }));
  if (!stream::has_sockets()) return;
  const std::string address = "ipc://" + (w.folder / "views").string();
  for (int i = 0; i < 2; ++i) {
    w.act("watch " + address);
    REQUIRE(w.until([&] { return watched().find(address) != std::string::npos; }));
  }
  w.act("watch off");
  REQUIRE(w.settle());
  CHECK(w.model.status().errors.empty());
}

TEST_CASE("A session that names an address asks before anybody listens") {
  const auto session = [](const std::filesystem::path& folder, const std::string& address) {
    std::ofstream(folder / "s.session.toml") << "[source]\nwatch = \"" << address << "\"\n";
    return (folder / "s.session.toml").string();
  };
  {
    Windowless w;
    const viewer::Status& status = w.model.status();
    std::ofstream(w.folder / "victim.txt") << "precious";
    const std::string victim = "ipc://" + (w.folder / "victim.txt").string();
    for (const char* how : {"open ", "load session "}) {
      w.act(how + session(w.folder.path(), victim));
      CHECK(status.asks_to_listen == victim);
      CHECK(w.model.state().watch.empty());
      REQUIRE(w.settle());
    }
    if (stream::has_sockets()) {
      w.act("watch " + victim);  // the user's consent does not delete the file either
      CHECK(status.asks_to_listen.empty());
      REQUIRE(w.until([&] { return !status.errors.empty(); }));
      CHECK_THAT(status.errors.back(), Contains("there is a file of this name already"));
      w.model.dismiss_errors();
    }
    std::string left;
    std::ifstream(w.folder / "victim.txt") >> left;
    CHECK(left == "precious");
    // Folders are watched as before, and a question disappears when another file makes it obsolete.
    w.act("load session " + session(w.folder.path(), "tcp://127.0.0.1:*"));
    CHECK(status.asks_to_listen == "tcp://127.0.0.1:*");
    w.act("load session " + session(w.folder.path(), w.folder.path().string()));
    CHECK(status.asks_to_listen.empty());
    CHECK(w.model.state().watch == w.folder.path().string());
  }
  REQUIRE_VIEWER();
  if (!stream::has_sockets()) BACKLIT_SKIP("built without ZeroMQ");
  Viewer viewer;
  session(viewer.folder.path(), "tcp://127.0.0.1:*");
  viewer.succeed(
      "open s.session.toml\nwait frames 4\nexpect watch is \"\"\nscreenshot asks.png \"Do not listen\"\n"
      "click \"Do not listen\"\nwait frames 4\nexpect watch is \"\"\nopen s.session.toml\nwait frames 4\n"
      "click Listen\nwait frames 4\nexpect watch is tcp://127.0.0.1:*\nexpect errors == 0\n");
  CHECK(viewer.shot("asks").width > 20);
}
