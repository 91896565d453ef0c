// Mouse input in panes and panels, on a volume with known values.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/render/annotate.hpp>
#include <backlit/render/transfer_function.hpp>
#include "model/state_file.hpp"
#include "model/values/statistics.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;
using namespace backlit::viewer;

namespace input_test {
namespace {

const VolumeGrid grid{{60, 50, 40}, Vec3(2), Vec3(0)};
constexpr double water = 0.02, slope = 4e-5;
const Vec3 half_box(30, 20, 24);

/// A ramp along x, and a box on it that ends between voxels.
double value_at(const Vec3& p) {
  const bool inside = glm::all(glm::lessThan(glm::abs(p), half_box));
  return (inside ? 0.03 : 0.01) + slope * p.x;
}

std::vector<float> save_known(const std::filesystem::path& path) {
  Volume v(grid);
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i)
        v.at(i, j, k) = static_cast<float>(
            value_at(grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k))));
  save_volume(v, path);
  return {v.values.span().begin(), v.values.span().end()};
}

/// A pixel of a pane under the mouse, and its position in the volume.
struct Spot {
  std::string at;  ///< "0.25 0.5": shares of the pane
  Vec3 mm{0};
};

/// The pane of the slice z = 0, from a picture of it.
struct Axial {
  Image picture;
  double pixel, width, height;

  explicit Axial(const Image& seen)
      : picture(seen), width(static_cast<double>(seen.width)), height(static_cast<double>(seen.height)) {
    const Vec3 extent = grid.upper() - grid.lower();
    pixel = 1.04 * std::max(extent.x / width, extent.y / height);
  }
  /// `column`, `row`: between pixels, since the mouse is there.
  Spot between(double column, double row) const {
    return {fmt::format("{:.7f} {:.7f}", (column + 0.25) / width, (row + 0.25) / height),
            Vec3(pixel * (column - 0.5 * width), pixel * (0.5 * height - row), 0)};
  }
  Spot at(double x, double y) const {
    return between(std::round(0.5 * width + x / pixel), std::round(0.5 * height - y / pixel));
  }
  double gray_at(double x, double y) const {
    return gray(picture.at(static_cast<std::int64_t>(0.5 * width + x / pixel),
                           static_cast<std::int64_t>(0.5 * height - y / pixel)));
  }
  /// Distance from the middle, in mm along `direction`, at which the picture's gray is halfway between its values at
  /// `inside` and `outside` mm.
  double edge(const Vec3& direction, double inside, double outside) const {
    const auto along = [&](double mm) { return gray_at(mm * direction.x, mm * direction.y); };
    const double level = 0.5 * (along(inside) + along(outside));
    double mm = inside;
    while (mm < outside && along(mm) > level) mm += 0.1 * pixel;
    return mm;
  }
};

constexpr const char* in_axial = " in \"pane Axial\"\n";

std::string drag(const char* button, const Spot& from, const Spot& to, const char* more = "") {
  return fmt::format("drag {} {} {}{}{}", button, from.at, to.at, more, in_axial);
}

std::string expect_measured(Measurement::Kind kind, const std::vector<Vec3>& points) {
  return fmt::format("expect measured == {} 1e-3\n", measured({kind, points}));
}

/// Centre of the pixels with exactly this colour, as shares of the picture.
std::pair<double, double> middle_of(const Image& picture, Rgb color) {
  double x = 0, y = 0, n = 0;
  for (std::int64_t j = 0; j < picture.height; ++j)
    for (std::int64_t i = 0; i < picture.width; ++i) {
      const Rgb c = picture.at(i, j);
      if (c.r != color.r || c.g != color.g || c.b != color.b) continue;
      x += static_cast<double>(i) + 0.5;
      y += static_cast<double>(j) + 0.5;
      ++n;
    }
  REQUIRE(n > 3);
  return {x / n / static_cast<double>(picture.width), y / n / static_cast<double>(picture.height)};
}

double percentile(std::vector<float> sorted, double percent) {
  std::ranges::sort(sorted);
  const double at = percent / 100 * static_cast<double>(sorted.size() - 1);
  const auto i = static_cast<std::size_t>(at);
  return sorted[i] + (at - static_cast<double>(i)) * (sorted[std::min(i + 1, sorted.size() - 1)] - sorted[i]);
}

std::string expect_window(double low, double high, double tolerance) {
  return fmt::format("expect low == {} {}\nexpect high == {} {}\n", low, tolerance, high, tolerance);
}

/// Three colours; the box's colour is nearly transparent.
TransferFunction three_colors() {
  TransferFunction f;
  f.depth = 10;
  f.points = {{0.015, Vec3(1, 0, 0), 0}, {0.03, Vec3(0, 1, 0), 0.02}, {0.036, Vec3(0, 0, 1), 0.02}};
  return f;
}

/// Opens the known volume with this transfer function.
std::string begin(const Viewer& viewer) {
  ViewState state;
  state.path = (viewer.folder / "known.mha").string();
  state.display.low = 0;
  state.display.high = 0.04;
  state.display.transfer = "custom";
  state.display.transfer_text = to_text(three_colors());
  state.layout.show_crosshair = false;
  state.layout.font_scale = 0.5;  // small text for a small window, which is drawn quickly
  state.camera.zoom = 0.05;
  save_state(state, viewer.folder / "begin.toml");
  return "resize 450 580\nload session begin.toml\nwait done\nwait frames 2\nclick Data\nclick Reconstruction\n"
         "wait frames 2\nclick Measure\nwait frames 2\n";
}

}  // namespace

TEST_CASE(
    "Mouse: lengths, angles, profiles, regions, the probe, the window, the scale bar, and the transfer function") {
  REQUIRE_VIEWER();
  Viewer viewer;
  const std::vector<float> values = save_known(viewer.folder / "known.mha");
  viewer.succeed(begin(viewer) +
                 "screenshot axial.png \"pane Axial\"\nscreenshot editor.png \"transfer function\"\n"
                 "screenshot bar.png \"scale bar\"\ncamera -60 20 1\nscreenshot before.png \"pane 3-D\"\n");
  const Axial pane(viewer.shot("axial"));

  std::string script = begin(viewer);
  // From edge to edge of the visible box: 60 mm and 40 mm.
  const Spot left = pane.at(-pane.edge(Vec3(-1, 0, 0), 20, 40), 0),
             right = pane.at(pane.edge(Vec3(1, 0, 0), 20, 40), 0), top = pane.at(0, pane.edge(Vec3(0, 1, 0), 12, 28)),
             bottom = pane.at(0, -pane.edge(Vec3(0, -1, 0), 12, 28));
  script += "click Distance\nexpect tool is distance\n" + drag("left", left, right) +
            fmt::format("expect measured == 60 {}\n", 1.5 * pane.pixel) + drag("left", bottom, top) +
            fmt::format("expect measured == 40 {}\n", 1.5 * pane.pixel);
  script += "click Angle\n";
  for (const auto& [x, y] : {std::pair{0.0, 15.0}, {-25.0, 15.0}}) {
    const Spot corner = pane.at(0, 0), first = pane.at(20, 0), last = pane.at(x, y);
    for (const Spot& spot : {first, corner, last}) script += drag("left", spot, spot);
    script += expect_measured(Measurement::Kind::angle, {first.mm, corner.mm, last.mm});
  }
  const Spot from = pane.at(-50, 0), to = pane.at(50, 0), a = pane.at(-22, -11), b = pane.at(17.4, 16.2);
  script += "click Profile\n" + drag("left", from, to) + expect_measured(Measurement::Kind::profile, {from.mm, to.mm}) +
            "export profile profile.csv\nclick Region\n";
  std::vector<float> region;
  for (const Vec3& p : box_points(a.mm, b.mm, grid)) region.push_back(static_cast<float>(value_at(p)));
  const RegionStatistics s = statistics_of(region);
  script +=
      drag("left", a, b) + "wait frames 1\n" +
      fmt::format(
          "expect mean is \"{:.5g} 1/mm  ({:.0f} HU)\"\nexpect deviation is \"{:.3g} 1/mm\"\nexpect samples is {}\n",
          s.mean, hounsfield_scale(water).number(s.mean), s.deviation, s.samples) +
      "click Region\nexpect tool is crosshair\nmeasure clear\nclick Measure\nwait frames 1\n";

  // The probe at the pointer and at the crosshair.
  const Spot seen = pane.at(-40.8, 20.9);
  script += "move 0.01 0.02" + std::string(in_axial) + "wait frames 1\nexpect probe contains outside\nmove " + seen.at +
            in_axial +
            fmt::format(
                "wait frames 1\nexpect probe contains \"pointer    {:8.2f} {:8.2f}     0.00 mm    voxel    9   35\"\n",
                seen.mm.x, seen.mm.y) +
            "move 3 3\ncrosshair 11 -7 5\nwait frames 1\n"
            "expect probe is \"crosshair     11.00    -7.00     5.00 mm    voxel   35   21   22    0.03044 1/mm    522 "
            "HU\"\ncrosshair 0 0 0\n";

  // Windows: percentiles, presets of radiology, a rectangle, and the handles of the histogram.
  for (const auto& [label, low] : {std::pair{"0.1-99.9 %", 0.1}, {"1-99 %", 1.0}, {"all", 0.0}})
    script += fmt::format("click \"{}\"\nwait frames 1\n", label) +
              expect_window(percentile(values, low), percentile(values, 100 - low), 1e-7);
  for (const auto& [label, low, high] :
       {std::tuple{"soft tissue", 0.0168, 0.0248}, {"bone", 0.01, 0.05}, {"lung", -0.007, 0.023}})
    script += fmt::format("click preset\nwait frames 1\nclick \"{}\"\nwait frames 1\n", label) +
              expect_window(low, high, 1e-9);
  const Spot one = pane.at(-25, 12), other = pane.at(5, -9);  // in the box, where values rise evenly
  const auto rising = [&](double share) { return 0.03 + slope * glm::mix(one.mm.x, other.mm.x, share); };
  script += drag("left", one, other, " ctrl") + expect_window(rising(0.01), rising(0.99), 5e-6);
  script += "window 0 0.04\nwait frames 1\n";
  const double range = 1.1 * 0.04, of_low = 0.05 / 1.1, of_high = 1.05 / 1.1, held = 0.2 * range;
  script += fmt::format("drag left {} 0.5 {} 0.5 in histogram\n", of_low, of_low + 0.2) +
            expect_window(held, 0.04, 6e-4) + "window 0 0.04\nwait frames 1\n" +
            fmt::format("drag left {} 0.5 {} 0.5 in histogram\n", of_high, of_high - 0.2) +
            expect_window(0, 0.04 - held, 6e-4) + "window 0 0.04\nwait frames 1\n" +
            "drag left 0.5 0.5 0.4 0.5 in histogram\n" + expect_window(-0.1 * range, 0.04 - 0.1 * range, 6e-4) +
            "window 0 0.04\n";

  // Pan, zoom around the pointer, and the scale bar.
  const Spot middle = pane.at(0, 0), there = pane.at(13, -8), under = pane.at(35, 31);
  const Vec3 moved = there.mm - middle.mm;
  script += drag("middle", middle, there) +
            fmt::format("expect slice_pan_x == {} 1e-4\nexpect slice_pan_y == {} 1e-4\n", -moved.x, -moved.y) +
            drag("left", there, middle, " shift") +
            "expect slice_pan_x == 0 1e-4\nexpect slice_pan_y == 0 1e-4\nexpect crosshair.x == 0\n";
  const auto bar = [&](double zoom) { return round_length(0.28 * pane.width * pane.pixel / zoom); };
  const double zoom = std::pow(1.15, 9);
  script += fmt::format("expect \"scale bar\" is \"{:g} mm\"\nwheel {} 9 ctrl{}", bar(1), under.at, in_axial) +
            fmt::format("expect slice_zoom == {} 1e-6\nwait frames 1\n", zoom) +
            fmt::format("expect probe contains \"pointer    {:8.2f} {:8.2f}     0.00 mm\"\n", under.mm.x, under.mm.y) +
            fmt::format("expect \"scale bar\" is \"{:g} mm\"\nscreenshot zoomed.png \"scale bar\"\n", bar(zoom));

  // In 3-D: Home resets the camera, and dragging a point of the transfer function up makes values opaque.
  script +=
      "camera 10 50 2\nwait frames 1\nkey Home\nwait frames 1\n"
      "expect azimuth == -60\nexpect elevation == 20\nexpect zoom == 1\n";
  const auto [x, y] = middle_of(viewer.shot("editor"), {0, 255, 0});
  script += fmt::format("drag left {0} {1} {0} {2} in \"transfer function\"\n", x, y, y - 0.5) +
            "save session dragged.toml\nscreenshot opaque.png \"pane 3-D\"\nkey Ctrl+Z\n"
            "screenshot undone.png \"pane 3-D\"\n" +
            fmt::format("drag right {0} {1} {0} {1} in \"transfer function\"\nsave session removed.toml\n", x, y);
  viewer.succeed(script);

  std::ifstream profile(viewer.folder / "profile.csv");
  std::string row;
  std::getline(profile, row);
  double worst = 0, mm = 0, value = 0, rows = 0;
  for (; std::getline(profile, row) && std::sscanf(row.c_str(), "%lf,%lf", &mm, &value) == 2; ++rows)
    if (const Vec3 p = from.mm + Vec3(mm, 0, 0);
        std::abs(std::abs(p.x) - half_box.x) > 1.01)  // otherwise it is between two values
      worst = std::max(worst, std::abs(value - value_at(p)));
  CHECK(rows == 512);
  CHECK(mm == Approx(to.mm.x - from.mm.x));
  CHECK(worst < 1e-6);
  for (const auto& [name, factor] : {std::pair{"bar", 1.0}, {"zoomed", zoom}})
    CHECK(static_cast<double>(viewer.shot(name).width) == Approx(bar(factor) / pane.pixel * factor).margin(1.5));
  const auto points = [&](const char* session) {
    return parse_transfer_function(load_state(viewer.folder / session).display.transfer_text, session).points;
  };
  const double height = static_cast<double>(viewer.shot("editor").height);
  REQUIRE(points("dragged.toml").size() == 3);
  CHECK(points("dragged.toml")[1].opacity == Approx(0.02 + 0.5 * height / (height - 8)).margin(0.02));
  CHECK(points("dragged.toml")[1].value == Approx(0.03).margin(3e-4));
  CHECK(points("removed.toml") == std::vector{three_colors().points[0], three_colors().points[2]});
  const Image before = viewer.shot("before"), opaque = viewer.shot("opaque"), undone = viewer.shot("undone");
  const Patch all{0, 20, before.width, before.height - 20};
  const auto green = [](Rgb c) { return c.g > c.r + 60 && c.g > c.b + 60; };
  CHECK(count(before, all, green) < 100);
  CHECK(count(opaque, all, green) > 1500);
  CHECK(mean_difference(before, undone, all) < 0.1);
}

TEST_CASE(
    "The crop box is switched on and narrowed by hand; a session brings a cropped and cut volume back as it was") {
  REQUIRE_VIEWER();
  Viewer viewer;
  save_known(viewer.folder / "known.mha");
  viewer.succeed(begin(viewer) +
                 "click Measure\nmode mip\ncamera -90 0 1.3\nwait frames 2\nclick Cuts\nwait frames 2\nscreenshot "
                 "whole.png \"pane 3-D\"\n"
                 "click crop\nwait frames 2\nexpect crop is true\nexpect crop_low_x == -60\nexpect crop_high_z == 40\n"
                 "drag left 0.05 0.5 0.4 0.5 in \"crop x\"\nexpect crop_low_x > -58\nexpect crop_low_x < -30\n"
                 "expect crop_high_x == 60\ncrop -60 -50 -40 0 50 40\nscreenshot cropped.png \"pane 3-D\"\n"
                 "clip 0 0 0 0.3 0 1\nmode iso\niso 0.025\nscreenshot saved.png \"pane 3-D\"\nsave session it.toml\n"
                 "crop off\nclip clear\nmode mip\ncamera 20 50 1\nwait frames 2\nload session it.toml\nwait done\n"
                 "wait frames 2\nscreenshot restored.png \"pane 3-D\"\n");
  const Image whole = viewer.shot("whole"), cropped = viewer.shot("cropped"), saved = viewer.shot("saved");
  const Patch left{0, 20, whole.width / 2 - 8, whole.height - 20},
      right{whole.width / 2 + 8, 20, left.width, left.height};
  const auto body = [](Rgb c) { return gray(c) > 150; };
  REQUIRE(count(whole, right, body) > 500);
  CHECK(count(cropped, right, body) < 0.05 * static_cast<double>(count(whole, right, body)));
  CHECK(count(cropped, left, body) > 0.7 * static_cast<double>(count(whole, left, body)));
  const Patch all{0, 20, whole.width, whole.height - 20};
  CHECK(mean_difference(saved, viewer.shot("restored"), all) < 0.1);
  CHECK(mean_difference(saved, cropped, all) > 1);
}

}  // namespace input_test
