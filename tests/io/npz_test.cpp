// NumPy's archives: stored, compressed, beyond 4 GiB, several arrays, damaged.
#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/data/reads_rows.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/npz_sample.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using Catch::Contains;
using test::counting_npy;
using test::ZipFile;

namespace {

std::string refusal(const test::Scratch& folder, const std::string& bytes, const std::string& array = "") {
  test::write_bytes(folder / "r.npz", bytes);
  try {
    load_volume((folder / "r.npz").string() + array);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("The only stack of a .npz is read, stored or compressed, and any array by its name") {
  const test::Scratch folder;
  for (const bool compressed : {false, true})
    for (const bool large : {false, true}) {
      INFO((compressed ? "compressed" : "stored") << (large ? ", as beyond 4 GiB" : ""));
      const std::vector<ZipFile> files{{"theta.npy", counting_npy({4}), compressed},
                                       {"views.npy", counting_npy({4, 3, 2}), compressed},
                                       {"flat/one.npy", counting_npy({3, 2}), compressed},
                                       {"read.me", "no array"}};
      test::write_bytes(folder / "s.npz", test::zip_bytes(files, large));
      const std::string file = (folder / "s.npz").string();
      for (const std::string& name : {file, file + ":/views"}) {
        const Volume v = load_volume(name);
        REQUIRE(v.grid.size == Size3{2, 3, 4});
        for (std::int64_t i = 0; i < 24; ++i) CHECK(v.values[i] == static_cast<float>(i));
      }
      CHECK(load_volume(file + ":/flat/one").grid.size == Size3{2, 3, 1});
      CHECK(open_stack(file)->info().type == "f32");
      CHECK(open_stack(file)->info().format == "npz");
      CHECK(read_numbers(file + ":/theta") == std::vector<double>{0, 1, 2, 3});
      CHECK(read_numbers(file) == std::vector<double>{0, 1, 2, 3});
    }
}

TEST_CASE("A stored array of a .npz is read by rows") {
  const test::Scratch folder;
  test::write_bytes(folder / "s.npz", test::npz_bytes(false));
  const auto stack = open_stack((folder / "s.npz").string());
  look_at_rows(*stack, {1, 1});
  std::vector<float> some(24, -1);
  stack->read(0, 4, some);
  CHECK(some[1] == -1);
  CHECK(some[2] == 2);
  CHECK(some[3] == 3);
  CHECK(some[4] == -1);
  CHECK(some[21] == 21);
}

TEST_CASE("What a .npz lacks is said with the arrays that it holds") {
  const test::Scratch folder;
  const std::vector<ZipFile> two{{"a.npy", counting_npy({2, 3, 2})}, {"b.npy", counting_npy({2, 3, 2})}};
  CHECK_THAT(refusal(folder, test::zip_bytes(two)), Contains("holds /a, /b; name one as file.npz:/name"));
  CHECK_THAT(refusal(folder, test::zip_bytes(two), ":/c"), Contains("holds no /c; it holds /a, /b"));
  CHECK_THAT(refusal(folder, test::zip_bytes({})), Contains("holds no arrays"));
  CHECK_THAT(refusal(folder, test::zip_bytes({{"v.npy", counting_npy({4})}})), Contains("r.npz:/v: has 1 dimensions"));
  CHECK_THAT(refusal(folder, test::zip_bytes({{"v.npy", counting_npy({2, 2}).substr(0, 140)}})),
             Contains("r.npz:/v: has 140 bytes where its header asks for 144"));
  CHECK_THAT(refusal(folder, test::zip_bytes({{"v.npy", counting_npy({2, 2}), true, 12}})),
             Contains("v.npy is packed by method 12"));
  std::string broken = test::npz_bytes(true);
  const std::size_t sum = broken.find("PK\1\2") + 16;
  for (std::size_t at = sum; at < sum + 4; ++at) broken[at] = static_cast<char>(~broken[at]);
  CHECK_THAT(refusal(folder, broken), Contains("incorrect data check"));
  CHECK_THAT(refusal(folder, test::npz_bytes(false).substr(0, 300)), Contains("no list of files"));
}

TEST_CASE("Damaged .npz files are refused or read, and never crash") {
  const test::Scratch folder;
  for (const bool compressed : {false, true})
    for (const bool large : {false, true})
      for (const test::Damaged& d : test::damaged_copies(
               test::zip_bytes({{"v.npy", counting_npy({4, 3, 2}), compressed}, {"t.npy", counting_npy({4})}}, large),
               100)) {
        INFO(d.how);
        test::write_bytes(folder / "d.npz", d.bytes);
        try {
          load_volume(folder / "d.npz");
        } catch (const Error&) {
        }
      }
}
