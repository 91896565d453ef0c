// Scanners that write XML and bare images: YXLON and Diondo, made from their description.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/scan_folder.hpp"
#include "support/io/scanner_headers.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;
using test::bare_bytes;
using test::check_object;
using test::diondo_text;
using test::fact;
using test::LabScanner;
using test::ScanFolder;
using test::yxlon_text;

std::vector<std::uint16_t> counts(const LabScanner& s, double clockwise_deg) {
  return test::counts_of(s.image(test::lopsided_phantom(5), clockwise_deg), 65535);
}

}  // namespace

TEST_CASE("YXLON: lengths in pixels, flips, and an object that comes back as it stood", "[lab]") {
  const ScanFolder folder;
  LabScanner s = test::small_lab_scanner();
  fs::create_directory(folder / "Projections");
  const auto write = [&](const char* ending) {
    for (int i = 0; i < 60; ++i) {
      const auto image = counts(s, -6 * i);
      const bool is_bare = std::string(ending) == ".raw";
      folder.write(fmt::format("Projections/p{}{}", i, ending),
                   is_bare ? bare_bytes(image) : test::tiff_bytes(s.columns, s.rows, image));
    }
  };
  SECTION("bare images, whose first row is the lowest") {
    s.first_row_top = false;
    write(".raw");
    const ScanFile file = load_scan(folder.write("ScanParameter.xml", yxlon_text(s, 60, "None")));
    CHECK(fact(file, "source to detector") == "100 mm");
    CHECK(fact(file, "source to axis") == "60 mm");
    CHECK(std::ranges::count(file.unused, "ConeBeamScanParameter.Voltage = 120") == 1);
    check_object(file);
    CHECK(load_scan(folder.path()).scan.views == file.scan.views);
  }
  SECTION("TIFF images that are to be flipped") {
    s.first_column_right = false;
    write(".tif");
    const ScanFile file = load_scan(folder.write("ScanParameter.xml", yxlon_text(s, 60, "Horizontal")));
    check_object(file);
  }
  SECTION("refusals") {
    CHECK_THROWS_WITH(load_scan(folder.write("ScanParameter.xml", yxlon_text(s, 60, "None"))),
                      Catch::Contains("no images in Projections"));
    folder.write("Projections/p0.raw", "short");
    CHECK_THROWS_WITH(load_scan(folder.write("ScanParameter.xml", yxlon_text(s, 1, "None"))),
                      Catch::Contains("p0.raw") && Catch::Contains("3666 bytes"));
    CHECK_THROWS_WITH(load_scan(folder.write("ScanParameter.xml", yxlon_text(s, 60, "None", "HelixTrajectory"))),
                      Catch::Contains("'HelixTrajectory' is not read"));
    const fs::path good = folder.write("good", yxlon_text(s, 60, "None"));
    CHECK(test::read_damaged(
              good, folder / "ScanParameter.xml", [](const fs::path& path) { load_scan_geometry(path); }, 80) > 30);
  }
}

TEST_CASE("YXLON: parameters as text, of an object that comes back as it stood", "[lab]") {
  const ScanFolder folder;
  LabScanner s = test::small_lab_scanner();
  s.rows = s.columns;
  s.first_row_top = false;
  fs::create_directory(folder / "Projections");
  for (int i = 0; i < 61; ++i) folder.write(fmt::format("Projections/p{}.raw", i), bare_bytes(counts(s, -6 * i)));
  const auto text = [&](int views, double offset) {
    return fmt::format(
        "CT parameters\n{}\t\tNumber of Detector Elements \n{}\t\t2D-Pixel Size [mm]\n2\tPixelbinning\n{}\tFOD [mm]\n"
        "{}\tFDD [mm]\n{}\tCenter Offset [mm]\n{}\tCT: Number of Projections\n120\tTube voltage [kV]\n",
        s.columns, s.pixel / 2, s.to_axis, s.to_detector, offset, views);
  };
  const fs::path path = folder.write("part.txt", text(61, 0));
  REQUIRE(is_scan(path));
  const ScanFile file = load_scan(path);
  CHECK(file.notes.empty());
  CHECK(fact(file, "source to detector") == "100 mm");
  CHECK(std::ranges::count(file.unused, "Tube voltage [kV] = 120") == 1);
  check_object(file);
  CHECK_THAT(load_scan(folder.write("part.txt", text(61, 0.2))).notes.at(0), Catch::Contains("Center Offset"));
  CHECK_THROWS_WITH(load_scan(folder.write("part.txt", text(60, 0))), Catch::Contains("60"));
  const fs::path good = folder.write("good", text(61, 0));
  CHECK(test::read_damaged(
            good, folder / "part.txt", [](const fs::path& p) { load_scan_geometry(p); }, 80) > 20);
}

TEST_CASE("Diondo: an object comes back as it stood, and an offset without a direction is told", "[lab]") {
  const ScanFolder folder;
  const LabScanner s = test::small_lab_scanner();
  fs::create_directory(folder / "Projection");
  for (int i = 0; i < 60; ++i)
    folder.write(fmt::format("Projection/_0012,50_{:04}.raw", i), bare_bytes(counts(s, -6 * i)));
  const ScanFile file = load_scan(folder.write("part.xml", diondo_text(s, 60)));
  REQUIRE(file.notes.size() == 1);
  CHECK_THAT(file.notes[0], Catch::Contains("ProjectionCenterOffsetX is 0.7 mm"));
  check_object(file);
  CHECK_THROWS_WITH(load_scan(folder.write("part.xml", diondo_text(s, 60, "true"))), Catch::Contains("HelixMode"));
  CHECK_THROWS_WITH(load_scan(folder.write("part.xml", diondo_text(s, 61))), Catch::Contains("61"));
  const fs::path good = folder.write("good", diondo_text(s, 60));
  CHECK(test::read_damaged(
            good, folder / "part.xml", [](const fs::path& path) { load_scan_geometry(path); }, 80) > 30);
}

}  // namespace backlit
