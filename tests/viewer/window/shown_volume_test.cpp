// What a volume looks like: voxels smooth or square, several surfaces, the question about a long run, the import.
#include <backlit/io/volumes/volume_file.hpp>
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

/// A ball of 1 in a ball of 0.4.
void save_balls(const std::filesystem::path& file) {
  Volume v(VolumeGrid{{40, 40, 40}, Vec3(1), Vec3(0)});
  for (std::int64_t k = 0; k < 40; ++k)
    for (std::int64_t j = 0; j < 40; ++j)
      for (std::int64_t i = 0; i < 40; ++i) {
        const double r =
            glm::length(v.grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
        v.at(i, j, k) = r < 7 ? 1.0f : r < 16 ? 0.4f : 0.0f;
      }
  save_volume(v, file);
}

std::int64_t count_all(const Image& image, bool (*judge)(Rgb)) {
  return count(image, {0, 0, image.width, image.height}, judge);
}
bool red(Rgb c) { return c.r > c.g + 40 && c.r > c.b + 40; }
bool blue(Rgb c) { return c.b > c.r + 40; }
bool violet(Rgb c) { return c.r > c.g + 25 && c.b > c.g + 25; }

}  // namespace

TEST_CASE("Voxels of slices are smooth, or squares of one value each") {
  REQUIRE_VIEWER();
  Viewer viewer;
  Volume v(VolumeGrid{{4, 4, 4}, Vec3(1), Vec3(0)});
  for (std::int64_t k = 0; k < 4; ++k)
    for (std::int64_t j = 0; j < 4; ++j)
      for (std::int64_t i = 0; i < 4; ++i) v.at(i, j, k) = (i + j) % 2 ? 1.0f : 0.0f;
  save_volume(v, viewer.folder / "v.mha");
  viewer.succeed(
      "toggle panels off\ntoggle crosshair off\ntoggle scale off\nopen v.mha\nwait done\nwindow 0 1\nwait frames 4\n"
      "screenshot smooth.png \"pane Axial\"\ntoggle smooth\nexpect smooth is false\nwait frames 3\n"
      "screenshot squares.png \"pane Axial\"\nkey Ctrl+Z\nexpect smooth is true\nexpect errors == 0\n");
  const auto between = [](Rgb c) { return gray(c) > 90 && gray(c) < 165; };
  const Image smooth = viewer.shot("smooth"), squares = viewer.shot("squares");
  CHECK(count_all(smooth, between) > 5000);
  CHECK(count(squares, inner(squares), between) == 0);
  CHECK(count_all(squares, [](Rgb c) { return gray(c) > 250; }) > 10000);
}

TEST_CASE("Several surfaces are shown at once, each with its colour and opacity, in the window and in pictures") {
  REQUIRE_VIEWER();
  Viewer viewer;
  save_balls(viewer.folder / "balls.mha");
  viewer.succeed(
      "resize 500 380\ntoggle panels off\ntoggle crosshair off\nopen balls.mha\nwait done\nkey F4\nmode iso\nset iso "
      "0.7\n"
      "set iso_color \"#e04030\"\nwait frames 4\nscreenshot one.png \"pane 3-D\"\n"
      "surface 0.2 0.5 \"#3040e0\"\nwait frames 4\nscreenshot two.png \"pane 3-D\"\n"
      "export turntable 1 \"turn_#.png\" 200\nwait done\n"
      "save session s.toml\nsurface clear\nwait frames 4\nscreenshot again.png \"pane 3-D\"\n"
      "load session s.toml\nwait done\nwait frames 4\nscreenshot loaded.png \"pane 3-D\"\nexpect errors == 0\n");
  const Image one = viewer.shot("one"), two = viewer.shot("two"), again = viewer.shot("again"),
              loaded = viewer.shot("loaded");
  CHECK(count_all(one, red) > 600);
  CHECK(count_all(one, blue) < count_all(two, blue) / 4);
  CHECK(count_all(two, blue) > 1200);
  CHECK(count_all(two, violet) > 450);  // the inner one through the outer one
  CHECK(count_all(again, red) == Approx(count_all(one, red)).epsilon(0.01));
  CHECK(count_all(loaded, violet) == Approx(count_all(two, violet)).epsilon(0.02));
  const Image turned = load_png(viewer.folder / "turn_0.png");
  CHECK(count_all(turned, violet) > 300);
  CHECK(count_all(turned, blue) > 800);
}

TEST_CASE("Surfaces are added, changed and removed in the panel") {
  REQUIRE_VIEWER();
  Viewer viewer;
  save_balls(viewer.folder / "balls.mha");
  viewer.succeed(
      "set font_scale 0.5\nresize 650 450\nopen balls.mha\nwait done\nmode iso\nwait frames 3\nclick \"Add a "
      "surface\"\nwait frames 2\n"
      "expect surfaces == 1\nclick \"opacity 2\"\nwait frames 2\nkey Ctrl+Z\nkey Ctrl+Z\nwait frames 2\n"
      "expect surfaces == 0\nkey Ctrl+Y\nwait frames 2\nexpect surfaces == 1\nsurface clear\nwait frames 2\n"
      "click \"iso values\"\nwait frames 2\nexpect iso == 0.5 0.03\nkey Ctrl+Z\nexpect iso == 0\n"
      "expect errors == 0\n");
}

TEST_CASE("The mean of a region becomes the value of water") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 650 450\nset follow false\ngrid 24\nset follow true\nopen demo:spheres\nwait "
      "done\nclick \"3-D view\"\n"
      "click \"Transfer function\"\nwait frames 2\nclick Measure\nmeasure region -8 -8 -8 8 8 8\nwait frames 3\n"
      "set water 0.05\nwait frames 2\nclick \"This is water\"\nwait frames 2\nexpect water < 0.04\nexpect errors == "
      "0\n");
}

TEST_CASE("The window asks before a long run ends, and a click or Escape answers") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 450 310\nset follow false\nopen demo:spheres\nwait done\ngrid 16\nset backend "
      "cpu\nmethod sirt\n"
      "set iterations 1000000\nreconstruct\nwait until iterations_done >= 1\nask after 0.000001\nset follow true\n"
      "key Escape\nwait frames 3\nexpect question contains \"Cancelling ends this run\"\nkey Escape\nwait frames 3\n"
      "expect asked == 0\nexpect running == 1\nset voxel 20\nwait frames 3\n"
      "expect question contains \"starts a new run\"\nscreenshot question.png\nclick \"Undo the change\"\n"
      "wait frames 3\nexpect asked == 0\nexpect voxel == 0\nopen demo:head\nwait frames 3\n"
      "click \"Keep this run\"\nwait frames 3\nexpect asked == 0\nexpect running == 1\nkey Escape\n"
      "wait frames 3\nclick \"Cancel the run\"\nwait frames 3\nwait done\nexpect running == 0\nexpect errors == 0\n");
}

TEST_CASE("The import shows a slice of what the choices give, and opens it") {
  REQUIRE_VIEWER();
  Viewer viewer;
  std::ofstream raw(viewer.folder / "ball_40x40x40_u8.raw", std::ios::binary);
  for (int k = 0; k < 40; ++k)
    for (int j = 0; j < 40; ++j)
      for (int i = 0; i < 40; ++i)
        raw.put(std::hypot(i - 20, j - 20, k - 20) < 12 ? static_cast<char>(200) : static_cast<char>(10));
  raw.close();
  viewer.succeed(
      "import ball_40x40x40_u8.raw\nwait frames 5\nscreenshot preview.png \"import preview\"\nscreenshot all.png\n"
      "click \"import type\"\nwait frames 2\nclick f64\nwait frames 3\nexpect warning contains \"too short\"\n"
      "click \"import type\"\nwait frames 2\nclick u8\nwait frames 3\nclick Import\nwait done\nwait frames 2\n"
      "expect value == 200\nexpect errors == 0\n");
  const Image preview = viewer.shot("preview");
  const double share = static_cast<double>(count_all(preview, [](Rgb c) { return gray(c) > 200; })) /
                       static_cast<double>(preview.width * preview.height);
  CHECK(share == Approx(3.1416 * 144 / 1600).epsilon(0.1));
}
