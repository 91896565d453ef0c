// Scanners' own files, as scanners wrote them: what their headers mean.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include <backlit/io/file_info.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "support/io/damage.hpp"
#include "support/io/object_likeness.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"
#include "support/skip.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

/// The file or folder, which must be there.
#define BACKLIT_NEED(path) \
  if (!fs::exists(path)) BACKLIT_SKIP("no " + (path).string())

}  // namespace

TEST_CASE("SkyScan: logs of three scanners", "[lab]") {
  const fs::path folder = test::data_dir() / "vendor";
  BACKLIT_NEED(folder);
  const auto pixel_at_axis = [](const ScanFile& file) {
    const View& v = file.scan.views[0];
    return glm::length(v.u) * glm::length(v.source) / glm::length(v.source - v.center);
  };
  const ScanFile tooth = load_scan_geometry(folder / "Tooth001.log");
  CHECK(tooth.scan.detector.columns == 1632);
  CHECK(tooth.scan.detector.rows == 1092);
  CHECK(tooth.scan.view_count() == 319);
  CHECK(tooth.angles_deg.back() == Approx(-318 * 0.6));
  CHECK(tooth.scan.detector.pixel_u == Approx(3 * 0.0074).epsilon(1e-4));  // the camera's, binned 3 x 3
  CHECK(pixel_at_axis(tooth) == Approx(8.559493e-3).epsilon(1e-3));
  const ScanFile head = load_scan_geometry(folder / "104016.log");
  CHECK(head.scan.detector.pixel_u == Approx(2 * 0.0748).epsilon(1e-4));
  CHECK(head.scan.detector.pixel_v == Approx(2 * 0.0748 * 1.003).epsilon(1e-4));
  CHECK(head.angles_deg.back() == Approx(1103 * 0.2));
  const ScanFile control = load_scan_geometry(folder / "Control01.log");
  CHECK(control.scan.view_count() == 3979);
  CHECK(control.scan.detector.pixel_u == Approx(0.0088).epsilon(1e-3));
  CHECK(glm::length(control.scan.views[0].source) == Approx(40.03));
  CHECK(is_scan(folder / "Tooth001.log"));
  CHECK_FALSE(is_scan(folder / "Tooth001_rec.log"));  // of slices
  CHECK_THROWS_WITH(load_scan(folder / "Tooth001_rec.log"), Catch::Contains("name the scan's log, Tooth001.log"));
}

TEST_CASE("Varian XIM: a TrueBeam's frame", "[vendor]") {
  const fs::path path = test::data_dir() / "xim/FilterBowtie.xim";
  BACKLIT_NEED(path);
  const auto frame = open_stack(path);
  const StackInfo& info = frame->info();
  CHECK(info.format == "xim");
  CHECK(info.columns == 1024);
  CHECK(info.rows == 768);
  REQUIRE(info.pixel_mm);
  CHECK(info.pixel_mm->x == Approx(0.388));
  std::vector<float> values(static_cast<std::size_t>(info.pixels()));
  frame->read(0, 1, values);
  const FileInfo alone = describe_file(path);
  CHECK(test::fact(alone, "width of a pixel") == "0.388 mm");
  CHECK(test::fact(alone, "angle of the kV source") == "180.003318 deg");
  CHECK(test::fact(alone, "tube voltage") == "125 kV");
  CHECK(test::fact(alone, "turn of the kV detector") == "not set");
  CHECK(std::ranges::count(alone.unused, "MLCLeafsB = 60 numbers") == 1);
  // A bow-tie lets more through in the middle; neighbours in an unpacked image are alike.
  const auto at = [&](int column, int row) { return values[static_cast<std::size_t>(row * 1024 + column)]; };
  CHECK(at(512, 384) > 1.5 * at(40, 384));
  CHECK(at(512, 760) == Approx(at(512, 384)).epsilon(0.3));
  const test::Scratch scratch;
  const int refused = test::read_damaged(
      path, scratch / "damaged.xim",
      [](const fs::path& victim) {
        const auto stack = open_stack(victim);
        std::vector<float> image(static_cast<std::size_t>(stack->info().pixels()));
        stack->read(0, 1, image);
      },
      24, 64);
  CHECK(refused > 8);
}

TEST_CASE("MRC: half floats", "[vendor]") {
  const fs::path path = test::data_dir() / "mrc/projections.mrc";
  BACKLIT_NEED(path);
  const auto stack = open_stack(path);
  CHECK(stack->info().format == "mrc");
  CHECK(stack->info().type == "f16");
  CHECK(stack->info().columns == 160);
  CHECK(stack->info().rows == 135);
  CHECK(stack->info().images == 91);
  std::vector<float> values(static_cast<std::size_t>(stack->info().pixels() * 91));
  stack->read(0, 91, values);
  CHECK(std::ranges::count_if(values, [](float v) { return std::isnan(v); }) == 91);
  double sum = 0;
  for (const float v : values) sum += std::isnan(v) ? 0 : v;
  CHECK(sum / static_cast<double>(values.size()) == Approx(0.8).margin(0.25));  // flat-field corrected
}

TEST_CASE("Zeiss: a parallel tomogram with shifts, and an image with its reference", "[vendor]") {
  const fs::path path = test::data_dir() / "vendor/txrm_test_chip_tomo.txrm";
  BACKLIT_NEED(path);
  REQUIRE(is_scan(path));
  const ScanFile file = load_scan(path);
  CHECK(file.scan.beam() == Beam::parallel);
  REQUIRE(file.scan.view_count() == 7);
  CHECK(file.scan.detector.columns == 256);
  CHECK(file.scan.detector.rows == 256);
  CHECK(file.scan.detector.pixel_u == Approx(0.155789e-3).epsilon(1e-5));
  // The table turns by as much, so the source goes round the other way.
  CHECK(file.angles_deg.front() == Approx(45.018));
  CHECK(file.angles_deg.back() == Approx(-44.9859));
  // The first image belongs 0.259 columns further on, and 0.244 rows.
  const View& first = file.scan.views[0];
  CHECK(glm::dot(first.center, first.u) / glm::dot(first.u, first.u) == Approx(0.259159));
  CHECK(glm::dot(first.center, first.v) / glm::dot(first.v, first.v) == Approx(0.243996));
  std::vector<float> image(256 * 256);
  file.projections->read(3, 1, image);
  const auto [least, most] = std::ranges::minmax(image);
  CHECK(least > 0);
  CHECK(most < 65535);
  CHECK_FALSE(file.flats);
  CHECK(test::fact(file, "exposure") == "5, 5, 5, 5, 5, 5, 5 s");
  const auto unused = [&](const char* field) { return std::ranges::count(file.unused, field) == 1; };
  CHECK(unused("ImageInfo/HorizontalBin = 8"));
  CHECK(unused("AgitatorImageInfo/HorizontalPeriod = 200"));
  CHECK(unused("ConfigureBackup/ConfigCamera/Camera 1/CameraName = Imaging"));
  CHECK(unused("PositionInfo/Condenser X = -2924.6 um"));
  CHECK(unused("Alignment/MetrologyShiftsApplied = 1"));
  const auto chip = open_stack(test::data_dir() / "vendor/test_chip00.xrm");
  CHECK(chip->info().columns == 512);
  CHECK(chip->info().images == 1);
  const FileInfo alone = describe_file(test::data_dir() / "vendor/test_chip00.xrm");
  CHECK(test::fact(alone, "columns") == "512 px");
  CHECK(alone.unused.size() > 200);
  const test::Scratch scratch;
  const int refused = test::read_damaged(
      path, scratch / "damaged.txrm",
      [](const fs::path& victim) {
        const ScanFile damaged = load_scan(victim);
        std::vector<float> view(static_cast<std::size_t>(damaged.scan.detector.pixels()));
        damaged.projections->read(0, 1, view);
      },
      32, 4096);
  CHECK(refused > 5);
}

}  // namespace backlit
