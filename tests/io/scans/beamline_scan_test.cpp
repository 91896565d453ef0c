// Scans of beamlines and microscopes, and tables of images: parallel beams whose frames and angles come from files.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include "support/io/damage.hpp"
#include "support/io/hdf5_sample.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/scan_folder.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

float value_of(ProjectionSource& source, std::int64_t view) {
  std::vector<float> image(static_cast<std::size_t>(source.scan().detector.pixels()));
  source.read(view, 1, image);
  return image[5];
}

}  // namespace

TEST_CASE("Data Exchange: what was taken is listed with its place, and what is not used", "[hdf5]") {
  const test::ScanFolder folder;
  const fs::path path = folder / "scan.h5";
  {
    test::Hdf5Sample file(path);
    std::vector<double> frames;
    for (int i = 0; i < 3; ++i) frames.insert(frames.end(), 6 * 4, 100 * i + 7);
    file.add("/exchange/data", {3, 4, 6}, frames);
    file.add("/exchange/data_white", {1, 4, 6}, std::vector<double>(6 * 4, 900));
    file.add("/exchange/theta", {3}, {0, 60, 120});
    file.add("/exchange/theta_white", {2}, {0, 0});
    file.add("/measurement/instrument/distance", {}, {0.25}, "m");
    file.add_text("/measurement/sample/name", "a tooth", true);
    file.add_text("/measurement/sample/tray", "B2", false);
    file.add_flag("/measurement/sample/wet", true);
  }
  const ScanFile file = load_scan(path);
  CHECK(file.angles_deg == std::vector<double>{0, 60, 120});
  CHECK(value_of(*file.projections, 2) == 207);
  const auto fact = [&](const char* meaning) {
    const auto found = std::ranges::find(file.facts, meaning, &ScanFact::meaning);
    return found == file.facts.end() ? std::string() : found->value + " of " + found->source;
  };
  CHECK(fact("flats") == "1 of scan.h5, /exchange/data_white");
  CHECK(fact("darks").empty());
  CHECK_THAT(fact("angles of the views"), Catch::Contains("3 from 0 to 120") && Catch::Contains("/exchange/theta"));
  CHECK(file.unused == std::vector<std::string>{"/exchange/theta_white = 2 values",
                                                "/measurement/instrument/distance = 0.25 m",
                                                "/measurement/sample/name = a tooth", "/measurement/sample/tray = B2",
                                                "/measurement/sample/wet = 1"});
  const int refused = test::read_damaged(
      path, folder / "damaged.h5", [](const fs::path& p) { load_scan(p); }, 24);
  CHECK(refused > 5);
}

TEST_CASE("NXtomo: frames are told apart by their keys", "[beamline]") {
  const test::ScanFolder folder;
  test::write_nxtomo(folder / "scan.nxs");
  REQUIRE(is_scan(folder / "scan.nxs"));
  const ScanFile file = load_scan(folder / "scan.nxs");
  CHECK(file.angles_deg == std::vector<double>{0, 45, 90, 135});
  CHECK(file.scan.beam() == Beam::parallel);
  CHECK(file.scan.detector.pixel_u == Approx(6.5e-3));
  CHECK(file.scan.detector.pixel_v == Approx(6.5e-3));
  CHECK(center_of(file.scan) == Approx(2.5 + 0.75));
  CHECK(value_of(*file.projections, 0) == 307);
  CHECK(value_of(*file.projections, 3) == 707);
  REQUIRE(file.flats);
  REQUIRE(file.darks);
  CHECK(file.flats->scan().view_count() == 2);
  CHECK(value_of(*file.flats, 1) == 207);
  CHECK(value_of(*file.darks, 0) == 7);
  const auto frames = std::ranges::find(file.facts, "frames", &ScanFact::meaning);
  REQUIRE(frames != file.facts.end());
  CHECK(frames->value == "4 projections, 2 flats, 1 darks, 2 others");
  CHECK(file.unused == std::vector<std::string>{"/entry0000/sample/y_translation = 2 values"});
  // A file that is still being written.
  test::write_nxtomo(folder / "growing.nxs", 5);
  CHECK(load_scan(folder / "growing.nxs").angles_deg == std::vector<double>{0, 45});
  const int refused = test::read_damaged(
      folder / "scan.nxs", folder / "damaged.nxs", [](const fs::path& p) { load_scan(p); }, 24);
  CHECK(refused > 5);
}

TEST_CASE("NXtomo: the views so far are read while the file is being written", "[beamline]") {
  const test::ScanFolder folder;
  test::GrowingNxtomo writer(folder / "growing.nxs", true);
  REQUIRE(is_scan(folder / "growing.nxs"));
  const ScanFile file = load_scan(folder / "growing.nxs");
  CHECK(file.angles_deg == std::vector<double>{0, 45});
  CHECK(value_of(*file.projections, 1) == 307);
  REQUIRE(file.flats);
  CHECK(value_of(*file.flats, 0) == 107);
  writer.add_view();
  const ScanFile longer = load_scan(folder / "growing.nxs");
  CHECK(longer.angles_deg == std::vector<double>{0, 45, 90});
  CHECK(value_of(*longer.projections, 2) == 407);
  CHECK(value_of(*file.projections, 1) == 307);

  const test::GrowingNxtomo locked(folder / "locked.nxs", false);
  CHECK_THROWS_WITH(load_scan(folder / "locked.nxs"),
                    Catch::Contains("is open for writing") && Catch::Contains("SWMR"));
}

TEST_CASE("A table of images and angles is a scan", "[beamline]") {
  const test::ScanFolder folder;
  test::LabScanner s;
  s.columns = 20;
  s.rows = 4;
  s.pixel = 0.5;
  s.to_axis = 60;
  s.to_detector = 100;
  std::string table =
      "# pixel_mm = 0.5\n# center_px = 10.25\n# open_beam = 60000\n# operator = nobody\n\nfile,angle_deg\n";
  for (int i = 0; i < 20; ++i) {
    folder.write(fmt::format("img {}.tif", i),
                 test::tiff_bytes(s.columns, s.rows, test::counts_of(s.image(test::lopsided_phantom(3), 0), 60000)));
    table += fmt::format("img {}.tif, {}\n", i, 9 * i);
  }
  const fs::path path = folder.write("angles.csv", table);
  REQUIRE(is_scan(path));
  const ScanFile file = load_scan(path);
  CHECK(file.scan.beam() == Beam::parallel);
  CHECK(file.scan.view_count() == 20);
  CHECK(file.angles_deg[19] == 171);
  CHECK(center_of(file.scan) == Approx(10.25));
  CHECK(file.kind == ScanFile::Kind::counts);
  CHECK(file.notes.empty());
  CHECK(std::ranges::count(file.unused, "operator = nobody") == 1);
  const ScanFile more = load_scan(folder.write("more.csv", "file,exposure,angle_deg\nimg 0.tif,5,0\nimg 1.tif,5,6\n"));
  CHECK(more.unused == std::vector<std::string>{"exposure = (a column)"});
  const ScanFile cone =
      load_scan(folder.write("cone.csv", "# source_to_axis_mm = 60\n# source_to_detector_mm = 100\n" + table));
  CHECK(cone.scan.beam() == Beam::cone);
  const auto message = [&](const std::string& text) {
    try {
      load_scan(folder.write("bad.csv", text));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(message("file,angle_deg\nimg 0.tif,x\n"), Catch::Contains("bad.csv:2") && Catch::Contains("'x'"));
  CHECK_THAT(message("file,angle_deg\nnone.tif,0\n"), Catch::Contains("none.tif"));
  CHECK_THAT(message("# first_row = left\n" + table), Catch::Contains("'left' is neither bottom nor top"));
  CHECK_THAT(message("# source_to_axis_mm = 60\n" + table), Catch::Contains("has no source_to_detector_mm"));
  const int refused = test::read_damaged(
      path, folder / "damaged.csv", [](const fs::path& p) { load_scan(p); }, 40, 120);
  CHECK(refused > 10);
}

TEST_CASE("An MRC stack with its tilts is a scan", "[beamline]") {
  const test::ScanFolder folder;
  std::string header(1024, '\0');
  const auto set = [&](std::size_t at, std::int32_t value) { std::memcpy(header.data() + at, &value, 4); };
  for (const auto& [at, value] : {std::pair<std::size_t, std::int32_t>{0, 6},
                                  {4, 4},
                                  {8, 3},
                                  {12, 6},
                                  {28, 6},
                                  {32, 4},
                                  {36, 3},
                                  {64, 1},
                                  {68, 2},
                                  {72, 3}})
    set(at, value);
  const float cell[] = {81, 54, 40.5};  // 1.35 nm a pixel
  std::memcpy(header.data() + 40, cell, sizeof cell);
  header.replace(208, 6, "MAP DD");
  folder.write("tilt.st", header + std::string(6 * 4 * 3 * 2, '\1'));
  CHECK_FALSE(is_scan(folder / "tilt.st"));
  folder.write("tilt.rawtlt", "-60.0\n0.0\n60.0\n");
  REQUIRE(is_scan(folder / "tilt.st"));
  const ScanFile file = load_scan(folder / "tilt.st");
  CHECK(file.angles_deg == std::vector<double>{60, 0, -60});  // of the rays, which turn against the specimen
  CHECK(file.scan.detector.pixel_u == Approx(1.35e-6));
  CHECK(value_of(*file.projections, 2) == 257);
  folder.write("tilt.tlt", "-60.5\n0.1\n59.9\n");
  CHECK(load_scan(folder / "tilt.st").angles_deg[2] == -59.9);  // refined ones are better
  folder.write("good", "-60.5\n0.1\n59.9\n");
  const auto load = [&](const fs::path&) { value_of(*load_scan(folder / "tilt.st").projections, 2); };
  for (const char* list : {"tilt.tlt", "tilt.rawtlt"}) {
    INFO(list);
    CHECK(test::read_damaged(folder / "good", folder / list, load) > 10);
    fs::remove(folder / list);
  }
  folder.write("tilt.tlt", "-60.5\n0.1\n59.9\n");
  fs::copy_file(folder / "tilt.st", folder / "good.st");
  CHECK(test::read_damaged(folder / "good.st", folder / "tilt.st", load, 40, 224) > 5);
}

}  // namespace backlit
