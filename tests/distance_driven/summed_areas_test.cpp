// Summed areas of a view as graphics hardware interpolates them, weights of 8 bits and products rounded like them, on
// the host: one view back against the transpose in double precision, and views forward against the reference.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "support/projectors/one_view_back.hpp"
#include "support/projectors/summed_area_kernels.hpp"
#include "support/projectors/summed_areas_in_double.hpp"

using namespace backlit;
using test::Way;

namespace {

template <bool shared>
test::Errors errors(const test::OneViewBack& v) {
  return test::errors_of(test::back_by_areas<shared>({}, v.grid, v.scan, v.image), v.truth);
}

std::vector<float> by(const Way& way, const test::OneViewBack& v) {
  return test::back_by_areas(way, v.grid, v.scan, v.image);
}

}  // namespace

TEST_CASE("Summed areas with weights of 8 bits give one view back within 0.2 %") {
  for (const std::size_t view : {0, 100, 123}) {
    const auto v = test::one_view_back(view, true);
    const test::Errors alone = errors<false>(v), shared = errors<true>(v);
    INFO("view " << view << ": " << alone.normalised << ", " << alone.relative << "; " << shared.normalised << ", "
                 << shared.relative);
    CHECK(alone.normalised < 1.3e-3);  // 1.8e-3 where the mean of rows decides what lies beyond the detector
    CHECK(shared.normalised < 1.3e-3);
    CHECK(alone.relative < 6e-4);  // 1.4e-3 where the table holds the means of columns too
    CHECK(shared.relative < 6e-4);
  }
}

TEST_CASE("Summed areas in single precision are the same method's in double within 1e-5") {
  for (const std::size_t view : {0, 100, 123}) {
    const auto v = test::one_view_back(view, true);
    const auto method = test::InDouble(v).back();
    const test::Errors software = test::errors_of(by({.hardware = false}, v), method);
    const test::Errors halves = test::errors_of(by({.hardware = false, .halves = true}, v), method);
    const Way plain{.hardware = false, .less_mean = false},
        plain_compensated{.hardware = false, .less_mean = false, .compensated = true};
    const test::Errors with_means = test::errors_of(by(plain, v), method);
    const test::Errors compensated = test::errors_of(by(plain_compensated, v), method);
    INFO("view " << view << ": " << software.normalised << ", " << software.relative << "; tables of halves "
                 << halves.normalised << ", " << halves.relative << "; with means " << with_means.relative
                 << ", compensated " << compensated.relative);
    CHECK(software.relative < 1e-5);
    CHECK(compensated.relative < 1e-5);
    CHECK(with_means.relative > 2 * compensated.relative);
    CHECK(halves.relative > 10 * software.relative);  // why there are none
  }
}

TEST_CASE("Summed areas in tiles are the same sums, and keep more of them where means stay") {
  const auto v = test::one_view_back(100, true);
  const auto method = test::InDouble(v).back();
  const auto off = [&](bool less_mean, int tile) {
    return test::errors_of(by({.hardware = false, .less_mean = less_mean, .tile = tile}, v), method).relative;
  };
  for (const int tile : {7, 16}) {
    INFO("tiles of " << tile);
    CHECK(off(true, tile) < 1e-5);
    CHECK(off(false, tile) < 1e-5);
    CHECK(off(false, 0) > 2 * off(false, tile));
  }
}

TEST_CASE("Corners shared across columns cost more than summed areas themselves do") {
  const auto v = test::one_view_back(100, true);
  const double own = test::errors_of(test::InDouble(v).back(), v.truth).relative;
  CHECK(test::errors_of(test::InDouble(v, false, true).back(), v.truth).relative == Approx(own).epsilon(1e-3));
  CHECK(test::errors_of(test::InDouble(v, true, true).back(), v.truth).relative > 10 * own);
  CHECK(test::errors_of(test::InDouble(v, true, false).back(), v.truth).relative > 100 * own);
  const Volume head = voxelize(load_phantom("forbild-head"), v.grid, 1);
  for (const bool less_means : {true, false}) {
    const auto off = [&](bool shared) {
      return test::errors_of(test::forward_in_double(head, v.scan, shared, less_means), v.image).relative;
    };
    CHECK(off(false) < 1e-6);
    CHECK(off(true) > 1e-3);
  }
}

TEST_CASE("Views by summed areas are the reference's") {
  const auto v = test::one_view_back(100, true);
  const Volume head = voxelize(load_phantom("forbild-head"), v.grid, 1);
  const auto off = [&](const Way& way) {
    return test::errors_of(test::forward_by_areas(way, head, v.scan), v.image).relative;
  };
  CHECK(off({.hardware = false}) < 2e-6);
  CHECK(off({.hardware = false, .less_mean = false, .compensated = true}) < 2e-6);
  CHECK(off({.hardware = false, .less_mean = false, .tile = 16}) < 2e-6);
  CHECK(off({}) < 5e-4);
  CHECK(off({.less_mean = false}) < 3e-3);
  CHECK(off({.less_mean = false}) > 2 * off({}));
}

TEST_CASE("Study of summed areas on the host", "[.study]") {
  for (const std::size_t view : {0, 100, 123, 300, 600}) {
    const auto v = test::one_view_back(view, false);
    const test::Errors alone = errors<false>(v), shared = errors<true>(v);
    std::printf("ct750, view %3zu back: bl %.3g, %.3g; bz %.3g, %.3g\n", view, alone.normalised, alone.relative,
                shared.normalised, shared.relative);
    CHECK(alone.normalised < 2e-3);
    CHECK(shared.normalised < 2e-3);
  }
}

/// What of the error is the method's, what arithmetic's, and what tables' way of being made does to it.
TEST_CASE("Study of the tables of summed areas on the host", "[.study]") {
  const auto v = test::one_view_back(100, false);
  const auto method = test::InDouble(v).back();
  const test::Errors own = test::errors_of(method, v.truth);
  std::printf("max/max, rel. L2 against the transpose | against the method in double: %.3g, %.3g |\n", own.normalised,
              own.relative);
  const auto tell = [&](const std::string& what, const std::vector<float>& volume) {
    const test::Errors all = test::errors_of(volume, v.truth), arithmetic = test::errors_of(volume, method);
    std::printf("%s: %.3g, %.3g | %.3g, %.3g\n", what.c_str(), all.normalised, all.relative, arithmetic.normalised,
                arithmetic.relative);
    std::fflush(stdout);
  };
  for (const bool less_mean : {true, false}) {
    const std::string means = less_mean ? ", less means" : ", plain";
    tell("in double, corners shared across" + means, test::InDouble(v, true, less_mean).back());
    for (const bool hardware : {false, true})
      for (const bool doubles : {true, false})
        for (const bool halves : {false, true})
          tell((hardware ? "hardware" : "software") + means + ", sums in " + (doubles ? "double" : "single") +
                   ", entries of " + (halves ? "16" : "32") + " bits",
               by({hardware, less_mean, doubles, halves}, v));
    tell("software" + means + ", entries of two floats",
         by({.hardware = false, .less_mean = less_mean, .compensated = true}, v));
    for (const int tile : {16, 64, 256})
      tell("software" + means + ", tiles of " + std::to_string(tile),
           by({.hardware = false, .less_mean = less_mean, .tile = tile}, v));
  }
  const Volume head = voxelize(load_phantom("forbild-head"), v.grid, 1);
  for (const bool less_means : {true, false})
    for (const bool shared : {false, true}) {
      const test::Errors e = test::errors_of(test::forward_in_double(head, v.scan, shared, less_means), v.image);
      std::printf("forward in double, %s, corners %s: %.3g, %.3g\n", less_means ? "less means" : "plain",
                  shared ? "shared across" : "of rectangles", e.normalised, e.relative);
    }
  CHECK(own.relative < 2e-4);
}

TEST_CASE("Two floats hold what one loses, and add and scale it") {
  const auto value = [](TwoFloats a) { return double{a.high} + double{a.low}; };
  double big = 3e5, small = 1.0 / 3;
  for (int i = 0; i < 200; ++i, big *= -0.93, small *= 1.07) {
    const TwoFloats a(big), b(small);
    CHECK(std::abs(value(a) - big) <= 1e-14 * std::abs(big));
    CHECK(value(a + b) == Approx(big + small).epsilon(1e-13).margin(1e-13 * std::abs(big)));
    CHECK(value(a - b) == Approx(big - small).epsilon(1e-13).margin(1e-13 * std::abs(big)));
    CHECK(value(0.3f * b) == Approx(double{0.3f} * small).epsilon(1e-13));
    CHECK(static_cast<float>(a + b - a) == Approx(small).epsilon(1e-7).margin(1e-13 * std::abs(big)));
  }
}

TEST_CASE("The mean within a table is that of a place spread evenly") {
  for (const float blur : {0.0f, 0.01f, 0.4f})
    for (float place = -1; place < 9; place += 0.03f) {
      double sum = 0;
      const int n = 2000;
      for (int i = 0; i < n; ++i)
        sum += std::clamp(double(place) + double(blur) * (2 * (i + 0.5) / n - 1), 0.0, 8.0) / n;
      INFO(place << " +- " << blur);
      CHECK(double(mean_within(place, blur, 8)) == Approx(sum).margin(1e-5));
    }
}
