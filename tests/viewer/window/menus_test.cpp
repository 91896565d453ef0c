// Menus, dialogs and buttons have their stated effect, and no other.
#include <algorithm>

#include <backlit/io/volumes/volume_file.hpp>
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

TEST_CASE("Escape closes a menu and leaves the run alone, with nothing running it changes nothing") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 460 360\ngrid 32\nopen demo:spheres\nwait done\nwait frames 3\nexpect run contains "
      "\"Done in\"\n"
      "key Escape\nwait frames 3\nexpect run contains \"Done in\"\nexpect runs == 1\n"
      "set follow off\nmethod sirt\nset iterations 100000\nreconstruct\nwait until running == 1\n"
      "click View\nwait frames 3\nscreenshot open.png Layout\nkey Escape\nwait frames 3\nexpect running == 1\n"
      "screenshot closed.png Layout\nwait frames 2\nexpect error contains \"no 'Layout'\"\n"
      "key Escape\nwait done\nexpect running == 0\nwait frames 2\nexpect run is Cancelled\n");
  CHECK(viewer.shot("open").width > 50);
}

TEST_CASE("Menus show what is switched on, and slices are exported as they are seen") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 460 360\ngrid 32\nopen demo:spheres\nwait done\nwindow 0 0.03\ncrosshair 0 30 -20\n"
      "click View\nwait frames 3\nscreenshot on.png \"Scale bar\"\nclick \"Scale bar\"\nwait frames 2\n"
      "expect show_scale_bar is false\nclick View\nwait frames 3\nscreenshot off.png \"Scale bar\"\nkey Escape\n"
      "export axial axial.tif\nexport coronal coronal.tif\nexport sagittal sagittal.tif\nwait done\n"
      "oblique 0 0 0 0 1 1\nwait done\nwait frames 3\nexport oblique oblique.png\nexpect errors == 0\n");
  const Image on = viewer.shot("on"), off = viewer.shot("off");
  CHECK(mean_difference(on, off, {0, 0, on.width, on.height}) > 0.3);
  std::vector<std::string> bytes;
  for (const char* name : {"axial", "coronal", "sagittal"}) {
    std::ifstream in(viewer.folder / (name + std::string(".tif")), std::ios::binary);
    bytes.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    CHECK(bytes.back().size() > 1000);
  }
  CHECK(bytes[0] != bytes[1]);
  CHECK(bytes[1] != bytes[2]);
  const Image oblique = viewer.shot("oblique");
  CHECK(count(oblique, {0, 0, oblique.width, oblique.height}, [](Rgb c) { return gray(c) > 100; }) > 500);
}

TEST_CASE("A tool is taken by menu, the lower edge names it, and Escape ends it") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 700 450\ngrid 24\nopen demo:spheres\nwait done\nwait frames 3\nclick Tools\n"
      "wait frames 3\nclick \"Clip box\"\nwait frames 3\nexpect \"tool in use\" contains box\nkey Escape\n"
      "click Tools\nwait frames 3\nclick Measurement\nwait frames 3\nclick \"Tool distance\"\n"
      "wait frames 3\nexpect \"tool in use\" contains distance\n"
      "drag left 0.3 0.4 0.6 0.7 in \"pane Axial\"\nwait frames 2\nexpect measured > 50\nkey Escape\nwait frames 2\n"
      "expect tool is crosshair\nexpect errors == 0\n");
}

TEST_CASE("A layout is saved by menu: its name is typed at once, and the menu then has it") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 700 450\ngrid 24\nopen demo:spheres\nwait done\nkey F3\nwait frames 3\n"
      "click View\nwait frames 3\nclick Layout\nwait frames 3\nclick \"Save layout as\"\nwait frames 4\n"
      "type mine\nkey Enter\nwait frames 4\nkey F2\nexpect panes is four\n"
      "click View\nwait frames 3\nclick Layout\nwait frames 3\nclick \"layout mine\"\nwait frames 3\n"
      "expect panes is slices\nexpect errors == 0\n");
}

TEST_CASE("Slices large: one of them is larger than with the 3-D view beside, D2VR and split bring that view along") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 600 400\ngrid 32\nopen demo:spheres\nwait done\nwait frames 3\nscreenshot four.png "
      "\"pane Axial\"\n"
      "key F3\nwait frames 3\nscreenshot large.png \"pane Axial\"\nresize 350 550\nwait frames 3\n"
      "screenshot tall.png \"pane Axial\"\nresize 600 400\nwait frames 3\nclick Split\nwait frames 3\n"
      "expect picture is split\nexpect panes is four\npicture volume\nkey F6\nwait frames 3\nclick D2VR\n"
      "wait frames 3\nexpect picture is d2vr\nexpect panes is four\nexpect errors == 0\n");
  const auto side = [&](const char* name) {
    const Image image = viewer.shot(name);
    return std::min(image.width, image.height);
  };
  CHECK(static_cast<double>(side("large")) > 1.3 * static_cast<double>(side("four")));
  CHECK(side("tall") > 175);
}

TEST_CASE("The sheet of keys shows those that hold the words that are looked for") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 500 400\nkey F1\nwait frames 3\nscreenshot all.png\nclick \"words to look "
      "for\"\nwait frames 2\n"
      "type \"CAMERA front\"\nwait frames 3\nexpect \"help rows\" is 1\nscreenshot one.png\n"
      "click \"Script commands\"\nwait frames 3\nexpect \"help rows\" is 1\nexpect errors == 0\n"
      "click \"Mouse and keys\"\nclick \"words to look for\"\nwait frames 2\nkey Ctrl+A\ntype \"shift+tab item\"\n"
      "wait frames 3\nexpect \"help rows\" is 1\n");
  const auto keys = [](Rgb c) { return c.b > c.r + 60 && c.b > 120; };
  const Patch sheet{50, 60, 400, 280};
  CHECK(count(viewer.shot("all"), sheet, keys) > 5 * count(viewer.shot("one"), sheet, keys));
}

TEST_CASE("A volume of other parameters than those shown says so") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 560 400\nset follow off\ngrid 32\nopen demo:spheres\nreconstruct\nwait done\nwait "
      "frames 3\n"
      "expect run contains Done\nmethod sirt\nset iterations 2\nwait frames 3\nexpect Axial contains outdated\n"
      "expect 3-D contains outdated\nexpect run contains Reconstruct\nreconstruct\nwait done\nwait frames 3\n"
      "expect run contains Done\nexpect 3-D is dvr\nexpect errors == 0\n");
}

TEST_CASE("A parameter that is a file is chosen from the list, and those without effect are not shown") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 560 750\nset follow off\nset voxel 8\nopen demo:spheres\nreconstruct\nwait done\n"
      "export volume start.mha\nwait done\nmethod sirt\nclick Data\nclick \"all parameters\"\nwait frames 3\n"
      "click \"choose initial\"\nwait frames 3\nclick start.mha\nwait frames 2\nclick Open\nwait frames 3\n"
      "expect initial contains start.mha\nexpect errors == 0\n");
  const ProgramResult hidden = viewer.run(
      "set font_scale 0.5\nresize 560 750\nset follow off\nopen demo:spheres\nmethod sirt\nwait frames 3\nclick Data\n"
      "click \"all parameters\"\nwait frames 3\nset model emission\nwait frames 3\nclick scatter_kernel\n"
      "set model auto\nwait frames 3\nclick scatter_kernel\n");
  CHECK_THAT(hidden.err, Catch::Contains(":15: click: there is no 'scatter_kernel'"));
}

TEST_CASE("The list of files holds those that suit, or all") {
  REQUIRE_VIEWER();
  Viewer viewer;
  const std::string open =
      "set font_scale 0.5\nresize 560 400\nset follow off\nset voxel 8\nopen demo:spheres\nreconstruct\nwait done\n"
      "export volume start.mha\nwait done\nsave session old.toml\n";
  viewer.succeed(open +
                 "key Ctrl+S\nwait frames 3\nclick old.toml\nclick \"all files\"\nwait frames 3\nclick start.mha\n"
                 "expect errors == 0\n");
  const ProgramResult hidden = viewer.run(open + "key Ctrl+S\nwait frames 3\nclick start.mha\n");
  CHECK_THAT(hidden.err, Catch::Contains(":13: click: there is no 'start.mha'"));
}

TEST_CASE("The list of files holds endings in capitals, and names with letters of all scripts") {
  REQUIRE_VIEWER();
  Viewer viewer;
  const std::vector<std::string> endings{"Scan.H5", "head.RCTD", "list.l.hdr.STIR", "two##parts.mha"};
  for (const std::string& name : endings) std::ofstream(viewer.folder / name) << "nothing";
  std::string script = "set font_scale 0.5\nresize 560 600\nkey Ctrl+O\nwait frames 3\n";
  for (const std::string& name : endings) script += "click " + name + "\nwait frames 2\n";
  viewer.succeed(script + "expect errors == 0\n");
  // Letters are shown, or the window says what lacks.
  const Volume volume(VolumeGrid{{4, 4, 4}, Vec3(1), Vec3(0)});
  for (const char* name : {"病人.mha", "中文.mha", "Ж.mha", "Я.mha"}) save_volume(volume, viewer.folder / name);
  viewer.succeed(
      "set font_scale 0.5\nresize 560 600\nkey Ctrl+O\nwait frames 5\nscreenshot first.png 病人.mha\n"
      "screenshot second.png 中文.mha\nscreenshot third.png Ж.mha\nscreenshot fourth.png Я.mha\n");
  const auto differ = [&](const char* a, const char* b) {  // in their letters: every second line is brighter
    const Image one = viewer.shot(a), other = viewer.shot(b);
    int unlike = 0;
    for (std::int64_t y = 0; y < std::min(one.height, other.height); ++y)
      for (std::int64_t x = 0; x < 60; ++x) unlike += (gray(one.at(x, y)) > 120) != (gray(other.at(x, y)) > 120);
    return unlike > 3;
  };
  CHECK(differ("third", "fourth"));
  if (!differ("first", "second"))
    viewer.succeed(
        "set font_scale 0.5\nresize 560 600\nopen 病人.mha\nwait done\nwait frames 3\n"
        "expect \"missing letters\" contains apt-get\n");
}

TEST_CASE("An image that is one of several leads to the import of all") {
  REQUIRE_VIEWER();
  Viewer viewer;
  for (const char* name : {"slice_1.tif", "slice_2.tif", "slice_3.tif", "alone.tif"})
    save_volume(Volume(VolumeGrid{{6, 5, 1}, Vec3(1), Vec3(0)}), viewer.folder / name);
  viewer.succeed(
      "set font_scale 0.5\nresize 560 400\nopen slice_2.tif\nwait done\nwait frames 3\nclick \"Import all images "
      "...\"\nwait frames 4\n"
      "click Import\nwait done\nwait frames 3\nexpect volume is \"6 × 5 × 3\"\nexpect errors == 0\n");
  const ProgramResult alone = viewer.run(
      "set font_scale 0.5\nresize 560 400\nopen alone.tif\nwait done\nwait frames 3\nclick \"Import all images "
      "...\"\n");
  CHECK_THAT(alone.err, Catch::Contains("there is no 'Import all images ...'"));
}

TEST_CASE("Without projections their layouts cannot be chosen") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 560 400\nset follow off\nset voxel 8\nopen demo:spheres\nreconstruct\nwait done\n"
      "export volume start.mha\nwait done\nclick Centres\nwait frames 2\nexpect panes is centers\nkey F2\n"
      "open start.mha\nwait done\nwait frames 3\nclick Projections\nwait frames 2\nclick Centres\nwait frames 2\n"
      "expect panes is four\nexpect errors == 0\n");
}

TEST_CASE("After words that find no command others can be typed at once") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 460 360\nkey Ctrl+P\nwait frames 3\ntype zz\nwait frames 3\n"
      "expect \"no rows\" contains \"zz: no such action\"\nkey Enter\nwait frames 4\n"
      "key Backspace\nkey Backspace\nwait frames 2\ntype \"window 0 0.04\"\nwait frames 2\n"
      "expect \"no rows\" contains \"Enter: window [LOW HIGH]\"\nkey Enter\nwait frames 3\nexpect high == 0.04\n"
      "key Ctrl+P\nwait frames 3\n"
      "type \"map viridis\"\nwait frames 3\nkey Enter\nwait frames 3\nexpect map is viridis\nexpect errors == 0\n");
}

TEST_CASE("A turntable is written while the window goes on, and can be cancelled") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "grid 32\nopen demo:spheres\nwait done\nexport turntable 200 long_##.png 300\nwait frames 3\nexpect pictures "
      "contains "
      "\"of 200\"\n"
      "click \"Cancel export\"\nwait done\nexpect errors == 0\nexport turntable 3 spin.png 64\nwait done\n"
      "export turntable 2 named 64\ncamera 10 10 1\nexpect azimuth == 10\n");
  CHECK_FALSE(std::filesystem::exists(viewer.folder / "long_199.png"));
  for (const char* name : {"spin_0000", "spin_0002", "named_0001"}) CHECK(viewer.shot(name).width == 64);
}

TEST_CASE("A turntable has the seconds and the size that its dialog asks for") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 500 350\ngrid 32\nopen demo:spheres\nwait done\nexport turntable\nwait frames 3\n"
      "drag left 0.5 0.5 0.5 0.5 ctrl in movie_seconds\nwait frames 2\ntype 0.2\nkey Enter\nwait frames 2\n"
      "expect movie_seconds == 0.2\nexpect \"pictures of the movie\" is \"5, 25 a second\"\n"
      "drag left 0.5 0.5 0.5 0.5 ctrl in movie_size\nwait frames 2\ntype 48\nkey Enter\nwait frames 2\n"
      "click Save\nwait frames 3\nwait done\nundo\nexpect movie_size == 512\nexpect movie_seconds == 0.2\n"
      "export turntable auto again_#.png 32\nwait done\nexpect errors == 0\n");
  CHECK(viewer.shot("turn_0004").width == 48);
  CHECK_FALSE(std::filesystem::exists(viewer.folder / "turn_0005.png"));
  CHECK(viewer.shot("again_4").width == 32);
}

TEST_CASE("A number that is typed counts once it is complete, fields that are automatic say so") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 600 500\nopen demo:spheres\nwait done\nwait frames 3\nclick \"Region and "
      "voxels\"\nwait frames 3\n"
      "expect \"size_x shown\" is \"automatic (63)\"\nexpect \"voxel shown\" contains \"automatic (\"\n"
      "drag left 0.5 0.5 0.5 0.5 ctrl in size_x\nwait frames 2\ntype 3\nwait frames 2\nexpect size_x == 0\ntype 1\n"
      "wait frames 2\nexpect size_x == 0\nkey Enter\nwait frames 3\nexpect size_x == 31\nwait done\n"
      "drag right 0.5 0.5 0.5 0.5 in size_x\nwait frames 2\nexpect size_x == 0\nwait done\nexpect errors == 0\n");
}

TEST_CASE("Commands are found by words, and taken whole with their arguments") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 460 360\ngrid 32\nopen demo:spheres\nwait done\nkey Ctrl+P\nwait frames 3\ntype "
      "\"light theme\"\nwait "
      "frames 3\n"
      "key Enter\nwait frames 3\nexpect theme is light\nkey Ctrl+P\nwait frames 3\ntype \"map viridis\"\nwait frames "
      "2\n"
      "key Enter\nwait frames 3\nexpect map is viridis\nkey Ctrl+P\nwait frames 3\ntype layout\nwait frames 2\nkey "
      "Escape\n"
      "wait frames 3\nkey F4\nwait frames 2\nexpect panes is volume\nexpect errors == 0\n");
}
