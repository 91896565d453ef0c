// Clipboard and fingers of a browser, as the page sends them.
#include <fmt/format.h>

#include "viewer/browser.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

TEST_CASE("A paste in a browser is typed, a copy comes to its clipboard, two fingers zoom and move a slice") {
  REQUIRE_VIEWER();
  const TemporaryFolder folder;
  ServedViewer viewer(folder.path(), {"demo:spheres"});
  if (!viewer.running() && viewer.err().find("built without") != std::string::npos)
    BACKLIT_SKIP("backlit-view was built without --serve: libwebsockets-dev or libturbojpeg0-dev");
  REQUIRE(viewer.running());
  constexpr Patch axial{60, 110, 330, 180}, coronal{470, 90, 400, 220};  // of 900 x 620 without panels
  Browser browser(viewer);
  browser.resize(900, 620);
  REQUIRE(browser.until([&] { return browser.screen().width == 900 && mean(browser.screen(), coronal) > 5; }));
  REQUIRE(browser.settles(1));
  const Image with_panels = browser.screen();
  browser.key("P", true);
  browser.send(R"({"kind":"paste","text":"toggle panels"})");
  browser.send(R"({"kind":"text","text":" off"})");
  browser.key("A", true);
  browser.key("C", true);
  REQUIRE(browser.until([&] { return browser.clipboard() == "toggle panels off"; }));
  browser.key("Enter");
  REQUIRE(browser.until([&] { return mean_difference(with_panels, browser.screen(), {10, 80, 250, 400}) > 1; }));
  REQUIRE(browser.settles(1));

  const Image before = browser.screen();
  const auto at = [](double x, double y) { return fmt::format(R"("x":{},"y":{},"ctrl":false,"shift":false)", x, y); };
  const auto middle = [&](bool down, double x, double y) {
    browser.send(fmt::format(R"({{"kind":"button","button":2,"down":{},{}}})", down, at(x, y)));
  };
  middle(true, 225, 190);
  browser.send(R"({"kind":"wheel","across":0,"along":4.9,"x":225,"y":190,"ctrl":true,"shift":false})");
  middle(false, 225, 190);
  REQUIRE(browser.until([&] { return mean_difference(before, browser.screen(), axial) > 1; }));
  REQUIRE(browser.settles(1));
  const Image zoomed = browser.screen();
  middle(true, 225.25, 190.5);  // between pixels, as on a page that the browser magnifies
  browser.move(225.25, 240.75);
  middle(false, 225.25, 240.75);
  REQUIRE(browser.until([&] { return mean_difference(zoomed, browser.screen(), axial) > 1; }));
  CHECK(viewer.end() == 0);
  CHECK(viewer.err() == "");
}
