// What is seen first of every example and of measured scans: a picture with an object in it, in slices and in 3-D.
#include <backlit/io/volumes/volume_file.hpp>
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

/// Share of a pane that is brighter than its background.
double covered(const Image& image) {
  const Patch box = inner(image);
  const auto bright = [](Rgb c) { return gray(c) > 60; };
  return static_cast<double>(count(image, box, bright)) / static_cast<double>(box.width * box.height);
}

double contrast(const Image& image) {
  const Patch box = inner(image);
  const double middle = mean(image, box);
  double square = 0;
  count(image, box, [&](Rgb c) {
    square += (gray(c) - middle) * (gray(c) - middle);
    return false;
  });
  return std::sqrt(square / static_cast<double>(box.width * box.height));
}

void check_picture(const std::string& path, const std::string& settings = "") {
  INFO(path);
  Viewer viewer;
  viewer.succeed("set font_scale 0.5\nresize 600 460\ntoggle panels off\ntoggle crosshair off\n" + settings + "open " +
                 path +
                 "\nwait done\nwait frames 4\nscreenshot slice.png \"pane Axial\"\nscreenshot space.png \"pane 3-D\"\n"
                 "mode iso\nwait frames 4\nscreenshot iso.png \"pane 3-D\"\nexpect errors == 0\n");
  CHECK(contrast(viewer.shot("slice")) > 15);
  CHECK(covered(viewer.shot("space")) > 0.015);
  CHECK(covered(viewer.shot("space")) < 0.8);
  CHECK(covered(viewer.shot("iso")) > 0.015);
  CHECK(covered(viewer.shot("iso")) < 0.8);
}

}  // namespace

TEST_CASE("Every example opens to a picture of its object") {
  REQUIRE_VIEWER();
  for (const char* name : {"demo:head", "demo:spheres", "demo:shepp-logan"}) check_picture(name, "grid 40\n");
  check_picture("demo:bar");
}

TEST_CASE("A small object off the middle of its volume is found, and fills the picture") {
  REQUIRE_VIEWER();
  Viewer viewer;
  Volume v(VolumeGrid{{60, 50, 40}, {1, 1, 1}, Vec3(0)});
  for (std::int64_t k = 24; k < 34; ++k)
    for (std::int64_t j = 8; j < 20; ++j)
      for (std::int64_t i = 38; i < 50; ++i) v.at(i, j, k) = 1;
  save_volume(v, viewer.folder / "small.mha");
  viewer.succeed(
      "toggle panels off\nopen small.mha\nwait done\nwait frames 4\nexpect value == 1 0.01\nexpect slice_zoom > 2\n"
      "expect camera.zoom > 2\nexpect slice_pan_x == 14 1\ntoggle crosshair off\nwait frames 4\n"
      "screenshot slice.png \"pane Axial\"\nscreenshot space.png \"pane 3-D\"\n"
      // What the user has chosen stays.
      "set slice_zoom 1\nset camera.zoom 1\ncrosshair 0 0 0\nwindow 0 0.5\nwait frames 2\n"
      "expect slice_zoom == 1\nexpect crosshair.x == 0\nexpect errors == 0\n");
  CHECK(covered(viewer.shot("slice")) > 0.15);
  CHECK(covered(viewer.shot("space")) > 0.05);
}

TEST_CASE("A point source between faint noise is seen, whether samples meet it or not") {
  REQUIRE_VIEWER();
  Viewer viewer;
  Volume v(VolumeGrid{{90, 80, 70}, {1, 1, 1}, Vec3(0)});
  for (std::size_t i = 0; i < v.values.span().size(); ++i) v.values.span()[i] = i % 7 == 0 ? 1e-7f : 0;
  for (const std::int64_t i : {60, 61}) v.at(i, 21, 41) = v.at(i, 22, 41) = v.at(i, 21, 42) = 1;
  save_volume(v, viewer.folder / "point.mha");
  viewer.succeed(
      "toggle panels off\nopen point.mha\nwait done\nwait frames 4\nexpect high == 1 0.5\nexpect value == 1 0.01\n"
      "expect slice_zoom > 2\ntoggle crosshair off\nwait frames 4\nscreenshot slice.png \"pane Axial\"\n"
      "screenshot space.png \"pane 3-D\"\nexpect errors == 0\n");
  CHECK(covered(viewer.shot("slice")) > 0.001);
  CHECK(covered(viewer.shot("space")) > 0.002);
}

TEST_CASE("Volumes of MATLAB, and of MRC with values that are no numbers, open to a picture") {
  REQUIRE_VIEWER();
  const auto atoms =
                 data_dir() / "tantalum" / "RESIRE_package_Output_Ta_film_sub_area_reconstruction_ReconObj_sub60.mat",
             pin = data_dir() / "mrc" / "projections.mrc";
  for (const auto& file : {atoms, pin})
    if (!std::filesystem::exists(file)) BACKLIT_SKIP("no " + file.string());
  check_picture(atoms.string());
  check_picture(pin.string());
}

TEST_CASE("A measured tooth opens sharp, and in 3-D, and says that its centre was found") {
  REQUIRE_VIEWER();
  const auto tooth = data_dir() / "tooth" / "tooth.h5";
  if (!std::filesystem::exists(tooth)) BACKLIT_SKIP("no " + tooth.string());
  check_picture(tooth.string(), "set voxel 4\n");
  Viewer viewer;
  viewer.succeed("set font_scale 0.5\nresize 600 400\nset voxel 4\nopen " + tooth.string() +
                 "\nwait done\nwait frames 4\nexpect center_shift == -23.6 1\n"
                 "expect \"centre found\" contains \"column 29\"\nexpect probe contains 1/px\n"
                 "click \"Undo centre\"\nwait done\nexpect center_shift == 0\nexpect errors == 0\n");
}
