#include <backlit/render/colormap.hpp>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <backlit/core/error.hpp>
#include <backlit/geometry/types.hpp>
#include "support/scratch.hpp"

using namespace backlit;

namespace {

/// CIE L*a*b* (D65) of a colour as displayed (sRGB, IEC 61966-2-1).
Vec3 lab(Rgb color) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const double r = linear(color.r / 255.0), g = linear(color.g / 255.0), b = linear(color.b / 255.0);
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const double y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  const double z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

}  // namespace

TEST_CASE("maps are perceptually uniform: equal steps of value are equal differences of colour") {
  for (const std::string name : {"heat", "viridis", "ice", "difference", "blue-red"}) {
    const Colormap& map = colormap(name);
    const bool is_signed = name == "difference" || name == "blue-red";
    // Steps of 1/16 of the map: far above what 8 bits a channel round to, below the bends of the path.
    const int steps = 16;
    for (const int begin : is_signed ? std::vector<int>{0, steps / 2} : std::vector<int>{0}) {
      const int end = is_signed ? begin + steps / 2 : steps;
      double least = 1e9, most = 0;
      for (int i = begin; i < end; ++i) {
        const double d = glm::length(lab(map.at((i + 1.0) / steps)) - lab(map.at(double(i) / steps)));
        least = std::min(least, d);
        most = std::max(most, d);
      }
      INFO(name << " from " << begin << ": " << least << " to " << most);
      CHECK(least > 0.87 * most);
    }
  }
}

TEST_CASE("sequential maps get lighter all the way, signed ones turn in the middle") {
  for (const std::string name : {"gray", "heat", "viridis", "ice"})
    for (int i = 0; i < 32; ++i) CHECK(lab(colormap(name).at((i + 1) / 32.0)).x > lab(colormap(name).at(i / 32.0)).x);
  CHECK(lab(colormap("difference").at(0.5)).x < 5);
  CHECK(lab(colormap("blue-red").at(0.5)).x > 85);
}

TEST_CASE("colour maps can be files of one's own, and broken ones name file and line") {
  const test::Scratch folder;
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  CHECK(colormap(write("two.txt", "# mine\n0 0 0\n1 0.5 0\n")).at(1) == Rgb{255, 128, 0});
  CHECK_THROWS_WITH(colormap(write("a.txt", "0 0 0\n")), Catch::Contains("a.txt: fewer than two colours"));
  CHECK_THROWS_WITH(colormap(write("b.txt", "0 0 0\n0 2 0\n")), Catch::Contains("b.txt:2: 2 is outside 0..1"));
  CHECK_THROWS_WITH(colormap(write("c.txt", "0 0\n")), Catch::Contains("c.txt:1: 2 numbers; give 3"));
}
