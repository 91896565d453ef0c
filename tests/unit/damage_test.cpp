#include <catch2/catch.hpp>

#include <set>

#include "support/damage.hpp"

using backlit::test::damaged_copies;

TEST_CASE("damaged copies are many, different from the good file and the same on every run") {
  const std::string good = "DimSize = 12 34 56\nElementType = MET_FLOAT\n" + std::string(500, 'x');
  const auto copies = damaged_copies(good, 64, 43), again = damaged_copies(good, 64, 43);
  REQUIRE(copies.size() == 64);
  std::set<std::string> distinct;
  int changed = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    CHECK(copies[i].bytes == again[i].bytes);
    distinct.insert(copies[i].bytes);
    changed += copies[i].bytes != good;
  }
  CHECK(changed >= 58);
  CHECK(distinct.size() >= 55);
  CHECK(damaged_copies("1", 40).size() == 40);
}
