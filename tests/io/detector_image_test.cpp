// Images as detectors and microscopes write them, made here from the descriptions of their formats.
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/detector_bytes.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/scan_folder.hpp"
#include "support/scratch.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

std::vector<float> values_of(const fs::path& path) {
  const auto stack = open_stack(path);
  std::vector<float> values(static_cast<std::size_t>(stack->info().pixels() * stack->info().images));
  stack->read(0, stack->info().images, values);
  return values;
}

/// Damaged copies may be refused or give something, no more.
int refused_of(const fs::path& path, std::size_t header) {
  const fs::path victim = path.parent_path() / ("damaged" + path.extension().string());
  return test::read_damaged(
      path, victim,
      [](const fs::path& p) {
        values_of(p);
        describe_file(p);
      },
      40, header);
}

/// The value and, in brackets, the source of what a header says.
std::string said(const FileInfo& info, const std::string& meaning) {
  const auto found = std::ranges::find(info.facts, meaning, &ScanFact::meaning);
  return found == info.facts.end() ? "nothing" : fmt::format("{} ({})", found->value, found->source);
}

bool leaves_out(const FileInfo& info, const std::string& field) { return std::ranges::count(info.unused, field) == 1; }

std::vector<float> as_floats(const std::vector<std::int32_t>& image) { return {image.begin(), image.end()}; }

}  // namespace

TEST_CASE("XIM: packed and plain", "[detector]") {
  const test::Scratch scratch;
  const auto image = test::uneven_image(12, 9);
  for (const bool pack : {true, false}) {
    const std::string bytes = test::xim_bytes(image, 12, pack, {{"PixelWidth", 0.0388}, {"PixelHeight", 0.0776}});
    test::write_bytes(scratch / "a.xim", bytes);
    CHECK(values_of(scratch / "a.xim") == as_floats(image));
    CHECK(open_stack(scratch / "a.xim")->info().pixel_mm->y == Approx(0.776));
    CHECK(refused_of(scratch / "a.xim", 40) > 10);
  }
}

TEST_CASE("HND and HNC", "[detector]") {
  const test::Scratch scratch;
  const auto image = test::uneven_image(12, 9);
  test::write_bytes(scratch / "a.hnd", test::hnd_bytes(image));
  CHECK(values_of(scratch / "a.hnd") == as_floats(image));
  CHECK(refused_of(scratch / "a.hnd", 128) > 10);
  test::write_bytes(scratch / "a.hnc", test::hnc_bytes());
  CHECK(values_of(scratch / "a.hnc")[107] == 600 * 107);
  CHECK(open_stack(scratch / "a.hnc")->info().pixel_mm->x == Approx(0.388));
  CHECK(refused_of(scratch / "a.hnc", 128) > 5);
}

TEST_CASE("HIS", "[detector]") {
  const test::Scratch scratch;
  test::write_bytes(scratch / "a.his", test::his_bytes());
  const StackInfo info = open_stack(scratch / "a.his")->info();
  CHECK((info.columns == 7 && info.rows == 5 && info.images == 2));
  CHECK(info.pixel_mm->x == Approx(409.6 / 7));
  CHECK(values_of(scratch / "a.his")[69] == 900 * 69);
  CHECK(refused_of(scratch / "a.his", 24) > 5);
}

TEST_CASE("EDF: several images, either order of bytes", "[detector]") {
  const test::Scratch scratch;
  test::write_bytes(scratch / "a.edf", test::edf_bytes(3));
  const auto values = values_of(scratch / "a.edf");
  REQUIRE(values.size() == 60);
  CHECK(values[0] == 0);
  CHECK(values[19] == 19);
  CHECK(values[20] == 100);
  CHECK(values[59] == 219);
  CHECK(refused_of(scratch / "a.edf", 160) > 5);
}

TEST_CASE("phoenix: a volume by its header or by its values", "[detector]") {
  const test::Scratch scratch;
  test::write_bytes(scratch / "other.pcr", test::phoenix_volume_text());
  CHECK_THROWS_WITH(open_stack(scratch / "other.pcr"), Catch::Contains("put the .vol beside"));
  test::write_bytes(scratch / "part.pcr", test::phoenix_volume_text());
  test::write_bytes(scratch / "part.vol", test::rising_counts(24, 100));
  for (const char* name : {"part.pcr", "part.vol", "other.pcr"}) {  // the header names the values
    const auto stack = open_stack(scratch / name);
    CHECK(stack->info().format == "pcr");
    CHECK((stack->info().columns == 4 && stack->info().rows == 3 && stack->info().images == 2));
    CHECK(stack->info().spacing->y == Approx(0.0125));
    CHECK(stack->info().values_file == scratch / "part.vol");
    CHECK(values_of(scratch / name)[23] == 2300);
  }
  CHECK(refused_of(scratch / "part.pcr", 0) > 5);
}

TEST_CASE("MRC: bytes with and without a sign, big-endian numbers, cells in angstrom", "[detector]") {
  const test::Scratch scratch;
  std::string bytes;
  for (int i = 0; i < 24; ++i) bytes += static_cast<char>(120 + i);
  test::write_bytes(scratch / "signed.mrc", test::mrc_header(0) + bytes);
  CHECK(values_of(scratch / "signed.mrc")[23] == 143 - 256);
  std::string imod = test::mrc_header(0);
  test::set_at(imod, 152, std::int32_t{1146047817});
  test::write_bytes(scratch / "unsigned.mrc", imod + bytes);
  CHECK(values_of(scratch / "unsigned.mrc")[23] == 143);
  const StackInfo info = open_stack(scratch / "signed.mrc")->info();
  CHECK((info.columns == 4 && info.rows == 3 && info.images == 2));
  CHECK(info.spacing->z == Approx(10e-7));
  std::string shorts = test::mrc_header(1);
  for (int i = 0; i < 24; ++i) test::append(shorts, static_cast<std::int16_t>(-1000 * i));
  test::write_bytes(scratch / "a.mrc", shorts);
  CHECK(values_of(scratch / "a.mrc")[23] == -23000);
  CHECK(refused_of(scratch / "a.mrc", 100) > 10);
  std::string turned = shorts;
  for (std::size_t at = 0; at < 208; at += 4) std::reverse(turned.begin() + at, turned.begin() + at + 4);
  turned.replace(212, 2, "\x11\x11");
  for (std::size_t at = 1040; at < turned.size(); at += 2) std::swap(turned[at], turned[at + 1]);
  test::write_bytes(scratch / "big.mrc", turned);
  CHECK(values_of(scratch / "big.mrc")[23] == -23000);
}

TEST_CASE("an image of a detector alone says what its header holds, with units and places", "[detector]") {
  const test::Scratch scratch;
  const auto image = test::uneven_image(12, 9);

  SECTION("XIM") {
    test::write_bytes(scratch / "a.xim", test::xim_bytes(image, 12, true,
                                                         {{"PixelWidth", 0.0388},
                                                          {"PixelHeight", 0.0776},
                                                          {"KVSourceRtn", 90.5},
                                                          {"KVDetectorLat", -16},
                                                          {"DataGain", 3.4028234663852886e38},
                                                          {"MVDoseRate", 2.5}}));
    const FileInfo info = describe_file(scratch / "a.xim");
    CHECK(said(info, "columns") == "12 px (a.xim byte 12, Width)");
    CHECK(said(info, "width of a pixel") == "0.388 mm (a.xim, PixelWidth)");
    CHECK(said(info, "angle of the kV source") == "90.5 deg (a.xim, KVSourceRtn)");
    CHECK(said(info, "kV detector moved across") == "-160 mm (a.xim, KVDetectorLat)");
    CHECK(info.unused == std::vector<std::string>{"DataGain = not set", "MVDoseRate = 2.5"});
    CHECK(info.more.at("pixel_mm") == "0.388 x 0.776");
    // Of several images, the first one is described.
    test::write_bytes(scratch / "b.xim", test::file_bytes(scratch / "a.xim"));
    CHECK(said(describe_file(scratch / "*.xim"), "rows") == "9 px (a.xim byte 16, Height)");
  }
  SECTION("HND and HNC") {
    std::string header = test::varian_header(1024);
    test::set_at(header, 176, 100.0);
    test::set_at(header, 400, 125.0);
    test::set_at(header, 432, 33.5);
    test::set_at(header, 424, 0.75);
    test::write_bytes(scratch / "a.hnd", test::hnd_bytes(image, 12, header));
    const FileInfo info = describe_file(scratch / "a.hnd");
    CHECK(said(info, "rows") == "9 px (a.hnd byte 124, SizeY)");
    CHECK(said(info, "source to axis") == "100 cm or mm (a.hnd byte 176, SAD)");
    CHECK(said(info, "tube voltage") == "125 kV (a.hnd byte 400, XRayKV)");
    CHECK(said(info, "angle of the source") == "33.5 deg (a.hnd byte 432, CTProjectionAngle)");
    CHECK(leaves_out(info, "AcqAdjustment = 0.75"));
    test::write_bytes(scratch / "a.hnc", test::hnc_bytes());
    CHECK(said(describe_file(scratch / "a.hnc"), "width of a pixel") == "0.388 mm (a.hnc byte 352, IDUResolutionX)");
  }
  SECTION("HIS") {
    std::string bytes = test::his_bytes();
    test::set_at(bytes, 24, 66600.0);
    test::write_bytes(scratch / "a.his", bytes);
    const FileInfo info = describe_file(scratch / "a.his");
    CHECK(said(info, "last column") == "7 px (a.his byte 16, BRX)");
    CHECK(said(info, "images") == "2 (a.his byte 20, NrOfFrames)");
    CHECK(said(info, "side of the panel") == "409.6 mm (of the machine, not in the file)");
    CHECK(leaves_out(info, "IntegrationTime = 66600"));
  }
  SECTION("EDF") {
    std::string bytes = test::edf_bytes(1);
    const std::string more =
        "PSize_1 = 6.5e-06 ;\nPSize_2 = 1.3e-05 ;\ncount_time = 0.25 ;\nmotor_mne = rz sx ;\nmotor_pos = 45 1.5 ;\n"
        "run = 3 ;\n";
    bytes.replace(bytes.find("Size = 40 ;\n") + 12, more.size(), more);
    test::write_bytes(scratch / "a.edf", bytes);
    const FileInfo info = describe_file(scratch / "a.edf");
    CHECK(said(info, "columns") == "5 px (a.edf, Dim_1)");
    CHECK(said(info, "height of a pixel") == "0.013 mm (a.edf, PSize_2)");
    CHECK(said(info, "exposure") == "0.25 s (a.edf, count_time)");
    CHECK(info.more.at("pixel_mm") == "0.0065 x 0.013");
    for (const char* field : {"motor rz = 45", "motor sx = 1.5", "run = 3", "HeaderID = EH:000000"})
      CHECK(leaves_out(info, field));
  }
  SECTION("MRC") {
    std::string bytes = test::mrc_header(0) + std::string(24, 'a');
    bytes.replace(224, 12, "SerialEM: 42");
    test::write_bytes(scratch / "a.mrc", bytes);
    const FileInfo info = describe_file(scratch / "a.mrc");
    CHECK(said(info, "cell") == "40, 30, 20 angstrom (a.mrc byte 40, CELLA)");
    CHECK(said(info, "sections") == "2 (a.mrc byte 8, NZ)");
    CHECK(leaves_out(info, "LABEL 1 = SerialEM: 42"));
  }
  SECTION("MetaImage, NRRD and NIfTI") {
    const std::string values(24, 'a');
    test::write_bytes(
        scratch / "a.mha",
        "ObjectType = Image\nNDims = 3\nComment = of Tuesday\nDimSize = 4 3 2\nElementSpacing = 0.5 0.25 2\n"
        "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n" +
            values);
    const FileInfo mha = describe_file(scratch / "a.mha");
    CHECK(said(mha, "spacing") == "0.5, 0.25, 2 mm (a.mha, ElementSpacing)");
    CHECK(mha.unused == std::vector<std::string>{"Comment = of Tuesday"});
    test::write_bytes(scratch / "a.nrrd",
                      "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 4 3 2\nencoding: raw\n"
                      "content: a tooth\n\n" +
                          values);
    const FileInfo nrrd = describe_file(scratch / "a.nrrd");
    CHECK(said(nrrd, "size") == "4, 3, 2 px (a.nrrd, sizes)");
    CHECK(nrrd.unused == std::vector<std::string>{"content = a tooth"});
    VolumeGrid grid;
    grid.size = {4, 3, 2};
    grid.spacing = {0.5, 0.25, 2};
    save_volume(Volume(grid), scratch / "a.nii.gz");
    const FileInfo nifti = describe_file(scratch / "a.nii.gz");
    CHECK(said(nifti, "side of the axes, and spacing") == "1, 0.5, 0.25, 2, 1, 1, 1, 1 mm (a.nii.gz byte 76, pixdim)");
    CHECK(leaves_out(nifti, "descrip = Backlit"));
  }
  SECTION("phoenix and NumPy") {
    test::write_bytes(scratch / "part.pcr", test::phoenix_volume_text());
    test::write_bytes(scratch / "part.vol", test::rising_counts(24, 100));
    const FileInfo info = describe_file(scratch / "part.vol");
    CHECK(said(info, "voxel") == "0.0125 mm (part.pcr line 8, VolumeData.VoxelSizeRec)");
    CHECK(leaves_out(info, "VolumeData.Max = 1.5"));
    test::write_bytes(scratch / "a.npy", test::npy_bytes({2, 3, 4}, std::vector<float>(24)));
    CHECK(said(describe_file(scratch / "a.npy"), "images, rows, columns") == "2, 3, 4 px (a.npy, shape)");
  }
}

}  // namespace backlit
