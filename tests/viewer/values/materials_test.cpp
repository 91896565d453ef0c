// Materials: thresholds that part values, ends that are dragged, and the transfer function that they are.
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include <backlit/core/error.hpp>
#include "model/values/materials.hpp"

using namespace backlit;
using namespace backlit::viewer;

namespace {

/// Values of some materials, with noise, rising.
std::vector<float> mixture(std::initializer_list<std::pair<double, int>> parts, double noise) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, noise);
  std::vector<float> values;
  for (const auto& [value, count] : parts)
    for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(value + normal(random)));
  std::ranges::sort(values);
  return values;
}

}  // namespace

TEST_CASE("Otsu's thresholds part as many materials as are asked for, where they lie") {
  const auto values = mixture({{0, 5000}, {1, 3000}, {2, 2000}, {4, 900}}, 0.1);
  const auto edges = otsu_thresholds(values, 4);
  REQUIRE(edges.size() == 3);
  CHECK(edges[0] == Approx(0.5).margin(0.25));
  CHECK(edges[1] == Approx(1.5).margin(0.25));
  CHECK(edges[2] == Approx(3).margin(0.7));
  CHECK(otsu_thresholds(values, 2).size() == 1);
  // Fewer values than classes: no more thresholds than part anything.
  const std::vector<float> two{0, 0, 0, 1, 1};
  CHECK(otsu_thresholds(two, 5).size() == 1);
  CHECK(otsu_thresholds(std::vector<float>(9, 3.0f), 3).empty());

  const auto found = found_materials(values, 4);
  REQUIRE(found.size() == 4);
  CHECK(found[0].name == "surroundings");
  CHECK(found[0].opacity == 0);
  CHECK(found[3].opacity > 0.5);
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(found[i].low == found[i - 1].high);
    CHECK(found[i].color != found[i - 1].color);
  }
  CHECK(found_materials(std::vector<float>(9, 3.0f), 3).empty());
  CHECK(std::ranges::find(found, next_color(found), &Material::color) == found.end());
}

TEST_CASE("An end of a material moves its neighbour's with it, and stops where another begins") {
  std::vector<Material> all{{"a", 0, 1}, {"b", 1, 2}, {"c", 3, 4}};
  move_material_end(all, 1, 1.5, 0.1);  // a touches b
  CHECK(all[0].high == 1.5);
  CHECK(all[1].low == 1.5);
  move_material_end(all, 2, 9, 0.1);  // b's lower end, the same border
  CHECK(all[0].high == Approx(1.9));
  CHECK(all[1].low == Approx(1.9));
  move_material_end(all, 3, 9, 0.1);  // b's upper end meets c
  CHECK(all[1].high == 3);
  CHECK(all[2].low == 3);
  move_material_end(all, 5, 100, 0.1);
  CHECK(all[2].high == 100);
  move_material_end(all, 0, 5, 0.1);
  CHECK(all[0].low == Approx(1.8));
  move_material_end(all, 77, 5, 0.1);
  CHECK_NOTHROW([&] {
    ViewState s;
    s.materials = all;
    check(s);
  }());
}

TEST_CASE("Materials are steps of a transfer function, those of opacity 0 are clear") {
  const std::vector<Material> all{{"air", -1, 0, "#ffffff", 0},
                                  {"soft", 0, 1, "#ff0000", 0.2},
                                  {"hard", 1, 2, "#0000ff", 0.9},
                                  {"metal", 3, 4, "#00ff00", 0.9}};
  const Classifier c(material_function(all), {{0, 1}, 0.02, 100});
  CHECK(c.at(-0.5).extinction == 0);
  CHECK(c.at(0.5).color.x == 1);
  CHECK(c.at(0.5).extinction == Approx(-std::log(0.8) / 1.5));
  CHECK(c.at(1.5).color.z == 1);
  CHECK(c.at(1.5).extinction > 5 * c.at(0.5).extinction);
  CHECK(c.at(2.5).extinction == 0);
  CHECK(c.at(3.5).color.y == 1);
  CHECK(c.at(9).extinction == 0);
  CHECK_FALSE(Classifier(material_function(std::vector<Material>{}), {}).visible(-100, 100));
}

TEST_CASE("Materials that cannot be are refused in a line") {
  const auto error = [](std::vector<Material> materials) {
    ViewState s;
    s.materials = std::move(materials);
    try {
      check(s);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(error({{"a", 0, 1}, {"b", 1, 2}}) == "");
  CHECK_THAT(error({{"a", 0, 1}, {"b", 0.5, 2}}), Catch::Contains("'b' begins at 0.5, before 'a' ends at 1"));
  CHECK_THAT(error({{"a", 1, 1}}), Catch::Contains("lower value first"));
  CHECK_THAT(error({{"a", 0, 1, "red"}}), Catch::Contains("hexadecimal"));
  CHECK_THAT(error({{"a", 0, 1, "#ff0000", 2}}), Catch::Contains("give 0 to 1"));
  CHECK_THAT(error(std::vector<Material>(9, {"a", 0, 1})), Catch::Contains("too many"));
}

TEST_CASE("Tissues lie where their Hounsfield units are") {
  const auto tissues = tissue_materials(0.02, 0);
  REQUIRE(tissues.size() == 4);
  CHECK(tissues[0].opacity == 0);
  CHECK(tissues[2].name == "soft tissue");
  CHECK(tissues[2].low < 0.02);
  CHECK(tissues[2].high > 0.02);
  CHECK(tissues[3].low == Approx(0.024));
  ViewState s;
  s.materials = tissues;
  CHECK_NOTHROW(check(s));
}
