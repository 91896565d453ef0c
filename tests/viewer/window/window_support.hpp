// Runs backlit-view in a test, off screen, and judges its pictures.
#pragma once

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <backlit/render/png.hpp>
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"

namespace backlit::test {

struct Patch {
  std::int64_t x, y, width, height;
};
/// A pane's picture without its title and what is written along its lower edge.
inline Patch inner(const Image& pane) { return {8, 40, pane.width - 16, pane.height - 80}; }

class Viewer {
 public:
  /// Runs `lines` after opening the smallest example without panels; "SHOT name" takes a screenshot.
  ProgramResult run(const std::string& lines, const std::vector<std::string>& more = {}) {
    std::ofstream(folder / "script.txt") << lines;
    setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);  // an empty list of recent files
    std::vector<std::string> arguments{"--offscreen", "--size", "900x620", "--script", "script.txt"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program("backlit-view", folder.path(), arguments);
  }
  /// For scripts that must succeed without output.
  void succeed(const std::string& lines) {
    const ProgramResult result = run(lines);
    REQUIRE(result.err == "");
    REQUIRE(result.code == 0);
  }
  Image shot(const std::string& name) const { return load_png(folder / (name + ".png")); }

  TemporaryFolder folder;
};

inline bool viewer_built() { return std::filesystem::exists(program_dir() / "backlit-view"); }
#define REQUIRE_VIEWER()              \
  if (!backlit::test::viewer_built()) \
  BACKLIT_SKIP("backlit-view was not built: libglfw3-dev and libimgui-dev are missing")

inline double gray(Rgb c) { return (c.r + c.g + c.b) / 3.0; }

template <class Judge>
std::int64_t count(const Image& image, const Patch& box, Judge&& judge) {
  std::int64_t n = 0;
  for (std::int64_t y = box.y; y < box.y + box.height; ++y)
    for (std::int64_t x = box.x; x < box.x + box.width; ++x) n += judge(image.at(x, y)) ? 1 : 0;
  return n;
}

inline double mean(const Image& image, const Patch& box) {
  double sum = 0;
  count(image, box, [&](Rgb c) { return sum += gray(c), false; });
  return sum / static_cast<double>(box.width * box.height);
}

inline double mean_difference(const Image& a, const Image& b, const Patch& box) {
  double sum = 0;
  for (std::int64_t y = box.y; y < box.y + box.height; ++y)
    for (std::int64_t x = box.x; x < box.x + box.width; ++x) sum += std::abs(gray(a.at(x, y)) - gray(b.at(x, y)));
  return sum / static_cast<double>(box.width * box.height);
}

}  // namespace backlit::test
