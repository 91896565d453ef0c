#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/core/half.hpp>
#include <backlit/core/parameter.hpp>

using namespace backlit;

TEST_CASE("parameters parse, check their range and say what is allowed") {
  double cutoff = 1;
  std::int64_t subsets = 4;
  bool force = false;
  std::string method = "fdk";
  Parameters list{{"cutoff", &cutoff, "share of Nyquist", "", 0.1, 1},
                  {"subsets", &subsets, "subsets", "", 1, 100},
                  {"force", &force, "go on"},
                  {"method", &method, "method"}};
  list[3].choices = {"fdk", "sirt"};

  find_parameter(list, "cutoff").set("0.5");
  find_parameter(list, "subsets").set("10");
  find_parameter(list, "force").set("true");
  find_parameter(list, "method").set("sirt");
  CHECK(cutoff == 0.5);
  CHECK(subsets == 10);
  CHECK(force);
  CHECK(method == "sirt");
  CHECK(list[0].text() == "0.5");

  CHECK_THROWS_WITH(list[0].set("2", "a.toml"), "a.toml: cutoff: 2 is outside 0.1 to 1");
  CHECK_THROWS_WITH(list[1].set("four"), "subsets: 'four' is not a whole number; subsets");
  CHECK_THROWS_WITH(list[3].set("sart"), "method: unknown value 'sart'; choose one of fdk, sirt");
  CHECK_THROWS_WITH(list[0].set("nan"), "cutoff: nan is outside 0.1 to 1");
  CHECK_THROWS_AS(find_parameter(list, "cut"), InputError);
  CHECK(cutoff == 0.5);
}

TEST_CASE("half floats round trip and round to nearest even") {
  for (std::uint32_t h = 0; h < 0x7c00u; ++h) {
    CHECK(half_from_float(float_from_half(static_cast<std::uint16_t>(h))) == h);
    CHECK(half_from_float(-float_from_half(static_cast<std::uint16_t>(h))) == (h | 0x8000u));
  }
  CHECK(half_from_float(1.0f) == 0x3c00u);
  CHECK(half_from_float(1.0f + 0x1p-11f) == 0x3c00u);      // tie to even
  CHECK(half_from_float(1.0f + 3 * 0x1p-11f) == 0x3c02u);  // tie to even, upwards
  CHECK(half_from_float(65504.0f) == 0x7bffu);
  CHECK(half_from_float(65520.0f) == 0x7c00u);
  CHECK(half_from_float(1e-9f) == 0u);
}
