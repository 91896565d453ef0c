// Laboratory scanners' own formats: what their headers mean, and whether an object without symmetry comes back as it
// stood on the table.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/matrix.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include "support/io/damage.hpp"
#include "support/io/detector_bytes.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/scan_folder.hpp"
#include "support/io/scanner_headers.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

using test::check_object;
using test::fact;
using test::LabScanner;
using test::likeness;
using test::nikon_text;
using test::ScanFolder;

/// Images of the object as the table turns clockwise, in files PREFIX0000.tif and so on.
void write_images(const ScanFolder& folder, const LabScanner& s, const std::string& prefix, double step, int views,
                  double white) {
  for (int i = 0; i < views; ++i)
    folder.write(
        fmt::format("{}{:04}.tif", prefix, i),
        test::tiff_bytes(s.columns, s.rows, test::counts_of(s.image(test::lopsided_phantom(5), step * i), white)));
}

}  // namespace

TEST_CASE("Nikon: what the header says becomes the geometry", "[lab]") {
  const ScanFolder folder;
  const fs::path path = folder.write(
      "skate.xtekct",
      "[XTekCT]\r\nName=Skate 2\r\nSrcToObject=733.9188\r\nSrcToDetector=1173.528\r\nDetectorPixelsX=2000\r\n"
      "DetectorPixelsY=1900\r\nDetectorPixelSizeX=0.2\r\nDetectorPixelSizeY=0.2\r\nCentreOfRotationTop=0.6\r\n"
      "CentreOfRotationBottom=0.2\r\nWhiteLevel=60000.0\r\nProjections=1080\r\nInitialAngle=109.6045\r\n"
      "AngularStep=0.3333131605\r\nCoefX2=0.25\r\n[Xrays]\r\nXraykV=225\r\n");
  const ScanFile file = load_scan_geometry(path);
  CHECK(is_scan(path));
  CHECK(file.scan.view_count() == 1080);
  CHECK(file.scan.detector.columns == 2000);
  CHECK(file.scan.detector.rows == 1900);
  CHECK(file.angles_deg[3] == Approx(109.6045 + 3 * 0.3333131605));
  CHECK(center_of(file.scan) == Approx(999.5 + 0.4 / 0.2).margin(1e-3));  // the mean of top and bottom
  CHECK(fact(file, "source to axis") == "733.9188 mm");
  CHECK(fact(file, "counts of the open beam") == "60000");
  // The axis projects to 0.6 mm from the middle at the top of the detector, to 0.2 mm at its bottom.
  const Detector& d = file.scan.detector;
  const ProjectionMatrix p = projection_matrix(d, file.scan.views[0]);
  const auto column_at_row = [&](double row) {
    double low = -500, high = 500, column = 0;
    for (int i = 0; i < 100; ++i) {
      const double z = 0.5 * (low + high);
      const Vec3 w = p * glm::dvec4(0, 0, z, 1);
      column = w.x / w.z;
      (w.y / w.z > row ? low : high) = z;  // rows go down
    }
    return column;
  };
  CHECK(column_at_row(-0.5) == Approx(999.5 + 3).margin(1e-6));
  CHECK(column_at_row(1899.5) == Approx(999.5 + 1).margin(1e-6));
  CHECK(std::ranges::count(file.unused, "Xrays.XraykV = 225") == 1);
  CHECK(std::ranges::count(file.unused, "XTekCT.CoefX2 = 0.25") == 1);
}

TEST_CASE("Nikon: an object comes back as it stood on the table", "[lab]") {
  const ScanFolder folder;
  LabScanner s = test::small_lab_scanner();
  s.axis_x = -0.7;  // ObjectOffsetX counts to the left
  write_images(folder, s, "part_", 6, 60, 60000);
  const fs::path path = folder.write("part.xtekct", nikon_text(s, 60, 6, "ObjectOffsetX=0.7\n"));
  const ScanFile file = load_scan(path);
  CHECK(file.notes.empty());
  check_object(file);
  // A folder stands for its only scan.
  CHECK(load_scan(folder.path()).scan.views == file.scan.views);

  SECTION("measured angles are taken from the list beside it") {
    std::string list = "Projection\tAngle(deg)\tTime\n\n\n";
    for (int i = 0; i < 60; ++i) list += fmt::format("{}\t{:.4f}\t0\n", i + 1, -(6.0 * i + (i % 2)));
    folder.write("part_ctdata.txt", list);
    const ScanFile listed = load_scan_geometry(path);
    CHECK(listed.angles_deg[7] == Approx(43));
    CHECK(listed.angles_deg[8] == Approx(48));
    // The older list of the same angles.
    std::filesystem::remove(folder / "part_ctdata.txt");
    std::string older = "Proj\tAngle(deg)\n";
    for (int i = 0; i < 60; ++i) older += fmt::format("{}:\t{:.4f}\n", i + 1, -(6.0 * i + (i % 2)));
    folder.write("part.ang", older);
    CHECK(load_scan_geometry(path).angles_deg == listed.angles_deg);
    // The header alone is a scan: a damaged list is not used, and a note says so.
    const auto load = [&](const fs::path&) { CHECK(load_scan_geometry(path).scan.view_count() == 60); };
    for (const auto& [text, victim] : {std::pair(list, "part_ctdata.txt"), {older, "part.ang"}}) {
      test::read_damaged(folder.write("good", text), folder / victim, load, 24);
      fs::remove(folder / victim);
    }
    folder.write("part.ang", older);
    folder.write("part_ctdata.txt", "Projection\tAngle(deg)\n1\t0\n2\t6\n");
    std::filesystem::remove(folder / "part.ang");
    const ScanFile short_list = load_scan_geometry(path);
    CHECK(short_list.angles_deg == file.angles_deg);
    REQUIRE(short_list.notes.size() == 1);
    CHECK_THAT(short_list.notes[0], Catch::Contains("part_ctdata.txt: 2 angles where the scan has 60 views"));
  }
  SECTION("a file that says the opposite of what its data show is contradicted") {
    const ScanFile wrong = load_scan(folder.write("part.xtekct", nikon_text(s, 60, -6, "ObjectOffsetX=0.7\n")));
    REQUIRE(wrong.notes.size() == 1);
    CHECK_THAT(wrong.notes[0], Catch::Contains("contradict the turning sense"));
    CHECK(wrong.angles_deg[1] == Approx(6));
    CHECK(likeness(wrong).object > 0.97);
  }
  SECTION("a scan file made of it names it, and gives the same") {
    ScanWriteOptions options;
    options.trajectory_toml = file.trajectory_toml;
    options.scan = "part.xtekct";
    const std::string text = scan_text(file.scan, options, "part.scan.toml");
    CHECK_THAT(text, Catch::Contains("kind = \"circular\"") && Catch::Contains("scan = \"part.xtekct\""));
    const ScanFile again = load_scan(folder.write("part.scan.toml", text));
    CHECK(again.scan.views == file.scan.views);
    CHECK(again.kind == ScanFile::Kind::counts);
    std::vector<float> a(static_cast<std::size_t>(s.columns * s.rows)), b = a;
    file.projections->read(5, 1, a);
    again.projections->read(5, 1, b);
    CHECK(a == b);
    // Of the two scans in the folder, the one in our own format is meant.
    CHECK(load_scan(folder.path()).path == folder / "part.scan.toml");
  }
  SECTION("damaged copies are read or refused") {
    const int refused = test::read_damaged(path, folder / "part.xtekct", [](const fs::path& victim) {
      const ScanFile damaged = load_scan(victim);
      std::vector<float> view(static_cast<std::size_t>(damaged.scan.detector.pixels()));
      damaged.projections->read(0, 1, view);
    });
    CHECK(refused > 10);
  }
}

TEST_CASE("Nikon: what is missing is named", "[lab]") {
  const ScanFolder folder;
  const LabScanner s = test::small_lab_scanner();
  const auto message = [&](const std::string& text) {
    const fs::path path = folder.write("part.xtekct", text);
    try {
      load_scan(path);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(message(nikon_text(s, 60, 6, "")), Catch::Contains("no images part_0001.tif"));
  CHECK_THAT(message(nikon_text(s, 60, 0, "")), Catch::Contains("AngularStep: all views would be the same"));
  CHECK_THAT(message("[XTekCT]\nDetectorPixelsX=4\n"), Catch::Contains("has no DetectorPixelsY"));
  CHECK_THAT(message("[XTekCT]\nDetectorPixelsX=4.5\n"),
             Catch::Contains("part.xtekct line 2") && Catch::Contains("no whole number from 1"));
}

TEST_CASE("SkyScan: an object comes back as it stood on the table", "[lab]") {
  const ScanFolder folder;
  LabScanner s = test::small_lab_scanner();
  s.detector_z = 1.5;
  write_images(folder, s, "bone~00", -6, 60, 57000);
  // Row 22 from the top is level with the source: row 16 from the bottom.
  const fs::path path = folder.write("bone.log", test::skyscan_text(s, 60));
  folder.write("bone_2DTransform.csv", "0,0.5,0.1\n");
  folder.write("other_2DTransform.csv", "0,0.5,0.1\n");
  const ScanFile file = load_scan(path);
  const auto is_table = [](const std::string& field) { return field.find("_2DTransform.csv") != std::string::npos; };
  CHECK(std::ranges::count_if(file.unused, is_table) == 1);
  CHECK(file.scan.detector.pixel_u == Approx(0.5));
  check_object(file);
  const int refused = test::read_damaged(path, folder / "bone.log", [](const fs::path& victim) { load_scan(victim); });
  CHECK(refused > 10);
}

TEST_CASE("phoenix: an object comes back as it stood on the table", "[lab]") {
  const ScanFolder folder;
  LabScanner s = test::small_lab_scanner();
  s.axis_x = -0.7;
  write_images(folder, s, "part", 6, 60, 60000);
  const ScanFile file = load_scan(
      folder.write("part.pca", fmt::format("[Geometry]\nFDD={}\nFOD={}\nVoxelSizeX=0.3\ncx={}\n[CT]\nNumberImages=60\n"
                                           "RotationSector=360\n[Image]\nDimX={}\nDimY={}\nFreeRay=60000\n",
                                           s.to_detector, s.to_axis, 23 + 0.7 / 0.3, s.columns, s.rows)));
  CHECK(file.notes.empty());
  check_object(file);
}

TEST_CASE("A table of images: an object comes back as it stood, whichever way columns and rows run", "[lab]") {
  for (const auto& [right, top] : {std::pair{false, false}, {false, true}, {true, false}, {true, true}}) {
    INFO("first column right " << right << ", first row top " << top);
    const ScanFolder folder;
    LabScanner s = test::small_lab_scanner();
    s.axis_x = 0.4;
    s.first_column_right = right;
    s.first_row_top = top;
    write_images(folder, s, "part", 6, 60, 60000);
    std::string table = fmt::format(
        "# pixel_mm = 0.5\n# source_to_axis_mm = 60\n# source_to_detector_mm = 100\n# open_beam = 60000\n# center_px = "
        "{}\n",
        23 + (right ? -0.4 : 0.4) / 0.3);
    if (right) table += "# first_column = right\n";
    if (top) table += "# first_row = top\n";
    table += "file,angle_deg\n";
    for (int i = 0; i < 60; ++i) table += fmt::format("part{:04}.tif,{}\n", i, 6 * i);
    const ScanFile file = load_scan(folder.write("part.csv", table));
    CHECK(fact(file, "first row of the images") == (top ? "top" : "bottom"));
    check_object(file);
  }
}

TEST_CASE("TrueBeam: an object comes back as it lay in RTK's frame", "[lab]") {
  const ScanFolder folder;
  LabScanner s = test::small_lab_scanner();
  s.first_column_right = s.first_row_top = false;
  for (const char* below : {"Acquisitions/7", "Calibrations/AIR/Current"}) fs::create_directories(folder / below);
  const auto xim = [&](const std::vector<std::int32_t>& counts, double angle) {
    return test::xim_bytes(
        counts, static_cast<std::int32_t>(s.columns), true,
        {{"KVSourceRtn", angle}, {"KVDetectorLat", 0.0}, {"KVDetectorLng", 0.0}, {"KVNormChamber", 500}});
  };
  for (int i = 0; i < 60; ++i) {  // the source goes to 180 degrees minus its angle
    const auto counts = test::counts_of(s.image(test::lopsided_phantom(5), 180 - 6 * i), 60000);
    folder.write(fmt::format("Acquisitions/7/Proj_{:05}.xim", i), xim({counts.begin(), counts.end()}, 6 * i));
  }
  folder.write("Calibrations/AIR/Current/FilterBowtie.xim",
               xim(std::vector<std::int32_t>(static_cast<std::size_t>(s.columns * s.rows), 60000), 0));
  const ScanFile file = load_scan(folder.write(
      "Scan.xml", fmt::format("<Scan><Acquisitions><SAD>{}</SAD><SID>{}</SID><ImagerSizeX>{}</ImagerSizeX>"
                              "<ImagerSizeY>{}</ImagerSizeY><ImagerResX>0.5</ImagerResX><ImagerResY>0.5</ImagerResY>"
                              "</Acquisitions></Scan>",
                              s.to_axis, s.to_detector, s.columns, s.rows)));
  check_object(file);
}

}  // namespace backlit
