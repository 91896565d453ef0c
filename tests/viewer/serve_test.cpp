// backlit-view --serve from the view of browsers.
#include <fmt/format.h>

#include <chrono>
#include <iterator>
#include <thread>

#include <backlit/io/volumes/volume_file.hpp>
#include "viewer/browser.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

constexpr Patch coronal{470, 90, 400, 220};  // of 900 x 620 without panels

bool without_serve(const ServedViewer& viewer) {
  return !viewer.running() && viewer.err().find("built without") != std::string::npos;
}
#define REQUIRE_SERVE(viewer) \
  if (without_serve(viewer))  \
  BACKLIT_SKIP("backlit-view was built without --serve: libwebsockets-dev or libturbojpeg0-dev")

}  // namespace

TEST_CASE("A drag in a browser moves a slice, nothing is sent at rest, a new tab finds all as it was") {
  REQUIRE_VIEWER();
  const TemporaryFolder folder;
  ServedViewer viewer(folder.path(), {"demo:spheres"});
  REQUIRE_SERVE(viewer);
  REQUIRE(viewer.running());
  CHECK(viewer.out().find("ssh -L") != std::string::npos);
  Image before;
  {
    Browser browser(viewer);
    browser.resize(900, 620);
    REQUIRE(browser.until([&] { return browser.steers(); }));
    REQUIRE(browser.until([&] { return browser.screen().width == 900 && mean(browser.screen(), coronal) > 5; }));
    REQUIRE(browser.settles());
    const Image with_panels = browser.screen();
    browser.key("F9");
    REQUIRE(browser.until([&] { return mean_difference(with_panels, browser.screen(), {10, 80, 250, 400}) > 1; }));
    REQUIRE(browser.settles());
    before = browser.screen();
    // Up in the axial slice: the coronal slice changes, and its crosshair stays.
    browser.move(225, 190);
    browser.button(225, 190, true);
    for (int i = 1; i <= 5; ++i) browser.move(225, 190 - 12 * i);
    browser.button(225, 130, false);
    REQUIRE(browser.until([&] { return mean_difference(before, browser.screen(), coronal) > 1; }));
    REQUIRE(browser.settles());
    before = browser.screen();
  }
  // Nobody looks: the viewer sleeps, also with input left that no frame has taken.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const double used = viewer.processor_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  CHECK(viewer.processor_seconds() - used < 0.1);
  Browser again(viewer);
  again.resize(900, 620);
  REQUIRE(again.until([&] { return again.steers() && again.screen().width == 900; }));
  REQUIRE(again.settles());
  CHECK(mean_difference(before, again.screen(), coronal) < 0.2);
  CHECK(again.title() == "demo:spheres - Backlit");

  // A second browser watches: its input has no effect until it takes over.
  Browser watcher(viewer);
  watcher.resize(640, 480);
  REQUIRE(watcher.until([&] { return watcher.screen().width > 0; }));
  REQUIRE(watcher.settles());
  CHECK_FALSE(watcher.steers());
  CHECK(watcher.screen().width == 900);
  watcher.send(R"({"kind":"steer"})");
  REQUIRE(watcher.until([&] { return watcher.steers(); }));
  REQUIRE(again.until([&] { return !again.steers(); }));
  watcher.resize(640, 480);
  REQUIRE(watcher.until([&] { return watcher.screen().width == 640; }));

  // A dropped file is opened.
  Volume volume({.size = {9, 8, 7}});
  for (std::int64_t i = 0; i < volume.values.size(); ++i) volume.values[i] = static_cast<float>(i % 5);
  save_volume(volume, folder / "cube.mha");
  std::ifstream in(folder / "cube.mha", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  watcher.send(fmt::format(R"({{"kind":"drop","files":[{{"name":"dropped.mha","bytes":{}}}]}})", bytes.size()));
  watcher.send_binary(bytes.substr(0, 100));
  watcher.send_binary(bytes.substr(100));
  CHECK(watcher.until([&] { return watcher.title() == "dropped.mha - Backlit"; }));
  CHECK(viewer.end() == 0);
  CHECK(viewer.err() == "");
}

TEST_CASE("Who has no token, comes from another page, or says what is not allowed is refused") {
  REQUIRE_VIEWER();
  const TemporaryFolder folder;
  ServedViewer viewer(folder.path(), {});
  REQUIRE_SERVE(viewer);
  REQUIRE(viewer.running());
  REQUIRE(viewer.token().size() == 32);
  const std::string here = fmt::format("127.0.0.1:{}", viewer.port()), page = "/?token=" + viewer.token();
  const auto get = [&](const std::string& path, const std::string& host) {
    return http_get(viewer.port(), path, host);
  };
  CHECK(get("/", here).starts_with("HTTP/1.1 403"));
  CHECK(get("/?token=" + std::string(32, '0'), here).starts_with("HTTP/1.1 403"));
  CHECK(get(page, "evil.example").starts_with("HTTP/1.1 403"));
  CHECK(get("/other?token=" + viewer.token(), here).starts_with("HTTP/1.1 404"));
  const std::string answer = get(page, here);
  CHECK(answer.starts_with("HTTP/1.1 200"));
  CHECK(answer.find("</html>") != std::string::npos);
  CHECK(get(page, fmt::format("localhost:{}", viewer.port() + 1)).starts_with("HTTP/1.1 200"));  // through ssh -L

  const auto socket = [&](const std::string& token, const std::string& origin) {
    return WebSocketClient(viewer.port(), token, origin).answer().substr(8, 4);
  };
  CHECK(socket(viewer.token(), "http://evil.example") == " 403");
  CHECK(socket("", "http://" + here) == " 403");
  CHECK(socket(viewer.token(), "http://" + here) == " 101");
  CHECK(socket(viewer.token(), "") == " 101");

  const auto closed_after = [&](const std::string& message) {
    Browser browser(viewer);
    browser.send(message);
    browser.until([] { return false; }, 120);
    return browser.closed();
  };
  CHECK(closed_after(R"({"kind":"text","text":")" + std::string(70000, 'a') + "\"}") == 1009);
  CHECK(closed_after("nonsense") == 1008);
  CHECK(closed_after(R"({"kind":"drop","files":[{"name":"../x","bytes":1}]})") == 1008);
  Browser flood(viewer);
  for (int i = 0; i < 20000; ++i) flood.send(R"({"kind":"leave"})");
  flood.until([] { return false; }, 120);
  CHECK(flood.closed() != 0);

  Browser after(viewer);  // a correct client is still served
  CHECK(after.until([&] { return after.frames() > 0; }));
  CHECK(viewer.end() == 0);
}

TEST_CASE("Addresses that cannot be listened on, and options that do not go with a browser, are refused") {
  REQUIRE_VIEWER();
  const TemporaryFolder folder;
  const auto refused = [&](const std::vector<std::string>& arguments) {
    const ProgramResult result = run_program("backlit-view", folder.path(), arguments);
    return result.code == 2 && result.out.empty() && result.err.find("--serve") != std::string::npos;
  };
  CHECK(refused({"--serve", "port"}));
  CHECK(refused({"--serve", "0", "--offscreen"}));
  CHECK(refused({"--serve", "203.0.113.7:0"}));  // an address of no local interface
}
