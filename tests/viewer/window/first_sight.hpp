// Judges the first picture of what was opened: there is an object in it, and the window suits the volume.
#pragma once

#include <sstream>

#include "viewer/window/window_support.hpp"

namespace backlit::test {

/// Share of a pane that is brighter than its background.
inline double covered(const Image& image) {
  const Patch box = inner(image);
  const auto bright = [](Rgb c) { return gray(c) > 60; };
  return static_cast<double>(count(image, box, bright)) / static_cast<double>(box.width * box.height);
}

inline double contrast(const Image& image) {
  const Patch box = inner(image);
  const double middle = mean(image, box);
  double square = 0;
  count(image, box, [&](Rgb c) {
    square += (gray(c) - middle) * (gray(c) - middle);
    return false;
  });
  return std::sqrt(square / static_cast<double>(box.width * box.height));
}

/// The window leaves out few values above it, and lies where there are values.
inline void check_window(const Viewer& viewer, const std::string& printed) {
  std::istringstream numbers(printed);
  double low = 0, high = 0;
  REQUIRE(numbers >> low >> high);
  CHECK(low < high);
  std::ifstream in(viewer.folder / "histogram.csv");
  std::string head;
  std::getline(in, head);
  double value = 0, samples = 0, all = 0, above = 0, within = 0;
  for (char comma = 0; in >> value >> comma >> samples;) {
    all += samples;
    above += value > high ? samples : 0;
    within += value >= low && value <= high ? samples : 0;
  }
  CHECK(above < 0.06 * all);
  CHECK(within > 0.3 * all);
}

/// `settings` come before it is opened, `expected` after.
inline void check_picture(const std::string& path, const std::string& settings = "", const std::string& expected = "") {
  INFO(path);
  Viewer viewer;
  const ProgramResult result = viewer.run(
      "set font_scale 0.5\nresize 600 460\ntoggle panels off\ntoggle crosshair off\n" + settings + "open " + path +
      "\nwait done\nwait frames 4\nscreenshot slice.png \"pane Axial\"\nscreenshot space.png \"pane 3-D\"\n"
      "mode iso\nwait frames 4\nscreenshot iso.png \"pane 3-D\"\n" +
      expected + "export histogram histogram.csv\nget low\nget high\nexpect errors == 0\n");
  REQUIRE(result.err == "");
  check_window(viewer, result.out);
  CHECK(contrast(viewer.shot("slice")) > 15);
  CHECK(covered(viewer.shot("space")) > 0.015);
  CHECK(covered(viewer.shot("space")) < 0.8);
  CHECK(covered(viewer.shot("iso")) > 0.015);
  CHECK(covered(viewer.shot("iso")) < 0.8);
}

}  // namespace backlit::test
