// A scanner's own file through the programs: what it holds, a scan file made of it, a volume, its surface.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/detector_bytes.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/program.hpp"
#include "support/relative_l2.hpp"

namespace backlit {
namespace {

using test::run_backlit;
using test::TemporaryFolder;

test::ProgramResult run(const TemporaryFolder& folder, const std::vector<std::string>& arguments) {
  const auto r = run_backlit(folder.path(), arguments);
  INFO(r.err);
  REQUIRE(r.code == 0);
  return r;
}

void write_scan(const TemporaryFolder& folder) {
  test::LabScanner s;
  s.columns = 31;
  s.rows = 23;
  s.pixel = 0.8;
  s.to_axis = 60;
  s.to_detector = 100;
  for (int i = 0; i < 45; ++i)
    test::write_bytes(
        folder / fmt::format("part_{:04}.tif", i),
        test::tiff_bytes(s.columns, s.rows, test::counts_of(s.image(test::lopsided_phantom(5), 8.0 * i), 60000)));
  write_text(folder / "part.xtekct",
             "[XTekCT]\nName=part\nSrcToObject=60\nSrcToDetector=100\nDetectorPixelsX=31\nDetectorPixelsY=23\n"
             "DetectorPixelSizeX=0.8\nDetectorPixelSizeY=0.8\nWhiteLevel=60000\nProjections=45\nInitialAngle=0\n"
             "AngularStep=8\nObjectOffsetX=0\nFilterType=3\n");
}

}  // namespace

TEST_CASE("info, recon and convert take a scanner's file") {
  const TemporaryFolder folder;
  write_scan(folder);
  const auto info = nlohmann::json::parse(run(folder, {"info", "part.xtekct", "--json", "--plot", "part.png"}).out);
  CHECK(info["views"] == 45);
  CHECK(info["source_to_axis_mm"] == Approx(60));
  CHECK(info["unused"] == nlohmann::json{"XTekCT.FilterType = 3"});
  bool found = false;
  for (const auto& fact : info["facts"])
    found = found || (fact["meaning"] == "source to axis" && fact["value"] == "60 mm" &&
                      fact["source"] == "part.xtekct line 3, XTekCT.SrcToObject");
  CHECK(found);
  CHECK(test::file_bytes(folder / "part.png").starts_with("\x89PNG"));
  const auto told = run(folder, {"info", "."});  // the folder's only scan
  CHECK_THAT(told.out, Catch::Contains("turning sense") && Catch::Contains("not used"));
  test::write_bytes(folder / "one.edf", test::edf_bytes(1));
  const auto image = run(folder, {"info", "one.edf"});
  CHECK_THAT(image.out, Catch::Contains("columns 5 px  (one.edf, Dim_1)") && Catch::Contains("HeaderID = EH:000000"));
  const auto header = nlohmann::json::parse(run(folder, {"info", "one.edf", "--json"}).out);
  CHECK(header["facts"][1]["value"] == "4 px");
  CHECK(header["unused"] == nlohmann::json{"HeaderID = EH:000000"});

  std::filesystem::create_directory(folder / "alone");
  test::write_bytes(folder / "alone/part.xtekct", test::file_bytes(folder / "part.xtekct"));
  const auto alone = nlohmann::json::parse(run(folder, {"info", "alone/part.xtekct", "--json"}).out);
  CHECK(alone["type"].is_null());  // no images
  write_text(folder / "list.cdh", "Scanner name: S\nData mode: list-mode\n");
  const auto list = run_backlit(folder.path(), {"convert", "list.cdh", "-o", "list.petsird"});
  CHECK(list.code == 2);
  CHECK_THAT(list.err, Catch::Contains("convert takes scans and volumes"));

  // A scan file in a folder above that of a file that it names.
  write_text(folder / "alone/spectrum.csv", "60 1\n");
  const auto above = run_backlit(
      folder / "alone", {"convert", "../part.xtekct", "-o", "../water.scan.toml", "--water-spectrum", "spectrum.csv"});
  INFO(above.err);
  REQUIRE(above.code == 0);
  CHECK(load_scan(folder / "water.scan.toml").corrections.water_spectrum == folder / "alone/spectrum.csv");
  std::filesystem::remove(folder / "water.scan.toml");

  run(folder, {"convert", "part.xtekct", "-o", "part.scan.toml"});
  const std::vector<std::string> grid{"--grid", "21x21x17", "--voxel", "0.6", "--backend", "cpu"};
  std::string report;
  const auto recon = [&](const std::string& scan, const std::string& output) {
    std::vector<std::string> arguments{"recon", scan, "-o", output};
    arguments.insert(arguments.end(), grid.begin(), grid.end());
    report += run(folder, arguments).out;
    return load_volume(folder / output);
  };
  const Volume direct = recon("part.xtekct", "direct.mha"), edited = recon("part.scan.toml", "edited.mha");
  CHECK(test::relative_l2(edited.values.span(), direct.values.span()) == 0);
  CHECK_THAT(report,
             Catch::Contains("turning sense: as the format says, and the data agree (conjugate rays differ by"));

  run(folder, {"convert", "direct.mha", "-o", "copy.nrrd"});
  CHECK(load_volume(folder / "copy.nrrd").grid == direct.grid);
  const auto scaled =
      run(folder, {"convert", "direct.mha", "-o", "counts.tif", "--bits", "16", "--range", "-0.01", "0.1"});
  CHECK_THAT(scaled.out, Catch::Contains("value = -0.01 +"));
  const auto counts = open_stack((folder / "counts.tif").string());
  REQUIRE(counts->info().type == "u16");
  const auto values = counts->read_all();
  double worst = 0;
  for (std::int64_t i = 0; i < direct.grid.voxels(); ++i) {
    const double wanted = std::clamp(static_cast<double>(direct.values[i]), -0.01, 0.1);
    worst = std::max(worst, std::abs(-0.01 + 0.11 / 65535 * static_cast<double>(values[i]) - wanted));
  }
  CHECK(worst < 0.51 * 0.11 / 65535);
  CHECK(test::file_bytes(folder / "counts.tif").find("c1=1.67849241e-06") != std::string::npos);
  CHECK(run_backlit(folder.path(), {"convert", "direct.mha", "-o", "counts.mha", "--bits", "16"}).code == 2);
  run(folder, {"convert", "direct.mha", "--isosurface", "0.01", "-o", "part.stl"});
  CHECK(test::file_bytes(folder / "part.stl").size() > 84 + 50 * 500);
  run(folder, {"convert", "direct.mha", "--isosurface", "0.01", "-o", "drawn.stl", "--backend", "gl"});
  CHECK(test::file_bytes(folder / "drawn.stl").size() == test::file_bytes(folder / "part.stl").size());
  CHECK(run_backlit(folder.path(), {"convert", "direct.mha", "-o", "b.nrrd", "--backend", "gl"}).code == 2);
  const auto refused = run_backlit(folder.path(), {"convert", "direct.mha", "-o", "part.ply"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Catch::Contains("--isosurface"));
  CHECK(run_backlit(folder.path(), {"convert", "direct.mha", "-o", "direct.mha"}).code == 2);
}

}  // namespace backlit
