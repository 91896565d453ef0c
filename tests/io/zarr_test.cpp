// OME-Zarr: what is written, and arrays as other programs write them.
#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <cmath>
#include <map>

#include <backlit/core/atomic_folder.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/deflate.hpp"
#include "support/io/io_samples.hpp"
#include "support/scratch.hpp"

using namespace backlit;
namespace fs = std::filesystem;

namespace {

/// Several chunks along each axis, the last ones not full, and no symmetry.
Volume uneven_volume() {
  VolumeGrid grid;
  grid.size = {131, 67, 70};
  grid.spacing = {0.5, 0.75, 1.25};
  grid.center = {10.5, -20.25, 3.125};
  Volume volume(grid);
  for (std::int64_t z = 0; z < 70; ++z)
    for (std::int64_t y = 0; y < 67; ++y)
      for (std::int64_t x = 0; x < 131; ++x) volume.at(x, y, z) = static_cast<float>(x + 1000 * y + 0.25 * z * x);
  return volume;
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  test::write_bytes(file, text);
}

std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) all[entry.path().string()] = test::file_bytes(entry.path());
  return all;
}

}  // namespace

TEST_CASE("OME-Zarr gives a volume of many chunks back, whole and in parts", "[zarr]") {
  const test::Scratch folder;
  const Volume volume = uneven_volume();
  save_volume(volume, folder / "a.zarr");
  const Volume back = load_volume(folder / "a.zarr");
  REQUIRE(back.grid.size == volume.grid.size);
  CHECK(glm::distance(back.grid.spacing, volume.grid.spacing) < 1e-12);
  CHECK(glm::distance(back.grid.center, volume.grid.center) < 1e-12);
  CHECK(std::equal(back.values.begin(), back.values.end(), volume.values.begin()));
  const auto stack = open_stack((folder / "a.zarr").string());
  const auto pixels = static_cast<std::size_t>(stack->info().pixels());
  std::vector<float> some(5 * pixels);
  stack->read(62, 5, some);  // from one layer of chunks into the next
  CHECK(some[0] == volume.at(0, 0, 62));
  CHECK(some.back() == volume.at(130, 66, 66));
  CHECK_FALSE(is_scan(folder / "a.zarr"));
  CHECK(is_scan(folder.path()));
}

TEST_CASE("The coarser levels of OME-Zarr are means of 2x2x2, and lie where they belong", "[zarr]") {
  const test::Scratch folder;
  const Volume volume = uneven_volume();
  save_volume(volume, folder / "a.zarr");
  const Volume half = load_volume(folder / "a.zarr/1"), quarter = load_volume(folder / "a.zarr/2");
  CHECK(half.grid.size == Size3{66, 34, 35});
  CHECK(quarter.grid.size == Size3{33, 17, 18});
  CHECK_FALSE(fs::exists(folder / "a.zarr/3"));
  for (const auto& [i, j, k] : {std::array{3, 4, 5}, {64, 32, 34}, {0, 0, 0}}) {
    double sum = 0;
    for (int n = 0; n < 8; ++n) sum += static_cast<double>(volume.at(2 * i + n % 2, 2 * j + n / 2 % 2, 2 * k + n / 4));
    CHECK(half.at(i, j, k) == Approx(sum / 8));
  }
  CHECK(half.at(65, 33, 0) == Approx(0.5 * (volume.at(130, 66, 0) + volume.at(130, 66, 1))));  // over the end
  const VolumeGrid& fine = volume.grid;
  CHECK(glm::distance(half.grid.spacing, 2.0 * fine.spacing) < 1e-12);
  CHECK(glm::distance(half.grid.voxel_center(3, 4, 5), fine.voxel_center(6.5, 8.5, 10.5)) < 1e-9);
  CHECK(glm::distance(quarter.grid.voxel_center(3, 4, 5), fine.voxel_center(13.5, 17.5, 21.5)) < 1e-9);
}

TEST_CASE("A single slice, and a volume thinner than a chunk, are OME-Zarr, too", "[zarr]") {
  const test::Scratch folder;
  for (const Size3& size : {Size3{100, 80, 1}, Size3{1, 1, 1}, Size3{1, 3, 200}}) {
    VolumeGrid grid;
    grid.size = size;
    grid.spacing = {0.1, 0.2, 0.3};
    Volume volume(grid);
    for (std::int64_t i = 0; i < volume.values.size(); ++i) volume.values[i] = static_cast<float>(i);
    save_volume(volume, folder / "a.zarr");  // over the one before
    const Volume back = load_volume(folder / "a.zarr");
    CHECK(back.grid == grid);
    CHECK(std::equal(back.values.begin(), back.values.end(), volume.values.begin()));
  }
}

TEST_CASE("Arrays of Zarr 2 and 3 as others write them: packed or not, either byte order, chunks that are not there",
          "[zarr]") {
  const test::Scratch folder;
  // Version 2, one axis too many in front, dots between the numbers of chunks, zlib, big-endian.
  write(folder / "v2/.zgroup", R"({"zarr_format": 2})");
  write(folder / "v2/.zattrs", R"({"multiscales": [{"version": "0.4", "axes": [{"name": "c", "type": "channel"},
    {"name": "z", "type": "space", "unit": "micrometer"}, {"name": "y", "type": "space", "unit": "micrometer"},
    {"name": "x", "type": "space", "unit": "micrometer"}],
    "datasets": [{"path": "full", "coordinateTransformations": [{"type": "scale", "scale": [1, 300, 200, 100]}]}],
    "coordinateTransformations": [{"type": "scale", "scale": [1, 2, 2, 2]},
                                  {"type": "translation", "translation": [0, 3000, 2000, 1000]}]}]})");
  write(folder / "v2/full/.zarray", R"({"zarr_format": 2, "shape": [1, 1, 2, 3], "chunks": [1, 1, 2, 2], "dtype": ">u2",
    "compressor": {"id": "zlib", "level": 1}, "fill_value": 7, "order": "C", "filters": null})");
  write(folder / "v2/full/0.0.0.0", test::deflated(test::packed<std::uint16_t>({1, 2, 3, 65535}, true), 15));
  CHECK(test::read_stack(folder / "v2") == std::vector<float>{1, 2, 7, 3, 65535, 7});
  const StackInfo info = open_stack((folder / "v2").string())->info();
  CHECK(info.type == "u16");
  REQUIRE(info.spacing);
  CHECK(glm::distance(*info.spacing, Vec3(0.2, 0.4, 0.6)) < 1e-12);
  CHECK(glm::distance(*info.center, Vec3(1 + 0.2, 2 + 0.2, 3)) < 1e-12);

  // Version 3, as zarr-python names it.
  write(folder / "v3/zarr.json", R"({"zarr_format": 3, "node_type": "group", "attributes": {"ome": {"version": "0.5",
    "multiscales": [{"axes": [{"name": "y", "type": "space", "unit": "millimeter"},
    {"name": "x", "type": "space", "unit": "millimeter"}], "datasets": [{"path": "0",
    "coordinateTransformations": [{"type": "scale", "scale": [2, 3]}]}]}]}}})");
  write(folder / "v3/0/zarr.json", R"({"zarr_format": 3, "node_type": "array", "shape": [2, 2], "data_type": "float64",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 2]}},
    "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "fill_value": "NaN",
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]})");
  write(folder / "v3/0/c/0/0", test::packed<double>({1.5, -2, 3, 4}, false));
  CHECK(test::read_stack(folder / "v3") == std::vector<float>{1.5f, -2, 3, 4});
  CHECK(open_stack((folder / "v3/0").string())->info().spacing->x == 3);
}

TEST_CASE("Zarr that is not read is refused with what it has", "[zarr]") {
  const test::Scratch folder;
  const auto array = [&](const std::string& with) {
    write(folder / "a.zarr/.zarray", fmt::format(R"({{"shape": [2, 2, 2], "chunks": [2, 2, 2], "dtype": "<f4",
      "compressor": null, "fill_value": 0, {}}})",
                                                 with));
    load_volume(folder / "a.zarr");
  };
  CHECK_THROWS_WITH(array(R"("order": "F")"), Catch::Contains("in Fortran's order"));
  CHECK_THROWS_WITH(array(R"("filters": [{"id": "delta"}])"), Catch::Contains("filtered"));
  CHECK_THROWS_WITH(array(R"("shape": [3, 2, 2, 2], "chunks": [1, 2, 2, 2])"), Catch::Contains("has 3 volumes"));
  CHECK_THROWS_WITH(array(R"("dtype": "<c8")"), Catch::Contains("of type 'c8'"));
  CHECK_THROWS_WITH(array(R"("compressor": {"id": "lzma"})"), Catch::Contains("packed by 'lzma'"));
  CHECK_THROWS_WITH(array(R"("shape": [20000, 20000, 20000])"), Catch::Contains("cannot hold 20000 x 20000 x 20000"));
  CHECK_THROWS_WITH(array(R"("chunks": [200000, 200000, 200000])"), Catch::Contains("chunks are larger"));
  CHECK_NOTHROW(array(R"("order": "C")"));
  write(folder / "a.zarr/0.0.0", "short");
  CHECK_THROWS_WITH(array(R"("order": "C")"), Catch::Contains("5 bytes do not unpack to the 32 of a chunk"));
  write(folder / "s.zarr/zarr.json", R"({"node_type": "array", "shape": [2, 2, 2], "data_type": "uint8",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 2, 2]}},
    "codecs": [{"name": "sharding_indexed", "configuration": {}}]})");
  CHECK_THROWS_WITH(load_volume(folder / "s.zarr"), Catch::Contains("shards"));
  write(folder / "g.zarr/.zgroup", "{}");
  CHECK_THROWS_WITH(load_volume(folder / "g.zarr"), Catch::Contains("holds no volume of OME-Zarr"));
}

TEST_CASE("Damaged OME-Zarr is refused or read, and never worse", "[zarr]") {
  const test::Scratch folder;
  save_volume(test::odd_volume(), folder / "good.zarr");
  save_volume(test::odd_volume(), folder / "victim.zarr");
  int refused = 0;
  for (const char* file : {".zattrs", "0/.zarray", "0/0/0/0"}) {
    INFO(file);
    const auto read = [&](const fs::path&) { load_volume(folder / "victim.zarr"); };
    refused += test::read_damaged(folder / "good.zarr" / file, folder / "victim.zarr" / file, read, 100);
    fs::copy_file(folder / "good.zarr" / file, folder / "victim.zarr" / file, fs::copy_options::overwrite_existing);
  }
  CHECK(refused > 100);
}

TEST_CASE("A folder is replaced when it holds nothing else, and only when the new one is complete", "[zarr]") {
  const test::Scratch folder;
  const fs::path file = folder / "a.zarr";
  save_volume(test::odd_volume(), file);
  const auto before = contents(folder.path());
  {
    const auto writer = create_volume(file, test::odd_volume().grid);
    writer->write(test::odd_volume().values.span());  // and no commit()
  }
  CHECK(contents(folder.path()) == before);
  save_volume(uneven_volume(), file);
  CHECK(load_volume(file).grid.size == uneven_volume().grid.size);
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
  test::write_bytes(file / "notes.txt", "mine");
  CHECK_THROWS_WITH(check_replaceable(file), Catch::Contains("holds notes.txt, which is of something else"));
  CHECK_THROWS_AS(save_volume(test::odd_volume(), file), InputError);
  CHECK(test::file_bytes(file / "notes.txt") == "mine");
  test::write_bytes(folder / "b.zarr", "a file");
  CHECK_THROWS_WITH(check_replaceable(folder / "b.zarr"), Catch::Contains("is a file"));
  fs::create_directory_symlink(file, folder / "link.zarr");
  fs::remove(file / "notes.txt");
  save_volume(test::odd_volume(), folder / "link.zarr");
  CHECK(fs::is_symlink(folder / "link.zarr"));
  CHECK(load_volume(file).grid.size == test::odd_volume().grid.size);
  save_volume(test::odd_volume(), (folder / "c.zarr").string() + "/");
  CHECK(load_volume(folder / "c.zarr").grid == test::odd_volume().grid);
}
