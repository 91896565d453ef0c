// Pictures in 3-D: from the volume, from projections and from the source, and their coarse versions.
#include <map>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "gl/context.hpp"
#include "model/sources/source.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

bool warm(Rgb c) { return c.r > c.b + 40; }

Patch whole(const Image& image) { return {0, 22, image.width, image.height - 22}; }  // below its title

/// Mean difference of neighbours in a row.
double detail(const Image& image) {
  double sum = 0;
  const Patch box = whole(image);
  for (std::int64_t y = box.y; y < box.y + box.height; ++y)
    for (std::int64_t x = 1; x < box.width; ++x) sum += std::abs(gray(image.at(x, y)) - gray(image.at(x - 1, y)));
  return sum / static_cast<double>(box.width * box.height);
}

/// The first and the last of `n` positions that are bright.
template <class Gray>
std::pair<std::int64_t, std::int64_t> bright_part(std::int64_t n, Gray&& at) {
  std::int64_t first = 0, last = n - 1;
  while (first < n && at(first) < 70) ++first;
  while (last > first && at(last) < 70) --last;
  return {first, last};
}

/// Whether the CPU draws; otherwise one frame is enough for a sharp picture.
bool software() {
  static const bool is = gl::Context::create()->limits().software;
  return is;
}

/// Saves the smallest example as files, like a user's data.
void save_spheres(const std::filesystem::path& folder) {
  const auto views = read_all(*viewer::open_source("demo:spheres", {}, {}).views());
  REQUIRE(views.scan.detector.columns == 64);
  REQUIRE(views.scan.view_count() == 60);
  save_projections(views, folder / "views.npy");
  save_scan(views.scan, {.projections = "views.npy"}, folder / "small.scan.toml");
}

}  // namespace

TEST_CASE("A scan dropped on the window is seen in every mode, by D2VR and from its source") {
  REQUIRE_VIEWER();
  Viewer viewer;
  save_spheres(viewer.folder.path());
  std::string script =
      "toggle panels off\nlayout volume\ntoggle crosshair off\nresize 280 290\nwait frames 2\n"
      "drop small.scan.toml\nwait done\nwait frames 2\nexpect views == 60\nexpect first_seconds > 0\n"
      "window 0 0.035\n";
  for (const char* mode : {"mip", "average", "drr", "iso", "dvr"})
    script += std::string("mode ") + mode + "\nscreenshot " + mode + ".png \"pane 3-D\"\n";
  const auto picture = [](const std::string& kind, const std::string& name) {
    return "picture " + kind + "\nwait frames 2\nwait done\nwait frames 2\nscreenshot " + name + ".png \"pane 3-D\"\n";
  };
  script +=
      "click D2VR\nmove 200 300\nexpect picture is d2vr\nwait done\nwait frames 2\n"
      "expect 3-D contains \"100 % of the views\"\nscreenshot d2vr.png \"pane 3-D\"\nclick D2VR\nmove 200 300\n"
      "expect picture is volume\n" +
      picture("difference", "difference") + "grid 14\nwait done\n" + picture("difference", "far") +
      "grid 0\nwait done\npicture volume\nmode drr\nview 0\nkey S\nexpect from_source is true\nwait done\nwait frames "
      "2\n"
      "screenshot source.png \"pane 3-D\"\ndrag left 0.5 0.5 0.55 0.5 in \"pane 3-D\"\nexpect from_source is false\n";
  viewer.succeed(script);

  std::map<std::string, Image> seen;
  for (const char* name : {"mip", "average", "drr", "iso", "dvr", "d2vr", "difference", "far", "source"})
    seen[name] = viewer.shot(name);
  const Patch all = whole(seen["dvr"]);
  for (const std::string one : {"mip", "average", "drr", "iso", "dvr"})
    for (const std::string other : {"mip", "average", "drr", "iso", "dvr"}) {
      INFO(one << " " << other);
      CHECK((one == other || mean_difference(seen[one], seen[other], all) > 1));
    }
  // The same object from projections, but not the identical picture.
  CHECK(count(seen["d2vr"], all, warm) > 100);
  CHECK(mean_difference(seen["d2vr"], seen["dvr"], all) > 0.01);
  CHECK(mean_difference(seen["d2vr"], seen["dvr"], all) < 3);
  // Their difference: gray nearly everywhere, with larger deviations where voxels are large.
  const auto apart = [](Rgb c) { return std::abs(c.r - c.b) > 12; };
  const auto pixels = static_cast<double>(all.width * all.height);
  CHECK(count(seen["difference"], all, [](Rgb c) { return c.r == c.g && c.g == c.b && c.r > 25 && c.r < 45; }) >
        0.5 * pixels);
  const Patch bodies{all.width / 4, all.y, all.width / 2, all.height * 2 / 3};  // beside the small axes
  CHECK(count(seen["difference"], bodies, apart) > 20);
  CHECK(count(seen["difference"], bodies, apart) < 0.25 * pixels);
  CHECK(count(seen["far"], bodies, apart) > 1.5 * static_cast<double>(count(seen["difference"], bodies, apart)));

  // From the source: the cylinder's shadow on the detector, whose pixels fill the pane. Its radius of 100 mm is at 1000
  // mm from the source; the detector of 330 mm is at 1500 mm.
  const Image& source = seen["source"];
  CHECK(mean_difference(source, seen["drr"], all) > 3);
  const auto [left, right] =
      bright_part(source.width, [&](std::int64_t x) { return gray(source.at(x, source.height / 2 - 10)); });
  const double per_mm = std::min(static_cast<double>(source.width), static_cast<double>(source.height)) / 330;
  const double shadow = 2 * 1500 * std::tan(std::asin(0.1)) * per_mm;
  CHECK(static_cast<double>(right - left + 1) == Approx(shadow).epsilon(0.03));
  CHECK(0.5 * static_cast<double>(left + right) == Approx(0.5 * static_cast<double>(source.width - 1)).margin(3));
  const auto [top, bottom] =
      bright_part(source.height - 24, [&](std::int64_t y) { return gray(source.at(source.width / 2 + 25, y + 24)); });
  CHECK(0.5 * static_cast<double>(top + bottom) + 24 == Approx(0.5 * static_cast<double>(source.height - 1)).margin(5));
}

TEST_CASE("A coarse slice and a coarse picture stand in until the sharp ones are there") {
  REQUIRE_VIEWER();
  Viewer viewer;
  // After the camera has turned, the last frame equals the first.
  const ProgramResult result = viewer.run(
      "resize 480 360\ntoggle panels off\ntoggle crosshair off\ntoggle scale off\ngrid 12\nopen demo:spheres\nwait "
      "done\nlayout "
      "slices\n"
      "wait frames 2\noblique 0 0 0 0 0 1\nscreenshot stand-in.png \"pane Oblique\"\n"
      "expect Oblique is \"from the volume\"\nwait done\nwait frames 2\n"
      "expect Oblique contains \"from 100 % of the views\"\nscreenshot slice.png \"pane Oblique\"\ntoggle oblique off\n"
      "grid 0\nwait done\nlayout volume\nwait frames 3\ncamera 20 30 1.5\nscreenshot sharp.png\n"
      "expect \"3-D picture\" is sharp\ncamera 70 10 1\nwait frames 1\n" +
          std::string(software() ? "expect \"3-D picture\" is coarse\n" : "") + "camera 20 30 1.5\n",
      {"--frames", "1", "--screenshot", "coarse.png"});
  CHECK(result.err == "");
  REQUIRE(result.code == 0);
  const Image stand_in = viewer.shot("stand-in"), slice = viewer.shot("slice");
  CHECK(detail(slice) > 1.2 * detail(stand_in));
  CHECK(mean_difference(slice, stand_in, whole(slice)) > 2);
  CHECK(std::abs(mean(slice, whole(slice)) - mean(stand_in, whole(slice))) < 0.2 * mean(slice, whole(slice)));
  const Image coarse = viewer.shot("coarse"), sharp = viewer.shot("sharp");
  const Patch all{2, 90, 470, 230};
  CHECK(count(coarse, all, warm) > 0.8 * static_cast<double>(count(sharp, all, warm)));
  CHECK(mean_difference(coarse, sharp, all) < 8);
  if (software()) CHECK(mean_difference(coarse, sharp, all) > 0.2);
}

TEST_CASE("The head opens, is reconstructed, and shows a skull about a brain") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "toggle panels off\ntoggle crosshair off\nresize 520 400\ngrid 44\nopen demo:head\nwait done\n"
      "expect errors == 0\nexpect views == 120\nwindow 0 0.04\nwait frames 2\nscreenshot head.png \"pane Axial\"\n"
      "screenshot space.png \"pane 3-D\"\nexpect value == 0.021 0.002\ncrosshair 200 0 0\nexpect value != 0 1\n");
  const Image head = viewer.shot("head"), space = viewer.shot("space");
  // From the middle outwards: brain, bone, air.
  for (const auto& [x, y] : {std::pair{-1, 0}, {0, 1}}) {
    INFO(x << " " << y);
    std::int64_t bone = 0, brain = 0;
    double most = 0, edge = 255;
    for (std::int64_t i = 4, px, py; px = head.width / 2 + i * x, py = head.height / 2 + i * y,
                      px > 1 && py > 20 && px < head.width - 1 && py < head.height - 1;
         ++i) {
      const double g = gray(head.at(px, py));
      most = std::max(most, g);
      bone += g > 190;
      brain += most < 190 && g > 100 && g < 170;
      edge = g;
    }
    CHECK(brain > 40);
    CHECK(bone >= 1);
    CHECK(bone < 25);
    CHECK(edge < 60);
  }
  CHECK(count(space, whole(space), [](Rgb c) { return gray(c) > 90; }) > 2000);
  CHECK(count(space, whole(space), [](Rgb c) { return gray(c) < 40; }) > 10000);
}
