// Keys, menus and dialogs that control the window; its start and its end.
#include <algorithm>
#include <iterator>

#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

std::int64_t lines_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return std::count(std::istreambuf_iterator<char>(in), {}, '\n');
}

}  // namespace

TEST_CASE("Every key does what its action does, files are opened, saved and found again by dialogs and menus") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "resize 560 320\nset follow off\nset voxel 8\nopen demo:spheres\nwait done\nexpect runs == 0\n"
      "key F5\nwait done\nexpect runs == 1\nexpect generation > 0\nexport volume seen.mha\nwait done\n"
      // Layouts, cameras, and drawn items.
      "key F3\nexpect panes is slices\nkey F4\nexpect panes is volume\nkey F2\nexpect panes is four\n"
      "key 2\nexpect azimuth == 0\nexpect elevation == 0\nkey 3\nexpect azimuth == -90\nexpect elevation == 90\n"
      "key 4\nexpect azimuth == -60\nexpect elevation == 20\nkey 1\nexpect azimuth == -90\nexpect elevation == 0\n"
      "screenshot all.png\nkey F9\nexpect show_panels is false\nwait frames 2\nscreenshot alone.png\n"
      "key X\nexpect show_crosshair is false\nwait frames 2\nscreenshot uncrossed.png\n"
      "key B\nexpect show_scale_bar is false\nwait frames 2\nscreenshot unscaled.png\n"
      // Windows, undo and redo.
      "window 0 0.01\nmap heat\nkey W\nexpect high > 0.02\nkey Ctrl+Z\nexpect high == 0.01\nkey Ctrl+Y\nexpect high > "
      "0.02\nkey Ctrl+Z\nexpect high == 0.01\nkey Ctrl+Shift+Z\nexpect high > 0.02\n"
      // The crosshair, a voxel at a time.
      "crosshair 0 0 0\nkey Right\nexpect crosshair.x == 8\nkey Left\nkey Left\nexpect crosshair.x == -8\nkey Up\n"
      "expect crosshair.y == 8\nkey Down\nkey Down\nexpect crosshair.y == -8\nkey PageUp\nexpect crosshair.z == 8\n"
      "key PageDown\nkey PageDown\nexpect crosshair.z == -8\n"
      // The camera and the pictures of slices, a step at a time.
      "camera -60 20 1\nkey Shift+Left\nexpect azimuth == -55\nkey Shift+Right\nkey Shift+Right\nexpect azimuth == "
      "-65\n"
      "key Shift+Up\nexpect elevation == 15\nkey Shift+Down\nkey Shift+Down\nexpect elevation == 25\n"
      "key Plus\nexpect camera.zoom > 1.1\nkey Minus\nkey Minus\nexpect camera.zoom < 0.9\n"
      "camera 0 0 1\nkey Alt+Shift+Right\nexpect offset_y < -1\nkey Alt+Shift+Left\nkey Alt+Shift+Left\n"
      "expect offset_y > 1\nkey Alt+Shift+Up\nexpect offset_z < -1\nkey Alt+Shift+Down\nkey Alt+Shift+Down\n"
      "expect offset_z > 1\n"
      "key Alt+Right\nexpect slice_pan_x < -1\nkey Alt+Left\nkey Alt+Left\nexpect slice_pan_x > 1\n"
      "key Alt+Up\nexpect slice_pan_y < -1\nkey Alt+Down\nkey Alt+Down\nexpect slice_pan_y > 1\n"
      "key Alt+Plus\nexpect slice_zoom > 1.1\nkey Alt+Minus\nkey Alt+Minus\nexpect slice_zoom < 0.9\n"
      "key F12\nkey F12\n"
      // A run: pause, one step, resume.
      "resize 200 150\ngrid 12\nmethod sirt\nset iterations 100000\nset interval 360\nkey F5\nwait until "
      "iterations_done >= 1\nexpect "
      "running == 1\nexpect paused == "
      "0\n"
      "key Space\nexpect paused == 1\nwait 0.3\nexport residuals paused.csv\n"
      // On a slow machine one iteration is done by now; on a fast one the next takes less than the wait.
      "key N\nwait until iterations_done >= 2\nwait 0.3\nexpect paused == 1\nexport residuals stepped.csv\n"
      "key N\nwait until iterations_done >= 3\nwait 0.3\nexport residuals again.csv\n"
      "key Shift+Space\nexpect paused == 0\nwait until iterations_done >= 4\nwait 0.3\nexpect running == 1\n"
      "export residuals resumed.csv\nkey Escape\nwait done\nexpect running == 0\n"
      // Dialogs and menus.
      "resize 560 320\nkey Ctrl+S\nwait frames 2\nclick Save\nwait frames 2\n"
      "key Ctrl+O\nwait frames 2\nclick seen.mha\nwait frames 2\nscreenshot dialog.png\nclick Open\nwait done\n"
      "wait frames 2\nexpect views == 0\nexpect value > 0.01\n"
      "open demo:spheres\nwait done\nexpect views == 60\n"
      "screenshot menu.png File\nclick File\nwait frames 2\nclick \"Open recent\"\nwait frames 2\nclick \"recent 1\"\n"
      "wait done\nwait frames 2\nexpect views == 0\nexpect errors == 0\n");
  const Image all = viewer.shot("all"), alone = viewer.shot("alone"), uncrossed = viewer.shot("uncrossed"),
              unscaled = viewer.shot("unscaled"), dialog = viewer.shot("dialog");
  const auto bright = [](Rgb c) { return gray(c) > 120; };
  const Patch left{0, 70, 300, 220}, upper_left{2, 80, 270, 90};
  CHECK(count(alone, left, bright) > 2 * count(all, left, bright));  // the slices cover the place of the panels
  const auto reddish = [](Rgb c) { return c.r > c.b + 25; };         // the line of slices across x
  CHECK(count(alone, upper_left, reddish) > 60);
  CHECK(count(uncrossed, upper_left, reddish) < count(alone, upper_left, reddish) / 2);
  CHECK(mean_difference(uncrossed, unscaled, {160, 145, 118, 28}) > 0.5);
  CHECK(mean_difference(uncrossed, unscaled, {10, 90, 140, 40}) < 0.1);
  CHECK(mean_difference(dialog, unscaled, {80, 60, 400, 220}) > 20);
  CHECK(load_png(viewer.folder / "backlit-001.png").width == 560);
  CHECK(load_png(viewer.folder / "backlit-002.png").width == 560);
  const std::int64_t paused = lines_of(viewer.folder / "paused.csv");
  CHECK(paused >= 2);  // the head and an iteration
  CHECK(lines_of(viewer.folder / "stepped.csv") == paused + 1);
  CHECK(lines_of(viewer.folder / "again.csv") == paused + 2);
  CHECK(lines_of(viewer.folder / "resumed.csv") > paused + 2);
  CHECK(std::filesystem::exists(viewer.folder / "session.toml"));

  // With text twice as large; the start screen knows the file; the last frame is saved; a key ends the program.
  const ProgramResult result = viewer.run(
      "resize 1500 1000\nwait frames 2\nscreenshot large.png File\nclick \"recent 1\"\nresize 500 360\nwait "
      "done\nexpect value > 0.01\n"
      "toggle panels off\nscreenshot shown.png\nkey Ctrl+Q\nwindow 3 1\n",
      {"--scale", "2", "--screenshot", "last.png"});
  CHECK(result.err == "");
  CHECK(result.code == 0);
  const Image menu = viewer.shot("menu"), large = viewer.shot("large"), last = viewer.shot("last");
  CHECK(static_cast<double>(large.height) == Approx(2.0 * static_cast<double>(menu.height)).margin(2));
  CHECK(static_cast<double>(large.width) == Approx(2.0 * static_cast<double>(menu.width)).margin(4));
  REQUIRE(last.width == 500);
  CHECK(mean(last, {0, 0, 500, 360}) > 10);
  CHECK(mean_difference(last, viewer.shot("shown"), {0, 0, 500, 360}) < 0.5);
  CHECK(viewer.run("", {"--scale", "20"}).code == 2);
}
