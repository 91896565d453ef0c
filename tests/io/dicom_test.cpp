// DICOM: CT images that are written, and slices as other programs write them.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/slice_file.hpp"
#include "support/scratch.hpp"
#include "support/skip.hpp"

using namespace backlit;
using test::SliceFile;
namespace fs = std::filesystem;

namespace {

void write_series(const fs::path& folder, std::initializer_list<SliceFile> slices) {
  fs::create_directories(folder);
  for (const SliceFile& s : slices) test::write_bytes(folder / fmt::format("IM{}", s.number), s.bytes());
}

std::vector<float> one_slice(int k) {
  std::vector<float> values;
  for (int i = 0; i < 6; ++i) values.push_back(static_cast<float>(2 * (10 * k + i) - 1000));
  return values;
}

}  // namespace

TEST_CASE("DICOM: slices are put in order along z, and have their values and places", "[dicom]") {
  const test::Scratch folder;
  write_series(folder / "ct", {{.z = 4, .number = 2}, {.z = 1, .number = 0}, {.z = 2.5, .number = 1}});
  test::write_bytes(folder / "ct/readme.txt", "not an image");
  CHECK_FALSE(is_scan(folder / "ct"));
  const Volume v = load_volume(folder / "ct");
  CHECK(v.grid.size == Size3{3, 2, 3});
  CHECK(glm::distance(v.grid.spacing, Vec3(0.25, 0.5, 1.5)) < 1e-12);
  CHECK(glm::distance(v.grid.first_voxel(), Vec3(5, -7, 1)) < 1e-12);
  for (int k = 0; k < 3; ++k) {
    const auto slice = one_slice(k);
    CHECK(std::equal(slice.begin(), slice.end(), v.values.begin() + 6 * k));
  }
}

TEST_CASE("DICOM: a slice says what it holds, with units and tags", "[dicom]") {
  const test::Scratch folder;
  write_series(folder / "ct", {{.z = 4, .number = 1}, {.z = 1, .number = 0}});
  const FileInfo info = describe_file(folder / "ct");
  CHECK(test::fact(info, "first pixel") == "5, -7, 1 mm");
  CHECK(test::fact(info, "height and width of a pixel") == "0.5, 0.25 mm");
  CHECK(test::fact(info, "rows") == "2 px");
  CHECK(test::fact(info, "value of 0") == "-1000 HU");
  CHECK(info.facts.front().source == "IM0 (0008,0060), Modality");
  CHECK(std::ranges::count(info.unused, "(0020,000e) = 1.2.3") == 1);
}

TEST_CASE("DICOM: slices that run against the axes are turned round, and implicit types are known", "[dicom]") {
  const test::Scratch folder;
  SliceFile turned{.z = 0, .number = 0, .orientation = "-1\\0\\0\\0\\-1\\0", .with_types = false};
  SliceFile next = turned;
  next.z = 2, next.number = 1;
  write_series(folder / "ct", {turned, next});
  const Volume v = load_volume(folder / "ct");
  CHECK(v.at(0, 0, 0) == one_slice(0)[5]);
  CHECK(v.at(2, 0, 1) == one_slice(1)[3]);
  CHECK(glm::distance(v.grid.voxel_center(2, 1, 0), Vec3(5, -7, 0)) < 1e-12);
}

TEST_CASE("DICOM: unsigned values with an intercept are no counts", "[dicom]") {
  const test::Scratch folder;
  write_series(folder / "ct", {{.intercept = "-1024", .is_signed = false}});
  const auto stack = open_stack((folder / "ct").string());
  CHECK(stack->info().type == "u16");
  CHECK_FALSE(stack->read_counts(0, 0, {}));
  std::vector<std::uint16_t> counts(6);
  CHECK_FALSE(stack->read_counts(0, 1, counts));
}

TEST_CASE("DICOM: one slice is as thick as it says", "[dicom]") {
  const test::Scratch folder;
  VolumeGrid grid;
  grid.size = {3, 4, 1};
  grid.spacing = {0.5, 0.25, 2.5};
  grid.center = {1, 2, 3};
  save_volume(Volume(grid), folder / "ct.dicom");
  CHECK(glm::distance(load_volume(folder / "ct.dicom").grid.spacing, grid.spacing) < 1e-9);
  CHECK_THROWS_WITH(load_scan(folder / "ct.dicom"), Catch::Contains("images without a geometry"));
}

TEST_CASE("DICOM: bits above those that are stored do not count", "[dicom]") {
  const test::Scratch folder;
  for (const bool is_signed : {false, true}) {
    test::DicomBytes d(true);
    d.binary<std::uint16_t>("US", 0x00280010, {1});
    d.binary<std::uint16_t>("US", 0x00280011, {2});
    d.binary<std::uint16_t>("US", 0x00280100, {16});
    d.binary<std::uint16_t>("US", 0x00280101, {12});
    d.binary("US", 0x00280103, {static_cast<std::uint16_t>(is_signed)});
    d.element(0x7fe00010, "OW", test::packed<std::uint16_t>({0xffff, 0x1005}, false));
    test::write_bytes(folder / "a.dcm", d.file(""));
    CHECK(test::read_stack(folder / "a.dcm") == std::vector<float>{is_signed ? -1.0f : 4095.0f, 5});
  }
}

TEST_CASE("DICOM: one series of several is chosen by its number", "[dicom]") {
  const test::Scratch folder;
  write_series(folder / "ct", {{.z = 0, .number = 0}, {.z = 1, .number = 1, .series = "1.2.9", .series_number = "7"}});
  CHECK_THROWS_WITH(load_volume(folder / "ct"),
                    Catch::Contains("holds 2 series; name one: ") && Catch::Contains("ct:/7"));
  const Volume v = load_volume((folder / "ct").string() + ":/7");
  CHECK(v.values[0] == one_slice(1)[0]);
  CHECK_THROWS_WITH(load_volume((folder / "ct").string() + ":/8"), Catch::Contains("holds no series 8"));
}

TEST_CASE("DICOM: what is no volume of axial slices is refused in one line", "[dicom]") {
  const test::Scratch folder;
  const auto refused = [&](std::initializer_list<SliceFile> slices) {
    fs::remove_all(folder / "ct");
    write_series(folder / "ct", slices);
    try {
      load_volume(folder / "ct");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("read");
  };
  const SliceFile first{}, last{.z = 3, .number = 2};
  CHECK_THAT(refused({first, {.z = 1, .number = 1}, last, {.z = 4, .number = 3}, {.z = 5, .number = 4}}),
             Catch::Contains("2 mm above") && Catch::Contains("are slices missing?"));
  CHECK_THAT(refused({first, {.z = 0, .number = 1}}), Catch::Contains("lies where IM"));
  CHECK_THAT(refused({{.orientation = "0\\1\\0\\0\\0\\-1"}}), Catch::Contains("axial slices are read"));
  CHECK_THAT(refused({first, {.z = 1, .number = 1, .spacing = "0.5\\0.5"}}),
             Catch::Contains("other directions or pixels"));
  CHECK_THAT(refused({first, {.z = 1, .number = 1, .position = "9\\-7\\{}"}}), Catch::Contains("tilted gantry"));
  CHECK_THAT(refused({{.samples = 3}}), Catch::Contains("in colour"));
  CHECK_THAT(refused({{.bits_stored = 40}}), Catch::Contains("40 of 16 bits"));
  CHECK_THAT(refused({{.syntax = "1.2.840.10008.1.2.4.90"}}),
             Catch::Contains("compressed (JPEG 2000)") && Catch::Contains("gdcmconv --raw"));
  CHECK_THAT(refused({{.slope = "two"}}), Catch::Contains("(0028,1053)"));
}

TEST_CASE("DICOM: a volume is written as CT images and read back to half a step", "[dicom]") {
  const test::Scratch folder;
  const Volume volume = test::odd_volume();
  save_volume(volume, folder / "ct.dicom");
  CHECK(fs::exists(folder / "ct.dicom/0001.dcm"));
  CHECK(fs::exists(folder / "ct.dicom/0003.dcm"));
  const Volume back = load_volume(folder / "ct.dicom");
  REQUIRE(back.grid.size == volume.grid.size);
  CHECK(glm::distance(back.grid.spacing, volume.grid.spacing) < 1e-9);
  CHECK(glm::distance(back.grid.center, volume.grid.center) < 1e-9);
  double worst = 0;
  for (std::int64_t i = 0; i < volume.values.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(volume.values[i]) - static_cast<double>(back.values[i])));
  CHECK(worst <= 0.51 * (34 * 0.25) / 65534);

  SECTION("whole numbers stay what they are") {
    Volume whole(volume.grid);
    for (std::int64_t i = 0; i < whole.values.size(); ++i) whole.values[i] = static_cast<float>(20 * i - 1024);
    save_volume(whole, folder / "ct.dicom");  // over the other
    const Volume again = load_volume(folder / "ct.dicom");
    CHECK(std::equal(again.values.begin(), again.values.end(), whole.values.begin()));
  }
  SECTION("a slice of one value, large values, and none") {
    for (const float value : {0.0f, 0.125f, -3e8f, 1e-20f}) {
      Volume flat(volume.grid);
      for (float& v : flat.values) v = value;
      save_volume(flat, folder / "ct.dicom");
      for (const float v : load_volume(folder / "ct.dicom").values) CHECK(v == Approx(value).epsilon(1e-6));
    }
  }
  SECTION("somebody's files are not lost") {
    test::write_bytes(folder / "ct.dicom/report.pdf", "mine");
    CHECK_THROWS_WITH(save_volume(volume, folder / "ct.dicom"), Catch::Contains("holds report.pdf"));
  }
}

TEST_CASE("DICOM: slices that are written have what the standard asks of CT images", "[dicom]") {
  // dciodvfy of dicom3tools knows the modules and their attributes; dcmftest of DCMTK reads the file.
  if (std::system("command -v dciodvfy >/dev/null && command -v dcmftest >/dev/null") != 0)
    BACKLIT_SKIP("no dciodvfy and dcmftest (Debian: dicom3tools, dcmtk)");
  const test::Scratch folder;
  save_volume(test::odd_volume(), folder / "ct.dicom");
  const std::string slice = (folder / "ct.dicom/0002.dcm").string(), report = (folder / "report").string();
  CHECK(std::system(fmt::format("dcmftest '{}' >/dev/null", slice).c_str()) == 0);
  CHECK(std::system(fmt::format("dciodvfy '{}' >'{}' 2>&1", slice, report).c_str()) != -1);
  const std::string said = test::file_bytes(report);
  CHECK_THAT(said, Catch::Contains("CTImage"));
  CHECK_THAT(said, !Catch::Contains("Error"));
}

TEST_CASE("DICOM: damaged slices are refused or read, and never worse", "[dicom]") {
  const test::Scratch folder;
  write_series(folder / "ct", {{.z = 0, .number = 0}, {.z = 1, .number = 1}});
  fs::copy_file(folder / "ct/IM0", folder / "good");
  const int refused = test::read_damaged(
      folder / "good", folder / "ct/IM0", [&](const fs::path&) { describe_file(folder / "ct"); }, 300);
  CHECK(refused > 100);
}
