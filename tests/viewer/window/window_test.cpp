// backlit-view end to end, controlled by scripts that move its mouse: pictures are judged by their structure.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <iterator>

#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace window_test {
namespace {

// For a window of 900 x 620 without panels: four panes below menu and tool bar.
constexpr Patch axial{2, 80, 446, 240}, coronal{452, 80, 446, 240}, sagittal{2, 350, 446, 220},
    in_3d{452, 350, 446, 220};
const std::string begin = "toggle panels off\ngrid 32\nopen demo:spheres\nwait done\n";

/// Number of reddish pixels around column x: the vertical line of the crosshair has the colour of slices across x.
std::int64_t line_at(const Image& image, const Patch& box, std::int64_t x) {
  return count(image, {x - 1, box.y, 3, box.height}, [](Rgb c) { return c.r > c.b + 25; });
}

}  // namespace

TEST_CASE("The opening screen offers examples, one opens, is reconstructed and seen from all sides") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "wait frames 3\nscreenshot start.png\nclick Spheres\nwait picture\nwait done\ntoggle panels off\n"
      "expect views == 60\nexpect value == 0.02 0.003\nexpect errors == 0\nscreenshot seen.png\n");
  const Image start = viewer.shot("start"), seen = viewer.shot("seen");
  REQUIRE(start.width == 900);
  REQUIRE(start.height == 620);
  // Cards and text on a uniform background.
  CHECK(count(start, {0, 0, 900, 620}, [](Rgb c) { return gray(c) > 150; }) > 500);
  CHECK(mean(start, {0, 400, 900, 200}) < 60);
  // Slices: a gray cylinder with bright spheres on black; in 3-D: spheres in warm colours.
  for (const Patch& box : {axial, coronal, sagittal}) {
    CHECK(count(seen, box, [](Rgb c) { return std::abs(c.r - c.b) < 4 && gray(c) > 130 && gray(c) < 220; }) > 8000);
    CHECK(count(seen, box, [](Rgb c) { return gray(c) > 245; }) > 100);
    CHECK(count(seen, box, [](Rgb c) { return gray(c) < 40; }) > 5000);
  }
  CHECK(count(seen, in_3d, [](Rgb c) { return c.r > c.b + 40; }) > 300);
  CHECK(count(seen, in_3d, [](Rgb c) { return gray(c) < 30; }) > 20000);
}

TEST_CASE("Dragging with the right button changes the window, and undo brings it back") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(begin +
                 "window 0 0.03\nwait 0.6\nscreenshot before.png\n"
                 "drag right 200 150 200 210\nexpect low > 0.001\nexpect high > 0.031\nscreenshot level.png\n"
                 "key Ctrl+Z\nexpect low == 0 1e-9\nexpect high == 0.03 1e-9\nscreenshot after.png\n"
                 "drag right 200 150 320 150\nexpect high > 0.031\nexpect low < 0\n");
  const Image before = viewer.shot("before"), level = viewer.shot("level"), after = viewer.shot("after");
  CHECK(mean(level, axial) < mean(before, axial) - 3);  // a higher level is darker
  CHECK(mean(level, coronal) < mean(before, coronal) - 3);
  CHECK(mean_difference(before, after, axial) < 0.5);
}

TEST_CASE("The crosshair follows the mouse, and the wheel turns slices over") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(begin +
                 "screenshot before.png\ndrag left 225 190 300 140\nexpect crosshair.x > 20\n"
                 "expect crosshair.y > 10\nexpect crosshair.z == 0\nmove 600 600\nscreenshot moved.png\n"
                 "wheel 225 190 3\nexpect crosshair.z > 5\nkey Ctrl+Z\nkey Ctrl+Z\n"
                 "expect crosshair.x == 0\n");
  const Image before = viewer.shot("before"), moved = viewer.shot("moved");
  CHECK(line_at(before, axial, 225) > 150);
  CHECK(line_at(moved, axial, 225) < 50);
  CHECK(line_at(moved, axial, 300) > 150);
  CHECK(mean_difference(before, moved, sagittal) > 1);  // another slice
}

TEST_CASE("Another rotation centre gives another volume, a long method is cancelled") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(begin +
                 "window 0 0.03\nscreenshot before.png\nset center_shift 5\nwait done\nexpect runs >= 2\n"
                 "screenshot shifted.png\nset center_shift 0\nwait done\nscreenshot back.png\n"
                 "set follow false\nmethod sirt\nset iterations 100000\nreconstruct\n"
                 "wait until iterations_done >= 2\ncancel\nwait done\nexpect errors == 0\nwait frames 2\nscreenshot "
                 "cancelled.png\n");
  const Image before = viewer.shot("before"), shifted = viewer.shot("shifted"), back = viewer.shot("back");
  CHECK(mean_difference(before, shifted, axial) > 4);
  CHECK(mean_difference(before, back, axial) < 0.5);
  // The last volume is still shown: the cylinder, not yet at its final sharpness.
  const Image cancelled = viewer.shot("cancelled");
  const auto gray_inside = [](Rgb c) { return std::abs(c.r - c.b) < 4 && gray(c) > 60 && gray(c) < 250; };
  const auto area = static_cast<double>(count(before, axial, gray_inside));
  CHECK(static_cast<double>(count(cancelled, axial, gray_inside)) > 0.7 * area);
  CHECK(mean(cancelled, axial) == Approx(mean(before, axial)).epsilon(0.5));
  CHECK(mean_difference(before, cancelled, axial) > 0.5);
}

TEST_CASE("A session comes back as it was saved") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(begin +
                 "window 0 0.035\nmap heat\ncamera 30 40 2\nmeasure distance -40 0 0 40 30 0\n"
                 "screenshot saved.png\nsave session it.toml\nmap gray\ncamera -60 20 1\nmeasure clear\n"
                 "screenshot other.png\nload session it.toml\nwait done\nexpect map is heat\n"
                 "expect measured == 85.44 0.01\nexpect azimuth == 30\nscreenshot restored.png\n");
  const Image saved = viewer.shot("saved"), other = viewer.shot("other"), restored = viewer.shot("restored");
  const auto warm = [](Rgb c) { return c.r > c.b + 60; };
  CHECK(count(saved, axial, warm) > 3000);
  CHECK(count(other, axial, warm) < 1000);
  for (const Patch& box : {axial, in_3d}) {
    CHECK(mean_difference(saved, restored, box) < 1);
    CHECK(mean_difference(saved, other, box) > 3);
  }
}

TEST_CASE("Layouts, oblique slices, D2VR and projections are drawn, a window of no size does no harm") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(begin +
                 "oblique 0 0 0 0.4 0.3 0.8\nwait done\nscreenshot oblique.png\nkey O\n"
                 "picture split\nwait done\nwait frames 3\nscreenshot split.png\npicture volume\n"
                 "key F6\nview 20\nwait done\nwait frames 3\nexpect mismatch < 0.3\nscreenshot views.png\n"
                 "key F7\nwait frames 2\nscreenshot scan.png\nkey S\nwait frames 2\n"
                 "resize 0 0\nwait frames 3\nresize 40 30\nwait frames 3\nresize 900 620\nwait frames 3\n"
                 "key F2\nkey F1\nwait frames 2\nscreenshot help.png\n");
  const Patch lower_left{2, 350, 446, 220};
  CHECK(count(viewer.shot("oblique"), lower_left, [](Rgb c) { return gray(c) > 130; }) > 5000);
  const Image split = viewer.shot("split");
  for (const std::int64_t x : {2, 302})  // the volume, and D2VR from the projections
    CHECK(count(split, {x, 350, 290, 220}, [](Rgb c) { return c.r > c.b + 30; }) > 150);
  // Their difference: small where both agree.
  const auto lit = [](Rgb c) { return gray(c) > 120; };
  CHECK(count(split, {602, 375, 290, 195}, lit) < count(split, {2, 375, 290, 195}, lit) / 2);
  const Image views = viewer.shot("views");
  const Patch measured{2, 115, 440, 200}, reprojected{455, 115, 440, 200}, difference{2, 365, 440, 200};
  for (const Patch& pane : {measured, reprojected}) CHECK(count(views, pane, lit) > 5000);
  // Their difference: not empty, but without the bright body.
  CHECK(count(views, difference, lit) < count(views, measured, lit) / 2);
  CHECK(mean(views, difference) > 1);
  // The scan: a source, a detector in orange.
  CHECK(count(viewer.shot("scan"), {2, 80, 890, 480}, [](Rgb c) { return c.r > 180 && c.b < c.r - 60; }) > 200);
  CHECK(count(viewer.shot("help"), {100, 60, 700, 480}, [](Rgb c) { return c.b > c.r + 60; }) > 300);
}

TEST_CASE("Errors are shown in the window, and a script that fails says where") {
  REQUIRE_VIEWER();
  Viewer viewer;
  std::ofstream(viewer.folder / "broken.mha") << "ObjectType = Image\nNDims = 3\n";
  auto result = viewer.run(begin +
                           "open broken.mha\nwait done\nwait frames 2\nscreenshot error.png\n"
                           "expect error contains broken.mha\nexpect generation > 0\n");
  CHECK(result.err == "");
  CHECK(result.code == 0);
  CHECK(count(viewer.shot("error"), {100, 450, 700, 150}, [](Rgb c) { return c.r > 200 && c.g < 140; }) > 300);
  result = viewer.run("window 3 1\n");
  CHECK(result.code == 2);
  CHECK(result.err.find("script.txt:1") != std::string::npos);
  result = test::run_program("backlit-view", viewer.folder.path(), {"--offscreen", "--size", "big"});
  CHECK(result.code == 2);
  CHECK(result.err == "backlit-view: --size: 'big' is not a size; write 1400x900, up to 16384x16384\n");
}

TEST_CASE("A PET list is reconstructed in sight, and seen within its crystals") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "toggle panels off\nset pet.iterations 1\nset pet.subsets 4\nset pet.sensitivity_pairs 60000\n"
      "open demo:pet\nwait done\nexpect events == 200000\nexpect generation == 4\nexpect errors == 0\n"
      "expect map is gray-inverted\nmap gray\ncrosshair 0 0 0\nscreenshot pet.png\nkey F7\nwait frames 3\nscreenshot "
      "scanner.png\n"
      "toggle panels on\nkey F6\nset font_scale 0.5\nresize 600 450\nwait frames 3\nscreenshot panels.png\n");
  const Image pet = viewer.shot("pet"), scanner = viewer.shot("scanner");
  // Rods, bright and separate, on a dark background.
  CHECK(count(pet, axial, [](Rgb c) { return gray(c) > 150; }) > 400);
  CHECK(count(pet, axial, [](Rgb c) { return gray(c) < 60; }) > 20000);
  // A ring of orange crystals around the volume.
  CHECK(count(scanner, {2, 80, 890, 480}, [](Rgb c) { return c.r > c.b + 40; }) > 1500);
}

TEST_CASE("A slice is exported by menu and file list, what is there is replaced only when asked twice") {
  REQUIRE_VIEWER();
  Viewer viewer;
  const std::string save =
      "click File\nwait frames 3\nclick Export\nwait frames 3\nclick \"Axial slice ...\"\nwait frames 4\n";
  viewer.succeed(begin + save + "click Save\nwait done\nexpect errors == 0\nmap heat\n" + save +
                 "click Save\nwait frames 3\nscreenshot asked.png\nclick Save\nwait done\n"
                 "expect errors == 0\n");
  const Image slice = load_png(viewer.folder / "axial.png");
  CHECK(slice.width == 32);
  CHECK(count(slice, {0, 0, 32, 32}, [](Rgb c) { return c.r > c.b + 60; }) > 300);  // the second one, in colours
  CHECK(viewer.shot("asked").width == 900);
}

TEST_CASE("Random input does no harm") {
  REQUIRE_VIEWER();
  const TemporaryFolder folder;
  setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);  // an empty list of recent files
  const auto result =
      test::run_program("backlit-view", folder.path(),
                        {"demo:spheres", "--offscreen", "--size", "400x300", "--random", "60", "--seed", "5"});
  CHECK(result.err == "");
  CHECK(result.code == 0);
}

TEST_CASE("A window on a display: the whole way from a scan to a session and back") {
  REQUIRE_VIEWER();
  if (std::system("command -v xvfb-run >/dev/null && command -v xauth >/dev/null") != 0)
    BACKLIT_SKIP("xvfb-run or xauth is not installed");
  Viewer viewer;
  setenv("XDG_CONFIG_HOME", viewer.folder.path().c_str(), 1);  // an empty list of recent files
  std::ofstream(viewer.folder / "script.txt")
      << begin
      << "window 0 0.03\nscreenshot before.png\ndrag right 200 150 280 150\nwait frames 3\nexpect high > 0.031\n"
         "screenshot window.png\nkey Ctrl+Z\ndrag left 225 190 300 140\nexpect crosshair.x > 20\nmove 600 600\n"
         "screenshot crosshair.png\nset center_shift 5\nwait done\nscreenshot shifted.png\n"
         "save session it.toml\nset center_shift 0\nset follow off\nmethod sirt\nset iterations 100000\n"
         "reconstruct\nwait 0.3\nkey Escape\nwait done\nexpect errors == 0\n"
         "load session it.toml\nwait done\nexpect center_shift == 5\nexpect method is fdk\nwait frames 2\n"
         "screenshot restored.png\nkey F11\nwait frames 5\nscreenshot full.png\nkey F11\nwait frames 5\n"
         "screenshot again.png\n";
  // GLX has unloaded Mesa's driver before a sanitized program looks for leaks: leaks of the driver cannot be
  // identified.
  const std::string command = "cd '" + viewer.folder.path().string() +
                              "' && ASAN_OPTIONS=detect_leaks=0 xvfb-run -a -s '-screen 0 1000x700x24' '" +
                              (program_dir() / "backlit-view").string() +
                              "' --size 900x620 --script script.txt 2>err.txt";
  const int code = std::system(command.c_str());
  std::ifstream errors(viewer.folder / "err.txt");
  CHECK(std::string(std::istreambuf_iterator<char>(errors), {}) == "");
  REQUIRE(code == 0);
  const Image before = viewer.shot("before"), crosshair = viewer.shot("crosshair"), shifted = viewer.shot("shifted"),
              restored = viewer.shot("restored");
  CHECK(before.width == 900);
  CHECK(mean_difference(before, viewer.shot("window"), axial) > 1);
  CHECK(line_at(crosshair, axial, 300) > 150);
  CHECK(mean_difference(before, crosshair, sagittal) > 1);
  CHECK(mean_difference(crosshair, shifted, axial) > 2);
  for (const Patch& box : {axial, coronal, sagittal}) CHECK(mean_difference(shifted, restored, box) < 1);
  CHECK(viewer.shot("full").width == 1000);
  CHECK(viewer.shot("full").height == 700);
  CHECK(viewer.shot("again").width == 900);
}

TEST_CASE("1,000 random actions do no harm", "[.slow]") {
  REQUIRE_VIEWER();
  const TemporaryFolder folder;
  setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);  // an empty list of recent files
  const auto result =
      test::run_program("backlit-view", folder.path(),
                        {"demo:spheres", "--offscreen", "--size", "640x480", "--random", "1000", "--seed", "1"});
  CHECK(result.err == "");
  CHECK(result.code == 0);
}

}  // namespace window_test
