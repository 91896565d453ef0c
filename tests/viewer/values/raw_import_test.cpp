// Values without a header, and TIFF images of one name: what is guessed, what is shown, what is opened.
#include "model/sources/raw_import.hpp"

#include <fstream>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using test::Windowless;

namespace {

/// 16-bit values 0, 1, 2, ..., high byte first or last, after a header of zeros.
std::string write_u16(const std::filesystem::path& file, std::int64_t count, bool big, std::int64_t header = 0) {
  std::ofstream out(file, std::ios::binary);
  for (std::int64_t i = 0; i < header; ++i) out.put(0);
  for (std::int64_t i = 0; i < count; ++i) {
    const char low = static_cast<char>(i & 255), high = static_cast<char>(i >> 8);
    out.put(big ? high : low).put(big ? low : high);
  }
  return file.string();
}

}  // namespace

TEST_CASE("Sizes, type and header are guessed from a file's name and size") {
  const test::Scratch folder;
  RawImport raw = guess_raw(write_u16(folder / "head_9x8x7_uint16_be.raw", 9 * 8 * 7, true, 12));
  CHECK(raw.size == Size3{9, 8, 7});
  CHECK(raw.type == "u16");
  CHECK(raw.big_endian);
  CHECK(raw.header == 12);
  CHECK(bytes_left(raw) == 0);
  raw = guess_raw(write_u16(folder / "cube.raw", 12 * 12 * 12, false));
  CHECK(raw.size == Size3{12, 12, 12});
  CHECK(raw.type == "u16");
  CHECK(!raw.big_endian);
  raw = guess_raw(write_u16(folder / "4x3x2.raw", 4 * 3 * 2 * 2, false));  // as many bytes as floats have
  CHECK(raw.type == "f32");
  raw = guess_raw(write_u16(folder / "scan_2024_05_12.raw", 9 * 9 * 9, false));  // a date is no size
  CHECK(raw.size == Size3{9, 9, 9});
  raw = guess_raw(write_u16(folder / "short_i16.raw", 9 * 9 * 9, false));
  CHECK(raw.type == "i16");
  CHECK(raw.size == Size3{9, 9, 9});
  raw = guess_raw(write_u16(folder / "odd.raw", 1, false));
  CHECK(bytes_left(raw) < 0);
  CHECK_THROWS_AS(guess_raw((folder / "none.raw").string()), InputError);
  CHECK(looks_raw("A.RAW"));
  CHECK(!looks_raw("a.mha"));
  CHECK(is_tiff("a.TIF"));
}

TEST_CASE("The preview is the slice that is opened, and what does not fit the file is refused") {
  Windowless w;
  const std::string file = write_u16(w.folder.path() / "v 1.raw", 5 * 4 * 3, true, 10);
  RawImport raw{file, {5, 4, 3}, "u16", true, 10, Vec3(0.5, 0.25, 2)};
  const Plane slice = raw_slice(raw, 1, 100);
  CHECK(slice.width == 5);
  CHECK(slice.height == 4);
  CHECK(slice.at(2, 1) == 27);
  const Plane thin = raw_slice(raw, 1, 2);
  CHECK(thin.width == 2);
  CHECK(thin.at(1, 1) == 20 + 3 * 5 + 3);
  w.act("import \"" + file + "\" 5 4 3 u16 big 10 0.5 0.25 2");
  REQUIRE(w.settle());
  REQUIRE(w.model.status().errors.empty());
  CHECK(w.model.state().path == file + ".mhd");
  CHECK(w.model.status().grid.spacing == Vec3(0.5, 0.25, 2));
  CHECK(w.model.value_at(w.model.status().grid.voxel_center(2, 1, 1)) == 27);
  CHECK(load_volume(file + ".mhd").at(4, 3, 2) == 59);
  w.act("import \"" + file + "\" 4 5 3 u16 big 10");  // the header that is there says something else, and stays
  REQUIRE(w.settle());
  CHECK(w.model.state().path == file + ".2.mhd");
  CHECK(load_volume(file + ".mhd").grid.size == Size3{5, 4, 3});
  for (int n = 0; n < 3; ++n) w.act("undo");
  CHECK(w.model.state().path == file + ".mhd");  // nothing was open before it: it stays
  for (const char* wrong : {"5 4 4 u16", "5 4 3 u12", "0 4 3 u8", "5 4 3 u16 middle", "5 4 3 u16 big 11", "5 -4"}) {
    INFO(wrong);
    CHECK_THROWS_AS(w.act("import \"" + file + "\" " + wrong), InputError);
  }
  raw.size[2] = 4;
  CHECK_THROWS_AS(raw_slice(raw, 3, 100), InputError);
}

TEST_CASE("TIFF images whose names differ in a number are a stack, opened with the size of its voxels") {
  Windowless w;
  Volume image(VolumeGrid{{6, 5, 1}, Vec3(1), Vec3(0)});
  for (int i = 8; i < 12; ++i) {
    image.at(2, 1, 0) = static_cast<float>(i);
    save_volume(image, w.folder.path() / ("slice_" + std::to_string(i) + "_a.tif"));
  }
  save_volume(image, w.folder.path() / "alone.tif");
  for (const char* name : {"scan1.tif", "scan2.tif", "scan_mask.tif"}) save_volume(image, w.folder.path() / name);
  const std::string one = (w.folder.path() / "slice_9_a.tif").string(),
                    alone = (w.folder.path() / "alone.tif").string();
  const std::string stack = stack_of(one);
  CHECK(stack == (w.folder.path() / "slice_*_a.tif").string());
  CHECK(stack_of(alone) == alone);
  const std::string scan = (w.folder.path() / "scan1.tif").string();
  CHECK(stack_of(scan) == (w.folder.path() / "scan[0-9]*.tif").string());  // without the mask
  CHECK(stack_slice(*open_stack(stack), 3, 100).at(2, 1) == 11);
  w.act("import \"" + stack + "\" 0.2");
  REQUIRE(w.settle());
  REQUIRE(w.model.status().errors.empty());
  CHECK(w.model.status().grid.size == Size3{6, 5, 4});
  CHECK(w.model.status().grid.spacing.x == Approx(0.2));
  CHECK(w.model.status().source->pixel_size_known);
}

TEST_CASE("Slices of a TIFF stack may lie further apart than pixels, and a session keeps it") {
  Windowless w;
  Volume image(VolumeGrid{{6, 5, 1}, Vec3(1), Vec3(0)});
  for (int i = 1; i < 5; ++i) save_volume(image, w.folder.path() / ("slice_" + std::to_string(i) + ".tif"));
  const std::string stack = (w.folder.path() / "slice_*.tif").string(), session = (w.folder.path() / "s.toml").string();
  const auto& grid = w.model.status().grid;
  w.act("import \"" + stack + "\" 0.2 0.5");
  REQUIRE(w.settle());
  REQUIRE(w.model.status().errors.empty());
  CHECK(glm::length(grid.spacing - Vec3(0.2, 0.2, 0.5)) < 1e-12);
  w.act("save session " + session);
  w.model.end_drag();
  w.act("import \"" + stack + "\" 0.2");
  REQUIRE(w.settle());
  CHECK(grid.spacing.z == Approx(0.2));
  w.act("undo");
  REQUIRE(w.settle());
  CHECK(grid.spacing.z == Approx(0.5));
  w.act("pixel 0.4");  // what is known is how they relate
  REQUIRE(w.settle());
  CHECK(glm::length(grid.spacing - Vec3(0.4, 0.4, 1)) < 1e-12);
  w.act("load session " + session);
  REQUIRE(w.settle());
  CHECK(glm::length(grid.spacing - Vec3(0.2, 0.2, 0.5)) < 1e-12);
  w.act("import \"" + stack + "\" 0 2.5");  // in pixels, whose size is unknown
  REQUIRE(w.settle());
  CHECK(glm::length(grid.spacing - Vec3(1, 1, 2.5)) < 1e-12);
  CHECK_FALSE(w.model.status().source->pixel_size_known);
  CHECK_THROWS_AS(w.act("import \"" + stack + "\" 0.2 -1"), InputError);
}
