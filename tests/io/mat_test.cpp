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
    CHECK(read_numbers((folder / "v.mat:/scan/mm").string()) == std::vector<double>{7});
    CHECK_THROWS_WITH(read_numbers((folder / "v.mat").string()), Contains("/scan/volume has 2 x 3 x 4 numbers"));
    CHECK_THROWS_WITH(load_volume((folder / "v.mat:/none").string()), Contains("it holds /scan/mm, /scan/volume"));
  }
  test::write_bytes(folder / "big.mat", "MATLAB 5.0 MAT-file" + std::string(105, ' ') + std::string("\1\0MI", 4));
  CHECK_THROWS_WITH(load_volume(folder / "big.mat"), Contains("little-endian"));
  test::write_bytes(folder / "empty.mat", test::mat_bytes(false).substr(0, 128));
  CHECK_THROWS_WITH(load_volume(folder / "empty.mat"), Contains("no array of numbers"));
}

TEST_CASE("A row or a column of a MATLAB file is a list of numbers") {
  const test::Scratch folder;
  for (const std::vector<std::uint32_t>& shape : {std::vector<std::uint32_t>{1, 3}, {3, 1}}) {
    test::write_bytes(folder / "a.mat", test::counting_mat(shape));
    CHECK(read_numbers((folder / "a.mat:/p").string()) == std::vector<double>{0, 1, 2});
  }
}

TEST_CASE("A field of a structure in a structure of a MATLAB file has one slash a level") {
  const test::Scratch folder;
  using test::mat_element, test::mat_matrix, test::mat_word;
  const std::string one = mat_word(1) + mat_word(1), length = mat_word(5 | 4 << 16) + mat_word(8);
  const float values[] = {0.5f, 2};
  const std::string numbers(reinterpret_cast<const char*>(values), sizeof values);
  const std::string angles = mat_matrix(7, mat_word(2) + mat_word(1), "", mat_element(7, numbers));
  const std::string inner = mat_matrix(2, one, "", length + mat_element(1, std::string("angles\0\0", 8)) + angles);
  const std::string outer = mat_matrix(2, one, "scan", length + mat_element(1, std::string("inner\0\0\0", 8)) + inner);
  test::write_bytes(folder / "s.mat", test::mat_header() + outer);
  CHECK(read_numbers((folder / "s.mat:/scan/inner/angles").string()) == std::vector<double>{0.5, 2});
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
