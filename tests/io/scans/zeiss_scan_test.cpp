// Zeiss .txrm of cone and parallel beams, made here from the description: CIL's and dxchange's readers.
#include <catch2/catch.hpp>

#if defined(BACKLIT_HAVE_GSF)

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/io/file_info.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/ole_sample.hpp"
#include "support/io/scan_folder.hpp"

namespace backlit {
namespace {

constexpr int views = 60;

/// The first pixel is at the bottom left as seen from the source, and the table turns counterclockwise: all round in
/// cone beams, half round in parallel ones. The detector moves by up to `most` pixels, and the file says by how much
/// images then lie from their place.
void write_txrm(const std::filesystem::path& path, test::LabScanner s, float most, bool named = true) {
  s.first_column_right = s.first_row_top = false;
  const bool cone = s.to_axis > 0;
  const int step = cone ? 6 : 3;
  const test::OleSample file(path);
  std::vector<float> angles, x, y;
  {
    const test::OleFolder images = file.folder("ImageData1");
    for (int i = 0; i < views; ++i) {
      angles.push_back(static_cast<float>(step * i));
      x.push_back(most * std::sin(0.4f * static_cast<float>(i)));
      y.push_back(most * (1 - 0.03f * static_cast<float>(i)));
      s.detector_x = s.pixel * static_cast<double>(x.back());
      s.detector_z = s.pixel * static_cast<double>(y.back());
      images.add<std::uint16_t>(fmt::format("Image{}", i + 1),
                                test::counts_of(s.image(test::lopsided_phantom(5), -step * i), 60000));
    }
  }
  {
    const test::OleFolder alignment = file.folder("Alignment");
    alignment.add<float>("X-Shifts", x);
    alignment.add<float>("Y-Shifts", y);
  }
  {
    const test::OleFolder reference = file.folder("ReferenceData");
    reference.add<std::int32_t>("DataType", {10});
    reference.add<float>("Image", std::vector<float>(static_cast<std::size_t>(s.columns * s.rows), 60000));
  }
  {
    const test::OleFolder config = file.folder("Configure");
    const test::OleFolder camera = config.folder("Camera 1");
    camera.add<char>("Name", {'I', 'm', 'a', 'g', 'i', 'n', 'g', 0, 0, 0});
    camera.add<float>("Gain", {2.5f});
    camera.add<std::int32_t>("Bin", {-2});
  }
  const test::OleFolder info = file.folder("ImageInfo");
  for (const auto& [name, value] : {std::pair("ImageWidth", static_cast<std::int32_t>(s.columns)),
                                    {"ImageHeight", static_cast<std::int32_t>(s.rows)},
                                    {"ImagesTaken", views},
                                    {"NoOfImages", views},
                                    {"DataType", 5}})
    info.add<std::int32_t>(name, {value});
  if (named) info.add<std::int32_t>("XrayGeometry", {cone ? 1 : 2});
  const double at_object = cone ? s.pixel * s.to_axis / s.to_detector : s.pixel;
  info.add<float>("PixelSize", {static_cast<float>(1e3 * at_object)});  // um
  info.add<float>("Angles", angles);
  if (cone) {
    info.add<float>("StoRADistance", std::vector<float>(views, static_cast<float>(-s.to_axis)));
    info.add<float>("DtoRADistance", std::vector<float>(views, static_cast<float>(s.to_detector - s.to_axis)));
  }
  info.add<float>("Voltage", {80});
}

/// What `backlit convert` writes.
std::string saved_text(const ScanFile& file, const std::filesystem::path& path) {
  save_scan(file.scan, {.trajectory_toml = file.trajectory_toml}, path);
  return test::file_bytes(path);
}

}  // namespace

TEST_CASE("Zeiss: an object comes back as it stood on the table, from a detector that moves", "[lab]") {
  const test::ScanFolder folder;
  const bool far = GENERATE(false, true);
  write_txrm(folder / "part.txrm", test::small_lab_scanner(), far ? 1.5f : 0.3f);
  const ScanFile file = load_scan(folder / "part.txrm");
  CHECK(file.scan.beam() == Beam::cone);
  CHECK(file.scan.detector.pixel_u == Approx(0.5));
  CHECK(file.notes.empty());
  CHECK(test::fact(file, "tube voltage") == "80 kV");
  for (const char* field :
       {"Configure/Camera 1/Name = Imaging", "Configure/Camera 1/Gain = 2.5", "Configure/Camera 1/Bin = -2"})
    CHECK(std::ranges::count(file.unused, field) == 1);
  const std::string text = saved_text(file, folder / "part.scan.toml");
  CHECK_THAT(text, Catch::Contains("shift_u_px") && Catch::Contains("source_to_axis_mm = 60"));
  far ? test::check_place(file) : test::check_object(file);  // conjugate rays are compared without the shifts
}

TEST_CASE("Zeiss: an object in parallel beams comes back as it stood on the table", "[lab]") {
  const test::ScanFolder folder;
  write_txrm(folder / "part.txrm", test::small_parallel_scanner(), 1.5f);
  const ScanFile file = load_scan(folder / "part.txrm");
  CHECK(file.scan.beam() == Beam::parallel);
  CHECK(file.scan.detector.pixel_u == Approx(0.3));
  CHECK_THAT(test::fact(file, "shifts of the images along rows"), Catch::EndsWith("to 1.5 px"));
  CHECK_THAT(saved_text(file, folder / "part.scan.toml"),
             Catch::Contains("shift_v_px") && Catch::Contains("kind = \"parallel\""));
  test::check_place(file);
  const int refused = test::read_damaged(
      folder / "part.txrm", folder / "damaged.txrm", [](const auto& p) { load_scan(p); }, 24, 4096);
  CHECK(refused > 5);
}

TEST_CASE("Zeiss: a file that does not name its beam is not taken for a parallel scan in silence", "[lab]") {
  const test::ScanFolder folder;
  write_txrm(folder / "cone.txrm", test::small_lab_scanner(), 0, false);
  CHECK_THROWS_WITH(load_scan(folder / "cone.txrm"), Catch::Contains("no stream XrayGeometry"));
  write_txrm(folder / "part.txrm", test::small_parallel_scanner(), 0, false);
  const ScanFile file = load_scan(folder / "part.txrm");
  REQUIRE(file.notes.size() == 1);
  CHECK_THAT(file.notes[0], Catch::Contains("parallel beams are assumed"));
}

TEST_CASE("Zeiss: a .txm is a volume with cubes as voxels", "[lab]") {
  const test::ScanFolder folder;
  const std::filesystem::path path = folder / "part.txm";
  constexpr std::int32_t columns = 5, rows = 4, slices = 3;
  std::vector<float> all;
  {
    const test::OleSample file(path);
    {
      const test::OleFolder images = file.folder("ImageData1");
      for (int z = 0; z < slices; ++z) {
        std::vector<std::uint16_t> slice;
        for (int i = 0; i < columns * rows; ++i) slice.push_back(static_cast<std::uint16_t>(1000 * z + 7 * i));
        all.insert(all.end(), slice.begin(), slice.end());
        images.add<std::uint16_t>(fmt::format("Image{}", z + 1), slice);
      }
    }
    const test::OleFolder info = file.folder("ImageInfo");
    for (const auto& [name, value] : {std::pair("ImageWidth", columns),
                                      {"ImageHeight", rows},
                                      {"ImagesTaken", slices},
                                      {"NoOfImages", slices},
                                      {"DataType", 5}})
      info.add<std::int32_t>(name, {value});
    info.add<float>("PixelSize", {12.5f});  // um
  }
  const Volume volume = load_volume(path);
  CHECK(volume.grid.size == Size3{columns, rows, slices});
  for (int axis = 0; axis < 3; ++axis) CHECK(volume.grid.spacing[axis] == Approx(0.0125));
  CHECK(std::ranges::equal(volume.values.span(), all));
  CHECK(test::fact(describe_file(path), "pixel at the object") == "12.5 um");
  const int refused = test::read_damaged(path, folder / "damaged.txm", [](const auto& p) { load_volume(p); });
  CHECK(refused > 10);
}

}  // namespace backlit

#endif
