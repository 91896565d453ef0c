#include <fmt/format.h>

#include <cstdint>

#include "fuzz/made_by_hand.hpp"
#include "support/io/clinical_scanner.hpp"
#include "support/io/detector_bytes.hpp"
#include "support/io/scan_folder.hpp"
#include "support/io/scanner_headers.hpp"
#if defined(BACKLIT_HAVE_HDF5)
#include "support/io/hdf5_sample.hpp"
#endif

namespace backlit::fuzz {
namespace fs = std::filesystem;
using test::write_bytes;
namespace {

constexpr int views = 3;

test::LabScanner scanner() {
  test::LabScanner s;
  s.columns = 6;
  s.rows = 4;
  s.pixel = 0.5;
  s.to_axis = 60;
  s.to_detector = 100;
  return s;
}

std::vector<std::uint16_t> counts(int view) {
  return test::counts_of(scanner().image(test::lopsided_phantom(2), 120 * view), 60000);
}

void write_images(const fs::path& folder, const std::string& prefix, int first = 0) {
  fs::create_directories(folder);
  for (int i = 0; i < views; ++i)
    write_bytes(folder / fmt::format("{}{:04}.tif", prefix, first + i), test::tiff_bytes(6, 4, counts(i)));
}

void nikon(const fs::path& folder) {
  write_images(folder, "part_");
  write_bytes(folder / "v.xtekct",
              test::nikon_text(scanner(), views, 120, "ObjectOffsetX=0.7\nCentreOfRotationTop=0.6\n"));
  write_bytes(folder / "part_ctdata.txt", "Projection\tAngle(deg)\tTime\n\n\n1\t0\t0\n2\t-120.5\t0\n3\t-240\t0\n");
}

void skyscan(const fs::path& folder) {
  write_images(folder, "bone~00");
  write_bytes(folder / "v.log", test::skyscan_text(scanner(), views));
}

void phoenix(const fs::path& folder) {
  write_images(folder, "v", 1);
  write_bytes(folder / "v.pca",
              "[Geometry]\nFDD=100\nFOD=60\ncx=3.5\ncy=2.5\n[CT]\nNumberImages=3\nRotationSector=360.00000000\n"
              "[Image]\nTop=0\nLeft=0\nBottom=3\nRight=5\nDimX=6\nDimY=4\nFreeRay=3401\n[DetectorShift]\nEnable=1\n"
              "[Detector]\nPixelsizeX=0.5\nPixelsizeY=0.5\n[Xray]\nVoltage=60\n");
}

void yxlon(const fs::path& folder) {
  fs::create_directories(folder / "Projections");
  for (int i = 0; i < views; ++i)
    write_bytes(folder / fmt::format("Projections/p{}.raw", i), test::bare_bytes(counts(i)));
  write_bytes(folder / "ScanParameter.xml", test::yxlon_text(scanner(), views, "Horizontal"));
}

void diondo(const fs::path& folder) {
  fs::create_directories(folder / "Projection");
  for (int i = 0; i < views; ++i)
    write_bytes(folder / fmt::format("Projection/_0012,50_{:04}.raw", i), test::bare_bytes(counts(i)));
  write_bytes(folder / "v.xml", test::diondo_text(scanner(), views));
}

void truebeam(const fs::path& folder) {
  fs::create_directories(folder / "Acquisitions/7");
  fs::create_directories(folder / "Calibrations/AIR/Current");
  const auto frame = [&](const std::string& file, std::int32_t value, double angle) {
    write_bytes(folder / file,
                test::xim_bytes(
                    std::vector<std::int32_t>(48, value), 8, false,
                    {{"KVSourceRtn", angle}, {"KVDetectorLat", -0.8}, {"KVDetectorLng", 0.0}, {"KVNormChamber", 500}}));
  };
  for (int i = 0; i < 2; ++i) frame(fmt::format("Acquisitions/7/Proj_0000{}.xim", i), 2000, 10 + 2 * i);
  frame("Calibrations/AIR/Current/FilterBowtie.xim", 8000, 0);
  write_bytes(folder / "Scan.xml",
              "<?xml version=\"1.0\"?>\n<Scan>\n <Acquisitions>\n  <SAD>1000.</SAD>\n  <SID>1500.</SID>\n"
              "  <ImagerSizeX>8</ImagerSizeX>\n  <ImagerSizeY>6</ImagerSizeY>\n  <ImagerResX>0.4</ImagerResX>\n"
              "  <ImagerResY>0.4</ImagerResY>\n  <Fan>Half</Fan>\n </Acquisitions>\n</Scan>\n");
}

void obi(const fs::path& folder) {
  fs::create_directories(folder / "Scan0");
  for (int i = 0; i < views; ++i) {
    std::string header = test::varian_header(1024);
    for (const auto& [at, value] : {std::pair<std::size_t, double>{176, 100}, {184, 150}, {432, 120 * i}, {440, 500}})
      test::set_at(header, at, value);
    write_bytes(folder / fmt::format("Scan0/Proj_{:05}.hnd", i),
                test::hnd_bytes(test::uneven_image(12, 9), 12, header));
  }
  write_bytes(
      folder / "ProjectionInfo.xml",
      "<?xml version=\"1.0\"?>\n<ProjectionInfo>\n <FanType>HalfFan</FanType>\n <CalibratedSAD>1000</CalibratedSAD>\n"
      " <CalibratedSID>1500</CalibratedSID>\n <CalibratedDetectorOffsetX>0.5</CalibratedDetectorOffsetX>\n"
      " <CalibratedDetectorOffsetY>0</CalibratedDetectorOffsetY>\n <DetectorPosLat>-1</DetectorPosLat>\n"
      "</ProjectionInfo>\n");
}

void leap_modular(const fs::path& folder) {
  write_bytes(folder / "p.npy", test::npy_bytes({2, 3, 5}, std::vector<float>(30, 1)));
  write_bytes(folder / "v.leap.txt",
              "geometry = modular\nnumAngles = 2\nnumRows = 3\nnumCols = 5\npixelHeight = 0.65\npixelWidth = 0.65\n"
              "sourcePositions = 100, 0, 0, 0, 100, 0\nmoduleCenters = -50, 0, 0, 0, -50, 0\n"
              "rowVectors = 0, 0, 1, 0, 0, 1\ncolVectors = 0, 1, 0, -1, 0, 0\nproj_file = p.npy\n");
}

void elekta(const fs::path& folder) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<ProjectionSet><Image><AcquisitionPresetName>Head</AcquisitionPresetName>"
      "<kV>100</kV></Image>\n<Frames>\n";
  for (int i = 1; i <= views; ++i) {
    std::string image(68, '\0');
    image[1] = 112, image[2] = 68, image[16] = 5, image[18] = 3, image[20] = 1, image[32] = 4;
    write_bytes(folder / fmt::format("{:05}.1.his", i), image + test::rising_counts(24, 2000));
    text += fmt::format(
        "<Frame><Seq>{}</Seq><DeltaMs>{}</DeltaMs><GantryAngle>{}</GantryAngle><Exposed>True</Exposed>"
        "<UCentre>{}</UCentre><VCentre>-8</VCentre></Frame>\n",
        i, 180 * i, 120 * i - 180, 20 + i);
  }
  write_bytes(folder / "_Frames.xml", text + "</Frames></ProjectionSet>\n");
}

void ct_pd(const fs::path& folder) {
  test::ClinicalScanner s;
  s.columns = 8;
  s.rows = 4;
  s.views_per_turn = 2;
  s.turns = 1;
  s.central_column = 4.5;
  s.central_row = 2.5;
  s.write(folder, test::lopsided_phantom(60));
}

void tilt_series(const fs::path& folder) {
  write_bytes(folder / "v.mrc", test::mrc_header(1) + test::rising_counts(24, 1000));
  write_bytes(folder / "v.rawtlt", "-30.0\n30.5\n");
}

void cera(const fs::path& folder) {
  write_images(folder, "proj_");
  std::string table = "projtable.txt version 3\nMon\n\n# format: angle / entries of projection matrices\n3\n";
  for (int i = 1; i <= views; ++i)
    table += fmt::format("@{}\n0.0 0.0\n{} 300 2.5 250\n1e1 {} -300 150\n1 0.01 0 100\n\n", i, 2.5 * i, 0.5 * i);
  write_bytes(folder / "scan_projtable.txt", table);
  write_bytes(folder / "v.config",
              "#CERACONFIG\n\n[Projections]\nNumChannelsPerRow = 6\nNumRows = 4\nPixelSizeU = 0.5\nPixelSizeV = 0.5\n"
              "FlipU = false\nFlipV = true\nProjectionDataDomain = Intensity\n[CustomKeys]\nNumProjections = 3\n"
              "ProjectionFileType = tiff\nProjectionStartNum = 0\nProjectionFilenameMask = proj_%04d.tif\n"
              "[CustomKeys.ProjectionMatrices]\nSourceObjectDistance = 100\n"
              "ProjectionMatrixFilename = scan_projtable.txt\n[I0Log]\nGlobalI0Value = 60000\n");
}

void leap(const fs::path& folder) {
  write_bytes(folder / "p.npy", test::npy_bytes({4, 3, 5}, std::vector<float>(60, 1)));
  write_bytes(folder / "v.leap.txt",
              "# CT geometry parameters\ngeometry = cone\nnumAngles = 4\nnumRows = 3\nnumCols = 5\npixelHeight = 0.65\n"
              "pixelWidth = 6.5e-01\ncenterRow = 1.0\ncenterCol = 2.25\nsod = 1.1e+03\nsdd = 1.4e+03\ntau = 0.0\n"
              "phis = [0, 90, 180, 360]\nhelicalPitch = 2\nproj_file = p.npy\nnumX = 8\n");
}

void image_table(const fs::path& folder) {
  write_images(folder, "i");
  write_bytes(folder / "v.csv",
              "# pixel_mm = 0.5\n# center_px = 2.25\n# open_beam = 60000\n# source_to_axis_mm = 60\n"
              "# source_to_detector_mm = 100\n\nfile,angle_deg\ni0000.tif, 0\ni0001.tif, 120.5\ni0002.tif, 240\n");
}

}  // namespace

std::vector<HandMade> scans_by_hand() {
  return {
    {"nikon", "v.xtekct", nikon}, {"skyscan", "v.log", skyscan}, {"phoenix", "v.pca", phoenix},
        {"yxlon", "ScanParameter.xml", yxlon}, {"diondo", "v.xml", diondo}, {"truebeam", "Scan.xml", truebeam},
        {"obi", "ProjectionInfo.xml", obi}, {"leap", "v.leap.txt", leap_modular, "modular"},
        {"elekta", "_Frames.xml", elekta}, {"ct-pd", "1-1.dcm", ct_pd}, {"tilt series", "v.mrc", tilt_series},
        {"cera", "v.config", cera}, {"leap", "v.leap.txt", leap}, {"image table", "v.csv", image_table},
        one_file("rabbitct", "v.rct", rabbitct_bytes()),
#if defined(BACKLIT_HAVE_HDF5)
        {"nxtomo", "v.nxs", [](const fs::path& folder) { test::write_nxtomo(folder / "v.nxs"); }},
        {"data exchange", "v.h5", [](const fs::path& folder) { test::write_data_exchange(folder / "v.h5"); }},
#else
        one_file("nxtomo", "v.nxs", "\x89HDF\r\n\x1a\n"), one_file("data exchange", "v.h5", "\x89HDF\r\n\x1a\n"),
#endif
  };
}

std::vector<HandMade> geometries_by_hand() {
  return {one_file("plastimatch", "v.txt",
                   "3.15e+01 2.35e+01\n0.16 0 0 0\n0 0 -0.16 0\n0 6.66666667e-04 0 0.666666667\n1000\n1500\n0 1 0\n"
                   "Extrinsic\n1.0 0.0 -0.0 0.0\nIntrinsic\n1 2 3 4\n")};
}

}  // namespace backlit::fuzz
