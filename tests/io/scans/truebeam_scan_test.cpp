// Varian's Scan.xml with frames below it, made here from the description.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/correct_counts.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include "support/io/damage.hpp"
#include "support/io/detector_bytes.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/scan_folder.hpp"

namespace backlit::truebeam_scan_test {
namespace {

/// A plain image of 8 x 6 pixels of one value.
std::string xim(std::int32_t value, double angle, double lateral_cm, double chamber) {
  return test::xim_bytes(
      std::vector<std::int32_t>(48, value), 8, false,
      {{"KVSourceRtn", angle}, {"KVDetectorLat", lateral_cm}, {"KVDetectorLng", 0.0}, {"KVNormChamber", chamber}});
}

}  // namespace

TEST_CASE("TrueBeam: angles and places of the frames, air by the chamber", "[lab]") {
  const test::ScanFolder folder;
  for (const char* below :
       {"Acquisitions", "Acquisitions/7", "Calibrations", "Calibrations/AIR", "Calibrations/AIR/Current"})
    std::filesystem::create_directory(folder / below);
  // The beam falls by half in the second view, and so does what the chamber sees.
  folder.write("Acquisitions/7/Proj_00000.xim", xim(2000, 10, -0.8, 500));
  folder.write("Acquisitions/7/Proj_00001.xim", xim(1000, 12, -0.8, 250));
  folder.write("Acquisitions/7/Proj_00002.xim", xim(2000, 14, -0.8, 500));
  folder.write("Acquisitions/7/Proj_00003.xim", test::xim_bytes(std::vector<std::int32_t>(48), 8, false, {}));
  folder.write("Calibrations/AIR/Current/FilterBowtie.xim", xim(8000, 0, 0, 1000));
  const auto path =
      folder.write("Scan.xml",
                   "<?xml version=\"1.0\"?>\n<Scan>\n <Acquisitions>\n  <SAD>1000.</SAD>\n  <SID>1500.</SID>\n"
                   "  <ImagerSizeX>8</ImagerSizeX>\n  <ImagerSizeY>6</ImagerSizeY>\n  <ImagerResX>0.4</ImagerResX>\n"
                   "  <ImagerResY>0.4</ImagerResY>\n  <Fan>Half</Fan>\n </Acquisitions>\n</Scan>\n");
  REQUIRE(is_scan(path));
  CHECK_THROWS_WITH(load_scan(folder / "Acquisitions/7"), Catch::Contains("name the scan: " + path.string()));
  const ScanFile file = load_scan(path);
  CHECK(file.angles_deg == std::vector<double>{170, 168, 166});
  // RTK moves the detector by -8 mm along its columns: the axis falls 20 columns further on.
  CHECK(center_of(file.scan) == Approx(3.5 + 20));
  const auto corrected = correct_counts(file.projections, file.flats, nullptr, nullptr);
  std::vector<float> views(3 * 48);
  corrected->read(0, 3, views);
  for (const float p : views) CHECK(p == Approx(std::log(2.0)));  // 8000 at 1000 against 2000 at 500
  CHECK(std::ranges::count(file.unused, "Acquisitions.Fan = Half") == 1);
  CHECK(file.unused.back().starts_with("Proj_00003.xim = (a file: no image"));
  CHECK(test::fact(file, "chamber that monitors the beam") == "500 counts");  // of the first image
  const int refused = test::read_damaged(path, folder / "damaged.xml", [](const auto& p) { load_scan(p); });
  CHECK(refused > 10);
}

TEST_CASE("TrueBeam: a detector that moves between views is followed", "[lab]") {
  const test::ScanFolder folder;
  for (const char* below : {"Acquisitions", "Acquisitions/7"}) std::filesystem::create_directory(folder / below);
  const double places_cm[] = {-0.8, -0.76, -0.88};
  for (int i = 0; i < 3; ++i)
    folder.write(fmt::format("Acquisitions/7/Proj_{}.xim", i), xim(2000, 10.0 * i, places_cm[i], 500));
  const auto path =
      folder.write("Scan.xml",
                   "<?xml version=\"1.0\"?><Scan><SAD>1000</SAD><SID>1500</SID><ImagerSizeX>8</ImagerSizeX>"
                   "<ImagerSizeY>6</ImagerSizeY><ImagerResX>0.4</ImagerResX><ImagerResY>0.4</ImagerResY></Scan>");
  const ScanFile file = load_scan(path);
  for (int i = 0; i < 3; ++i) {
    const View& view = file.scan.views[static_cast<std::size_t>(i)];
    const Vec3 foot = view.source * -0.5;  // where the ray through the axis meets the detector's plane
    CHECK(glm::dot(view.center - foot, view.u) / glm::dot(view.u, view.u) == Approx(10 * places_cm[i] / 0.4));
  }
  CHECK(test::fact(file, "detector moved between views") == "up to 2 px");
  CHECK(test::fact(file, "detector moved") == "-8 x 0 mm");
}

}  // namespace backlit::truebeam_scan_test
