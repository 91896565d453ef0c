// Arrays that do not fit in memory lie in a file that nobody sees.
#include <catch2/catch.hpp>
#include <numeric>

#include "core/error.hpp"
#include "data/host_array.hpp"
#include "data/host_memory.hpp"
#include "support/scratch.hpp"

using namespace backlit;

namespace {

struct Limited {
  Limited(std::int64_t bytes, const std::filesystem::path& folder) { set_host_memory({bytes, folder}); }
  ~Limited() { set_host_memory({}); }
};

}  // namespace

TEST_CASE("arrays past the limit are mapped to a file, those before it are not") {
  const test::Scratch folder;
  const Limited limited(1 << 20, folder.path());
  bool in_file = true;
  const auto first = zeroed_memory(600 << 10, &in_file);
  CHECK_FALSE(in_file);
  {
    const auto second = zeroed_memory(600 << 10, &in_file);  // together they are too much
    CHECK(in_file);
    CHECK(std::filesystem::is_empty(folder.path()));
    const auto* bytes = static_cast<const char*>(second.get());
    CHECK(std::all_of(bytes, bytes + (600 << 10), [](char c) { return c == 0; }));
  }
  HostArray<float> large(1'000'003);
  std::iota(large.begin(), large.end(), 0.0f);
  const HostArray<float> copy = large.clone();
  CHECK(copy[1'000'002] == 1'000'002);
  CHECK(copy[70'001] == 70'001);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("what a limit held back is given again when arrays go") {
  const test::Scratch folder;
  const Limited limited(1 << 20, folder.path());
  for (int i = 0; i < 4; ++i) {
    bool in_file = true;
    zeroed_memory(900 << 10, &in_file);
    CHECK_FALSE(in_file);
  }
}

TEST_CASE("arrays that fit nowhere are refused with where there was no room") {
  const test::Scratch folder;
  {
    const Limited limited(1000, folder / "missing");
    CHECK_THROWS_WITH(HostArray<float>(1000), Catch::Contains("3.906 KiB do not fit in memory, nor in a file in " +
                                                              (folder / "missing").string() + ": No such file"));
  }
  const Limited limited(1000, folder.path());
  CHECK_THROWS_AS(HostArray<float>(std::int64_t{1} << 55), Failure);
  CHECK_THROWS_AS(HostArray<float>(std::int64_t{1} << 62), Failure);
  CHECK(std::filesystem::is_empty(folder.path()));
}
