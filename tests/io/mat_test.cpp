// MATLAB files: arrays, fields of structures, compressed or not, damaged.
#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/mat_sample.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using Catch::Contains;

TEST_CASE("The largest array of a MATLAB file is a volume, its first dimension along x") {
  const test::Scratch folder;
  for (const bool compressed : {false, true}) {
    INFO(compressed);
    test::write_bytes(folder / "v.mat", test::mat_bytes(compressed));
    for (const char* name : {"v.mat", "v.mat:/scan/volume"}) {
      const Volume v = load_volume((folder / name).string());
      REQUIRE(v.grid.size == Size3{2, 3, 4});
      CHECK(v.at(1, 0, 0) == 1);
      CHECK(v.at(0, 1, 0) == 2);
      CHECK(v.at(1, 2, 3) == 23);
    }
    CHECK(open_stack((folder / "v.mat").string())->info().type == "f32");
    CHECK(load_volume((folder / "v.mat:/scan/mm").string()).at(0, 0, 0) == 7);
    CHECK_THROWS_WITH(load_volume((folder / "v.mat:/none").string()), Contains("it holds /scan/mm, /scan/volume"));
  }
  test::write_bytes(folder / "big.mat", "MATLAB 5.0 MAT-file" + std::string(105, ' ') + std::string("\1\0MI", 4));
  CHECK_THROWS_WITH(load_volume(folder / "big.mat"), Contains("little-endian"));
  test::write_bytes(folder / "empty.mat", test::mat_bytes(false).substr(0, 128));
  CHECK_THROWS_WITH(load_volume(folder / "empty.mat"), Contains("no array of numbers"));
}

TEST_CASE("Damaged MATLAB files are refused or read, and never crash") {
  const test::Scratch folder;
  for (const bool compressed : {false, true})
    for (const test::Damaged& d : test::damaged_copies(test::mat_bytes(compressed), 150)) {
      INFO(d.how);
      test::write_bytes(folder / "d.mat", d.bytes);
      try {
        load_volume(folder / "d.mat");
      } catch (const Error&) {
      }
    }
}
