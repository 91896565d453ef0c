// Elekta's _Frames.xml with .his images, made here from the description.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/correct_counts.hpp>
#include "support/io/damage.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/real_data.hpp"
#include "support/io/scan_folder.hpp"

namespace backlit::elekta_scan_test {
namespace {

constexpr int side = 96, views = 45;
constexpr double pixel = 409.6 / side;

double angle_deg(int view) { return -180 + 8.0 * view; }
/// Where the axis falls on the panel, which sags a little, mm.
double u_centre(int view) { return 20 + 3 * std::sin(0.2 * view); }
double v_centre(int view) { return -8 + 2 * std::cos(0.3 * view); }

/// RTK's geometry in its own axes: x at angle 0 across, y along the axis of rotation, z to the source; our x, y, z are
/// its z, x, y.
std::string his(const Phantom& object, int view) {
  const double a = angle_deg(view) * radians_per_degree;
  const Vec3 to_source(std::cos(a), std::sin(a), 0), across(-std::sin(a), std::cos(a), 0), along(0, 0, 1);
  std::string bytes(68, '\0');
  bytes[1] = 112, bytes[2] = 68, bytes[16] = bytes[18] = side - 1, bytes[20] = 1, bytes[32] = 4;
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column) {
      const Vec3 at = -536.0 * to_source + ((column - 0.5 * (side - 1)) * pixel - u_centre(view)) * across +
                      ((row - 0.5 * (side - 1)) * pixel - v_centre(view)) * along;
      const Vec3 source = 1000.0 * to_source;
      const double line = line_integral(object, source, glm::normalize(at - source), 0, 1e9);
      const auto raw = static_cast<unsigned>(std::lround(65536 - 65536 * std::exp(-line)));
      bytes += {static_cast<char>(raw & 255), static_cast<char>(raw >> 8)};
    }
  return bytes;
}

std::string frame(int view) {
  return fmt::format(
      "<Frame><Seq>{}</Seq><DeltaMs>{}</DeltaMs><GantryAngle>{:.9g}</GantryAngle><Exposed>True</Exposed>"
      "<UCentre>{:.9g}</UCentre><VCentre>{:.9g}</VCentre></Frame>\n",
      view + 1, 180 * view, angle_deg(view), u_centre(view), v_centre(view));
}

std::string frames_xml() {
  std::string text =
      "<?xml version=\"1.0\"?>\n<ProjectionSet><Image><AcquisitionPresetName>Head</AcquisitionPresetName>"
      "<kV>100</kV></Image>\n<Frames>\n";
  for (int view = 0; view < views; ++view) text += frame(view);
  return text + "</Frames></ProjectionSet>\n";
}

}  // namespace

TEST_CASE("Elekta: an object without symmetry comes back as it lay, from frames of a panel that sags", "[lab]") {
  const test::ScanFolder folder;
  Phantom object = test::lopsided_phantom(50);
  for (Body& body : object.bodies) body.value *= 0.1;
  for (int view = 0; view < views; ++view) folder.write(fmt::format("{:05}.1.his", view + 1), his(object, view));
  const auto path = folder.write("_Frames.xml", frames_xml());
  REQUIRE(is_scan(path));
  const ScanFile file = load_scan(path);
  REQUIRE(file.scan.view_count() == views);
  CHECK(file.scan.detector.pixel_u == Approx(pixel));
  CHECK(file.angles_deg[1] == Approx(-172));
  CHECK(std::ranges::count(file.unused, "Image.kV = 100") == 1);
  REQUIRE(file.flats);
  const auto corrected = correct_counts(file.projections, file.flats, nullptr, nullptr);
  std::vector<float> image(side * side);
  corrected->read(7, 1, image);
  for (const auto& [row, column] : {std::pair{40, 55}, {52, 44}, {0, 0}}) {
    const View& v = file.scan.views[7];
    const double line = line_integral(object, v.source, ray_direction(file.scan.detector, v, column, row), 0, 1e9);
    CHECK(static_cast<double>(image[static_cast<std::size_t>(row * side + column)]) == Approx(line).margin(3e-5));
  }

  const VolumeGrid grid{{45, 45, 45}, Vec3(3.2), Vec3(0)};
  const Volume found = test::fdk(corrected, grid, "cpu");
  std::array<double, 4> like{};
  for (int i = 0; i < 4; ++i) {
    Phantom truth = object;
    for (Body& body : truth.bodies) body.center *= Vec3(i == 1 ? -1 : 1, i == 2 ? -1 : 1, i == 3 ? -1 : 1);
    like[static_cast<std::size_t>(i)] =
        test::fit(voxelize(truth, grid, 2).values.span(), found.values.span()).correlation;
  }
  INFO(like[0] << " " << like[1] << " " << like[2] << " " << like[3]);
  CHECK(like[0] > 0.85);
  for (std::size_t i = 1; i < 4; ++i) CHECK(like[0] > like[i] + 0.02);
}

TEST_CASE("Elekta: frames without images, names of anonymised files, damaged copies", "[lab]") {
  const test::ScanFolder folder;
  const Phantom nothing{"nothing", {}};
  const auto head = [](const std::string& frames) { return "<P><Frames>" + frames + "</Frames></P>"; };
  auto path = folder.write("_Frames.xml", head(frame(0) + frame(1)));
  CHECK_THROWS_WITH(load_scan(path), Catch::Contains("no .his images"));
  folder.write("1.his", his(nothing, 0));
  CHECK_THROWS_WITH(load_scan(path), Catch::Contains("2 frames, but 1 .his"));
  folder.write("2.his", his(nothing, 1));
  std::string blurred = head(frame(0) + frame(1));
  for (const auto& [name, less] :
       {std::pair("GantryAngle", "antryAngle"), {"UCentre", "Uentre"}, {"VCentre", "Ventre"}})
    for (std::size_t at; (at = blurred.find(fmt::format("{}>", name))) != std::string::npos;)
      blurred.replace(at, std::string(name).size(), less);
  path = folder.write("_Frames.xml", blurred);
  CHECK(load_scan(path).angles_deg[1] == Approx(-172));
  const int refused = test::read_damaged(path, folder / "damaged.xml", [](const auto& p) { load_scan(p); });
  CHECK(refused > 10);
}

}  // namespace backlit::elekta_scan_test
