// Arrays that do not fit in memory lie in a file that nobody sees.
#include <catch2/catch.hpp>
#include <fstream>
#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/data/host_array.hpp>
#include <backlit/data/host_memory.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "io/volumes/stacks/mapped_volume.hpp"
#include "support/scratch.hpp"
#include "support/skip.hpp"

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

TEST_CASE("the file that a volume is mapped to becomes the .raw of its .mhd") {
  const test::Scratch folder;
  const Limited limited(1000, folder.path());
  Volume volume(VolumeGrid{{37, 21, 11}, {0.5, 0.5, 2}, {3, -1, 0}});
  std::iota(volume.values.begin(), volume.values.end(), -7.5f);
  CHECK_FALSE(save_mapped_volume(volume, folder / "v.mha"));
  CHECK(std::filesystem::is_empty(folder.path()));
  if (!save_mapped_volume(volume, folder / "v.mhd"))
    BACKLIT_SKIP("this file system gives no name to files without one");
  {
    const Volume back = load_volume(folder / "v.mhd");
    CHECK(back.grid.size == volume.grid.size);
    CHECK(back.grid.center == volume.grid.center);
    CHECK(std::equal(back.values.begin(), back.values.end(), volume.values.begin(), volume.values.end()));
  }
  volume.values[5] = 1234;  // it is the file, not a copy of it
  float sixth = 0;
  std::ifstream(folder / "v.raw", std::ios::binary).seekg(5 * sizeof(float)).read(reinterpret_cast<char*>(&sixth), 4);
  CHECK(sixth == 1234);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
  // What somebody else's .raw would be lost to is refused as ever.
  std::filesystem::remove(folder / "v.mhd");
  CHECK_THROWS_WITH(save_mapped_volume(volume, folder / "v.mhd"), Catch::Contains("which belongs to another file"));
  CHECK(std::filesystem::file_size(folder / "v.raw") == 4 * 37 * 21 * 11);
}

TEST_CASE("volumes in memory are saved by copying") {
  const test::Scratch folder;
  const Volume volume(VolumeGrid{{5, 4, 3}, {1, 1, 1}, {0, 0, 0}});
  CHECK_FALSE(save_mapped_volume(volume, folder / "v.mhd"));
  CHECK(std::filesystem::is_empty(folder.path()));
}
