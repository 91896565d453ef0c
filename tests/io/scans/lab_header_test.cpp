// Headers of further laboratory scanners and toolkits: what their fields mean.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/geometry/matrix.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include "support/io/damage.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/scan_folder.hpp"

namespace backlit::lab_header_test {
namespace {

namespace fs = std::filesystem;

std::string error_of(const fs::path& path) {
  try {
    load_scan(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("phoenix: a nanotom's header", "[lab]") {
  const test::ScanFolder folder;
  const fs::path path = folder.write(
      "part.pca",
      "[Geometry]\nFDD=399.99900000\nFOD=16.60243750\nMagnification=24.09278758\nVoxelSizeX=0.00207531\n"
      "VoxelSizeY=0.00207531\nCalibValue=-1.097\ncx=1141.50000000\ncy=1151.50000000\n[CT]\nNumberImages=2400\n"
      "RotationSector=360.00000000\n[Image]\nTop=0\nLeft=0\nBottom=2303\nRight=2303\nDimX=2284\nDimY=2304\n"
      "FreeRay=3401\n[DetectorShift]\nEnable=1\n[Detector]\nPixelsizeX=0.05000000\nPixelsizeY=0.05000000\n"
      "[Xray]\nVoltage=60\n");
  REQUIRE(is_scan(path));
  const ScanFile file = load_scan_geometry(path);
  CHECK(file.scan.view_count() == 2400);
  CHECK(file.scan.detector.columns == 2284);
  CHECK(file.scan.detector.pixel_u == Approx(0.05).epsilon(1e-5));
  CHECK(glm::length(file.scan.views[0].source) == Approx(16.6024375).epsilon(1e-4));
  // 2304 columns without 10 at either side: column 1141.5 of the panel is the image's 1131.5.
  CHECK(center_of(file.scan) == Approx(1131.5).margin(0.01));
  REQUIRE(file.notes.size() == 1);
  CHECK_THAT(file.notes[0], Catch::Contains("[DetectorShift]"));
  CHECK(std::ranges::count(file.unused, "Xray.Voltage = 60") == 1);
  CHECK_THAT(error_of(path), Catch::Contains("no images part0001.tif"));
  CHECK(test::read_damaged(path, folder / "damaged.pca", [](const fs::path& p) { load_scan_geometry(p); }) > 10);
}

TEST_CASE("phoenix: a header of version 2.8.2, of a v|tome|x m", "[lab]") {
  const test::ScanFolder folder;
  const fs::path path = folder.write(
      "echo.pca",
      "[General]\nVersion=2.8.2.20099\nSystemName=v|tome|x m\n\n[Geometry]\nFDD=802.77534791\nFOD=163.19250000\n"
      "Magnification=4.91919266\nVoxelSizeX=0.04065708\nVoxelSizeY=0.04065708\n\n[CT]\nNumberImages=1800\n"
      "ScanTimeCmpl=1800\n\n[Xray]\nName=xs|240 d\nVoltage=200\nCurrent=200\nFilter=0.1Cu\n\n[Detector]\n"
      "Name=DXR-250\nBinning=0\nTimingVal=333.096\nAvg=4\nSkip=1\n\n[Image]\nDimX=2024\nDimY=2024\n\n[CNC_0]\n"
      "LoadPos=-149.993687\nAcqPos=0.000000\n\n[CNC_1]\nLoadPos=394.998625\nAcqPos=198.304750\n\n[CNC_2]\n"
      "LoadPos=273.987250\nAcqPos=163.192500\n");
  REQUIRE(is_scan(path));
  const ScanFile file = load_scan_geometry(path);
  const Scan& scan = file.scan;
  CHECK(scan.view_count() == 1800);
  CHECK(scan.detector.columns == 2024);
  CHECK(scan.detector.rows == 2024);
  CHECK(scan.detector.pixel_u == Approx(0.2).epsilon(1e-6));  // a DXR-250's; 0.04065708 mm 4.919 times as large
  CHECK(scan.detector.pixel_v == Approx(0.2).epsilon(1e-6));
  CHECK(glm::length(scan.views[0].source) == Approx(163.1925));
  CHECK(glm::length(scan.views[0].center - scan.views[0].source) == Approx(802.77534791));
  CHECK(center_of(scan) == Approx(1011.5));                                 // without cx, the middle
  CHECK(std::abs(file.angles_deg[1] - file.angles_deg[0]) == Approx(0.2));  // without RotationSector, a whole turn
  CHECK(std::ranges::count(file.unused, "CNC_1.AcqPos = 198.304750") == 1);
}

TEST_CASE("Nikon: a header of Inspect-X 6.8, with the axis as an offset, a roll and a tilt", "[lab]") {
  const test::ScanFolder folder;
  const ScanFile file = load_scan_geometry(folder.write(
      "part.xtekct",
      "[XTekCT]\nProjections=2\nWhiteLevel=50000\nDetectorPixelsY=1024\nDetectorPixelsX=2048\n"
      "DetectorPixelSizeX=0.1\nDetectorPixelSizeY=0.2\nSrcToObject=50\nSrcToDetector=300\nAngularStep=0.2\n"
      "ObjectOffsetX=-0.03\nObjectRoll=0.01\nObjectTilt=30\nInitialAngle=-3\nInputFolderName=directory\n"));
  CHECK(file.angles_deg == std::vector<double>{-3, -2.8});
  CHECK(file.scan.detector.pixel_u == 0.1);
  CHECK(file.scan.detector.pixel_v == 0.2);
  // CIL's geometry of this header: the source at 0, the detector at y = 300 with its first pixel at the top right, and
  // the axis through (0.03, 50, 0) along (1.74532924e-4, 0.5, 0.866025391). Here the axis is z.
  for (const View& view : file.scan.views) {
    const Vec3 right = -glm::normalize(view.u), up = -glm::normalize(view.v),
               beam = glm::normalize(view.center - view.source);
    CHECK(glm::length(view.center - view.source) == Approx(300));
    CHECK(right.z == Approx(1.74532924e-4).epsilon(1e-6));
    CHECK(beam.z == Approx(0.5).epsilon(1e-6));
    CHECK(up.z == Approx(0.866025391).epsilon(1e-6));
    // The point of the axis that is level with the source.
    const Vec3 level = Vec3(0, 0, glm::dot(view.source, up) / up.z) - view.source;
    CHECK(glm::dot(level, right) == Approx(0.03).epsilon(1e-6));
    CHECK(glm::dot(level, beam) == Approx(50).epsilon(1e-6));
  }
}

TEST_CASE("LEAP: cone beams, helices, lists of angles", "[lab]") {
  const test::ScanFolder folder;
  const std::string text =
      "# CT geometry parameters\ngeometry = cone\nnumAngles = 4\nnumRows = 3\nnumCols = 5\npixelHeight = 6.5e-01\n"
      "pixelWidth = 6.5e-01\ncenterRow = 1.0\ncenterCol = 2.25\nsod = 1.1e+03\nsdd = 1.4e+03\ntau = 0.0\n";
  folder.write("p.npy", test::npy_bytes({4, 3, 5}, std::vector<float>(60, 1)));
  const ScanFile file =
      load_scan(folder.write("p.leap.txt", text + "angularRange = 360\nproj_file = p.npy\nnumX = 8\n"));
  CHECK(file.angles_deg == std::vector<double>{-90, 0, 90, 180});
  CHECK(center_of(file.scan) == Approx(2.25));
  CHECK(glm::length(file.scan.views[0].source - Vec3(0, -1100, 0)) < 1e-9);
  CHECK(std::ranges::count(file.unused, "numX = 8") == 1);
  const ScanFile helix =
      load_scan(folder.write("h.leap.txt", text + "phis = [0, 90, 180, 360]\nhelicalPitch = 2\nproj_file = p.npy\n"));
  CHECK(helix.angles_deg[3] == 270);
  const auto source = [&](const char* meaning) {
    return std::ranges::find(helix.facts, meaning, &ScanFact::meaning)->source;
  };
  CHECK(source("angles") == "h.leap.txt line 13, phis");
  CHECK(test::fact(helix, "columns of the detector") == "5 px");
  CHECK(helix.scan.views[3].source.z - helix.scan.views[0].source.z == Approx(4 * pi));
  CHECK_THAT(error_of(folder.write("q.leap.txt", text + "phis = 0, 90\n")), Catch::Contains("2 angles for 4 views"));
  CHECK(test::read_damaged(folder / "p.leap.txt", folder / "damaged.leap.txt",
                           [](const fs::path& p) { load_scan(p); }) > 10);
}

TEST_CASE("CERA: matrices of images counted from the lower left", "[lab]") {
  const test::ScanFolder folder;
  Detector d;
  d.columns = 6;
  d.rows = 4;
  d.pixel_u = d.pixel_v = 0.5;
  DetectorPlacement placement;
  placement.offset_u = 0.75;
  placement.tilt_n = 3;
  // Rows upwards, as CERA counts them; its files hold them downwards.
  const Scan upwards{d, circular_views(d, equal_angles(3, 10), 100, 150, placement)};
  std::string table = "projtable.txt version 3\nMon\n\n# format: angle / entries of projection matrices\n3\n";
  for (int i = 0; i < 3; ++i) {
    const ProjectionMatrix p = projection_matrix(d, upwards.views[static_cast<std::size_t>(i)]);
    table += fmt::format("@{}\n0.0 0.0\n", i + 1);
    for (int r = 0; r < 3; ++r)
      table += fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}\n", p[0][r], p[1][r], p[2][r], p[3][r]);
    table += "\n";
    std::vector<std::uint16_t> image(24, 0);
    for (std::size_t k = 0; k < 24; ++k) image[k] = static_cast<std::uint16_t>(1000 * i + 10 * k + 1);
    folder.write(fmt::format("proj_{:04}.tif", i), test::tiff_bytes(6, 4, image));
  }
  folder.write("scan_projtable.txt", table);
  const std::string text =
      "#CERACONFIG\n\n[Projections]\nNumChannelsPerRow = 6\nNumRows = 4\nPixelSizeU = 0.5\nPixelSizeV = 0.5\nFlipU = "
      "false\nFlipV = true\nProjectionDataDomain = Intensity\n[CustomKeys]\nNumProjections = 3\nProjectionFileType = "
      "tiff\nProjectionStartNum = 0\nProjectionFilenameMask = proj_%04d.tif\n[CustomKeys.ProjectionMatrices]\n"
      "SourceObjectDistance = 100\nProjectionMatrixFilename = scan_projtable.txt\n[I0Log]\nGlobalI0Value = 60000\n";
  const fs::path path = folder.write("scan.config", text);
  REQUIRE(is_scan(path));
  const ScanFile file = load_scan(path);
  REQUIRE(file.scan.view_count() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const View &found = file.scan.views[i], &wanted = upwards.views[i];
    CHECK(glm::length(found.source - wanted.source) < 1e-6);
    CHECK(glm::length(found.center - wanted.center) < 1e-6);
    CHECK(glm::length(found.u - wanted.u) < 1e-9);
    CHECK(glm::length(found.v + wanted.v) < 1e-9);  // the file's first row is the upper one
  }
  std::vector<float> image(24);
  file.projections->read(2, 1, image);
  CHECK(image[23] == 2231);
  REQUIRE(file.flats);
  CHECK_THAT(error_of(folder.write("bad.config", text.substr(0, text.find("NumProjections")) + "NumProjections = 4\n" +
                                                     text.substr(text.find("ProjectionFileType")))),
             Catch::Contains("4 views but 3 matrices"));
  CHECK(test::read_damaged(path, folder / "damaged.config", [](const fs::path& p) { load_scan(p); }) > 10);
  const auto load = [&](const fs::path&) { load_scan(path); };
  CHECK(test::read_damaged(folder.write("good", table), folder / "scan_projtable.txt", load) > 10);
}

}  // namespace backlit::lab_header_test
