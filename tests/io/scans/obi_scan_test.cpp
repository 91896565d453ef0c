// Varian's on-board imager: .hnd and .hnc images with ProjectionInfo.xml, made here from the description.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include "support/io/damage.hpp"
#include "support/io/detector_bytes.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/scan_folder.hpp"

namespace backlit::obi_scan_test {
namespace {

namespace fs = std::filesystem;
using test::fact;
using test::LabScanner;
using test::ScanFolder;

constexpr int views = 60;

/// RTK's frame: columns to the right as seen from the source, rows upwards; the detector is moved along both.
LabScanner scanner() {
  LabScanner s = test::small_lab_scanner();
  s.columns = 48;
  s.rows = 40;
  s.first_column_right = s.first_row_top = false;
  s.detector_x = 2;
  s.detector_z = -0.5;
  return s;
}

/// A header with lengths in cm.
std::string header(const LabScanner& s, std::size_t bytes, double angle, double chamber) {
  std::string h =
      test::varian_header(bytes, static_cast<std::int32_t>(s.columns), static_cast<std::int32_t>(s.rows), s.pixel);
  const std::pair<std::size_t, double> fields[] = {{176, 0.1 * s.to_axis},
                                                   {184, 0.1 * s.to_detector},
                                                   {280, 0.1 * s.detector_z},
                                                   {288, 0.1 * s.detector_x},
                                                   {400, 125},
                                                   {432, angle},
                                                   {440, chamber}};
  for (const auto& [at, value] : fields) test::set_at(h, at, value);
  return h;
}

std::string hnd(const LabScanner& s, const std::vector<float>& lines, double angle, double white) {
  std::vector<std::int32_t> counts;
  for (const float p : lines)
    counts.push_back(static_cast<std::int32_t>(std::lround(white * std::exp(-static_cast<double>(p)))));
  return test::hnd_bytes(counts, static_cast<std::size_t>(s.columns), header(s, 1024, angle, 1000));
}

std::string hnc(const LabScanner& s, const std::vector<float>& lines, double angle, double white, double chamber) {
  std::string bytes = header(s, 512, angle, chamber);
  for (const float p : lines)
    test::append(bytes, static_cast<std::uint16_t>(std::lround(white * std::exp(-static_cast<double>(p)))));
  return bytes;
}

void write_hnd(const ScanFolder& folder, const LabScanner& s, const char* prefix, double stated_step = 6) {
  for (int i = 0; i < views; ++i)
    folder.write(fmt::format("{}{:05}.hnd", prefix, i),
                 hnd(s, s.image(test::lopsided_phantom(5), 6 * i), stated_step * i, 139000));
}

std::string projection_info(const LabScanner& s) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<ProjectionInfo>\n <Acquisition>\n  <FanType>HalfFan</FanType>\n"
      "  <GantryRtnSpeed>6</GantryRtnSpeed>\n  <CalibratedSAD>{}</CalibratedSAD>\n"
      "  <CalibratedSID>{}</CalibratedSID>\n  <CalibratedDetectorOffsetX>0.75</CalibratedDetectorOffsetX>\n"
      "  <CalibratedDetectorOffsetY>{}</CalibratedDetectorOffsetY>\n  <DetectorPosLat>{}</DetectorPosLat>\n"
      " </Acquisition>\n</ProjectionInfo>\n",
      s.to_axis, s.to_detector, s.detector_z, s.detector_x - 0.75);
}

}  // namespace

TEST_CASE("ProjectionInfo.xml: an object comes back as it lay, from .hnd images of a half fan", "[lab]") {
  const ScanFolder folder;
  const LabScanner s = scanner();
  fs::create_directory(folder / "Scan0");
  write_hnd(folder, s, "Scan0/Proj_");
  const fs::path path = folder.write("ProjectionInfo.xml", projection_info(s));
  REQUIRE(is_scan(path));
  const ScanFile file = load_scan(folder.path());
  CHECK(file.path == path);
  CHECK(file.angles_deg[3] == 18);
  CHECK(center_of(file.scan) == Approx(23.5 - 4));  // the detector is moved by four columns
  CHECK(fact(file, "counts of the open beam") == "139000");
  CHECK(std::ranges::count(file.unused, "Acquisition.GantryRtnSpeed = 6") == 1);
  CHECK(fact(file, "tube voltage") == "125 kV");
  CHECK(std::ranges::count(file.unused, "Proj_00000.hnd: SliceZPos = 0") == 1);
  test::check_object(file);
  const int refused = test::read_damaged(path, folder / "ProjectionInfo.xml", [](const fs::path& p) { load_scan(p); });
  CHECK(refused > 10);
}

TEST_CASE("a folder of .hnd images has its geometry in their headers, whose angles are checked", "[lab]") {
  const ScanFolder folder;
  const LabScanner s = scanner();
  write_hnd(folder, s, "Proj_", -6);
  REQUIRE(is_scan(folder.path()));
  const ScanFile file = load_scan(folder.path());
  CHECK(fact(file, "unit of the header's lengths") == "cm");
  CHECK(fact(file, "source to axis") == "60 mm");
  CHECK(fact(file, "detector moved") == "2 x -0.5 mm");
  CHECK(fact(file, "turning sense") == "the opposite of what the format says, since the data contradict it");
  test::check_place(file);
  const std::string good = test::file_bytes(folder / "Proj_00001.hnd");
  folder.write("good", good);
  std::vector<float> view(static_cast<std::size_t>(s.columns * s.rows));
  const int refused = test::read_damaged(
      folder / "good", folder / "Proj_00001.hnd",
      [&](const fs::path&) { load_scan(folder.path()).projections->read(1, 1, view); }, 30, 0);
  CHECK(refused > 10);
  folder.write("Proj_00001.hnd", good.substr(0, 100));
  CHECK_THROWS_WITH(load_scan(folder.path()), Catch::Contains("Proj_00001.hnd"));
}

TEST_CASE("Scan.xml beside .hnc images: an air scan is scaled by the chamber", "[lab]") {
  const ScanFolder folder;
  const LabScanner s = scanner();
  for (int i = 0; i < views; ++i)  // in every second view the tube gives half as much
    folder.write(fmt::format("Proj_{:05}.hnc", i),
                 hnc(s, s.image(test::lopsided_phantom(5), 6 * i), 6 * i, i % 2 ? 20000 : 40000, i % 2 ? 500 : 1000));
  folder.write("Norm_1.hnc", hnc(s, std::vector<float>(48 * 40, 0), 0, 60000, 1500));
  const auto path =
      folder.write("Scan.xml", fmt::format("<?xml version=\"1.0\"?><Scan><Acquisitions><SAD>{}</SAD><SID>{}</SID>"
                                           "<ImagerSizeX>48</ImagerSizeX><ImagerSizeY>40</ImagerSizeY><ImagerResX>0.5"
                                           "</ImagerResX><ImagerResY>0.5</ImagerResY></Acquisitions></Scan>",
                                           s.to_axis, s.to_detector));
  const ScanFile file = load_scan(path);
  CHECK(file.scan.view_count() == views);
  CHECK(fact(file, "open beam") == "scaled by the chamber of each view");
  test::check_object(file);
}

}  // namespace backlit::obi_scan_test
