// Turning sense and flips that a file states wrongly: the data find it out, whatever the format.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/matrix.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include "support/io/damage.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/scan_folder.hpp"
#include "support/io/scanner_headers.hpp"

namespace backlit::direction_test {
namespace {

namespace fs = std::filesystem;
using test::fact;
using test::ScanFolder;

constexpr const char* agree = "as the format says, and the data agree";
constexpr const char* contradicted = "the opposite of what the format says, since the data contradict it";

Detector small_detector() {
  Detector d;
  d.columns = 47;
  d.rows = 39;
  d.pixel_u = d.pixel_v = 0.5;
  return d;
}

std::vector<float> image_of(const Phantom& object, const Detector& d, const View& view) {
  std::vector<float> values;
  for (std::int64_t row = 0; row < d.rows; ++row)
    for (std::int64_t column = 0; column < d.columns; ++column)
      values.push_back(static_cast<float>(line_integral(
          object, view.source, ray_direction(d, view, static_cast<double>(column), static_cast<double>(row)), 0, 1e9)));
  return values;
}

Phantom placed(const Vec3& sign, double size = 5) {
  Phantom object = test::lopsided_phantom(size);
  for (Body& body : object.bodies) body.center *= sign;
  return object;
}

/// Whether the data are those of `object` under the geometry that the reader took.
void check_rays(const ScanFile& file, const Phantom& object, double open_beam = 0) {
  const Detector& d = file.scan.detector;
  std::vector<float> image(static_cast<std::size_t>(d.pixels()));
  for (const std::int64_t i : {std::int64_t{1}, file.scan.view_count() / 3, file.scan.view_count() - 1}) {
    file.projections->read(i, 1, image);
    const auto truth = image_of(object, d, file.scan.views[static_cast<std::size_t>(i)]);
    double most = 0;
    for (std::size_t k = 0; k < truth.size(); ++k) {
      const double line = open_beam > 0 ? std::log(open_beam / static_cast<double>(image[k])) : image[k];
      most = std::max(most, std::abs(line - static_cast<double>(truth[k])));
    }
    CHECK(most < 1e-4);
  }
}

std::string vectors(const std::vector<Vec3>& list) {
  std::string text;
  for (const Vec3& v : list)
    text += fmt::format("{}{:.17g}, {:.17g}, {:.17g}", text.empty() ? "" : ", ", v.x, v.y, v.z);
  return text;
}

/// LEAP's text of modular beams.
std::string modular_text(const Detector& d, const std::vector<View>& views) {
  std::vector<Vec3> sources, centers, rows, columns;
  for (const View& view : views) {
    sources.push_back(view.source);
    centers.push_back(view.center);
    rows.push_back(glm::normalize(view.v));
    columns.push_back(glm::normalize(view.u));
  }
  return fmt::format(
      "geometry = modular\nnumAngles = {}\nnumRows = {}\nnumCols = {}\npixelHeight = {}\npixelWidth = {}\n"
      "centerRow = {}\ncenterCol = {}\nangularRange = 0\nsourcePositions = {}\nmoduleCenters = {}\nrowVectors = {}\n"
      "colVectors = {}\n",
      views.size(), d.rows, d.columns, d.pixel_v, d.pixel_u, d.middle_row(), d.middle_column(), vectors(sources),
      vectors(centers), vectors(rows), vectors(columns));
}

/// A stack of images in the order of the views.
std::string stack_of(const Phantom& object, const Detector& d, const std::vector<View>& views) {
  std::vector<float> values;
  for (const View& view : views) {
    const auto image = image_of(object, d, view);
    values.insert(values.end(), image.begin(), image.end());
  }
  return test::npy_bytes({static_cast<std::int64_t>(views.size()), d.rows, d.columns}, values);
}

/// A circle whose detector and source stand a little off in each view.
std::vector<View> unsteady_circle(const Detector& d, double arc_deg) {
  auto views = circular_views(d, equal_angles(60, 0, arc_deg), 60, 100);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const double n = static_cast<double>(i);
    views[i].center += 0.4 * std::sin(n) * views[i].u + Vec3(0, 0, 0.3 * std::cos(2 * n));
    views[i].source.z += 0.2 * std::sin(3 * n);
  }
  return views;
}

}  // namespace

TEST_CASE("LEAP's modular beams: an object comes back as it lay, with unsteady views", "[lab]") {
  const ScanFolder folder;
  const Detector d = small_detector();
  const auto views = unsteady_circle(d, 360);
  folder.write("part.npy", stack_of(test::lopsided_phantom(5), d, views));
  const std::string text = modular_text(d, views);
  const fs::path path = folder.write("part.leap.txt", text);
  const ScanFile file = load_scan(path);
  CHECK(file.scan.views.size() == 60);
  CHECK(glm::length(file.scan.views[7].center - views[7].center) < 1e-12);
  test::check_object(file);
  const std::size_t at = text.find("colVectors");
  CHECK_THROWS_WITH(load_scan_geometry(folder.write("bad.leap.txt", text.substr(0, at) + "colVectors = 1, 0, 0\n")),
                    Catch::Contains("3 numbers for 60 views"));
  CHECK_THROWS_WITH(load_scan_geometry(folder.write("bad.leap.txt", text.substr(0, at))),
                    Catch::Contains("has no colVectors"));
}

TEST_CASE("LEAP's modular beams in the opposite sense are turned round", "[lab]") {
  const ScanFolder folder;
  const Detector d = small_detector();
  folder.write("part.npy", stack_of(test::lopsided_phantom(5), d, circular_views(d, equal_angles(60), 60, 100)));
  const auto stated = circular_views(d, equal_angles(60, 0, -360), 60, 100);
  const ScanFile file = load_scan(folder.write("part.leap.txt", modular_text(d, stated)));
  CHECK(fact(file, "turning sense") == contradicted);
  REQUIRE(file.notes.size() == 1);
  CHECK_THAT(file.notes[0], Catch::Contains("error is in the order of the columns"));
  check_rays(file, placed(Vec3(1)));
  CHECK_THAT(file.trajectory_toml, Catch::Contains("circular"));  // as text for people, too
}

TEST_CASE("LEAP's helix: turning sense and rows are told by lines between the sources", "[lab]") {
  const ScanFolder folder;
  Detector d = small_detector();
  d.shape = Detector::Shape::curved;
  constexpr int views = 144;
  constexpr double pitch = 6;
  const auto angles = equal_angles(views, -90, 1080);
  const double end = pitch * (angles.back() - angles.front()) / 360;
  const auto truth = helical_views(d, angles, 60, 100, pitch, -0.5 * end);
  folder.write("part.npy", stack_of(test::lopsided_phantom(5), d, truth));
  const auto load = [&](double arc, double given_pitch) {
    return load_scan(folder.write(
        "part.leap.txt",
        fmt::format("geometry = cone\ndetectorType = curved\nnumAngles = {}\nnumRows = {}\nnumCols = {}\npixelHeight = "
                    "0.5\npixelWidth = 0.5\nangularRange = {}\nsod = 60\nsdd = 100\nhelicalPitch = {:.17g}\n",
                    views, d.rows, d.columns, arc, given_pitch / (2 * pi))));
  };
  SECTION("stated as it was") {
    const ScanFile file = load(1080, pitch);
    CHECK(fact(file, "turning sense") == agree);
    CHECK(fact(file, "travel along the axis") == agree);
    CHECK(file.directions.size() == 2);
    check_rays(file, placed(Vec3(1)));
  }
  SECTION("the opposite turn") {  // with the sign of the pitch, since it is per angle
    const ScanFile file = load(-1080, -pitch);
    CHECK(fact(file, "turning sense") == contradicted);
    CHECK(fact(file, "travel along the axis") == agree);
    check_rays(file, placed(Vec3(1)));
  }
  SECTION("the opposite travel") {
    const ScanFile file = load(1080, -pitch);
    CHECK(fact(file, "turning sense") == agree);
    CHECK(fact(file, "travel along the axis") == contradicted);
    CHECK_THAT(file.notes.at(0), Catch::Contains("error is in the order of the rows"));
    check_rays(file, placed(Vec3(1)));
  }
}

TEST_CASE("CERA: columns that run the other way than FlipU says are found out, in raw images too", "[lab]") {
  const ScanFolder folder;
  const Detector d = small_detector();
  const Scan truth{d, circular_views(d, equal_angles(60), 60, 100)};
  std::string table = "projtable.txt version 3\nMon\n\n60\n", all;
  for (std::size_t i = 0; i < truth.views.size(); ++i) {
    const ProjectionMatrix p = projection_matrix(d, truth.views[i]);
    table += fmt::format("@{}\n0.0 0.0\n", i + 1);
    for (int r = 0; r < 3; ++r)
      table += fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}\n", p[0][r], p[1][r], p[2][r], p[3][r]);
    std::string file(16, '?');  // big-endian floats behind a header
    for (const float line : image_of(test::lopsided_phantom(5), d, truth.views[i])) {
      const auto counts = static_cast<float>(60000 * std::exp(-static_cast<double>(line)));
      file += test::packed<float>({counts}, true);
    }
    folder.write(fmt::format("p_{:04}.raw", i), file);
    all += file.substr(16);
  }
  folder.write("projtable.txt", table);
  folder.write("all.raw", std::string(16, '?') + all);
  const auto load = [&](const char* flip_u, const char* mask, const char* type = "raw_float") {
    return load_scan(folder.write(
        "scan.config",
        fmt::format("#CERACONFIG\n[Projections]\nNumChannelsPerRow = 47\nNumRows = 39\nPixelSizeU = 0.5\nPixelSizeV = "
                    "0.5\nFlipU = {}\nFlipV = false\nBigEndian = true\nRawHeaderSize = 16\n[CustomKeys]\n"
                    "NumProjections = 60\nProjectionFileType = {}\nProjectionFilenameMask = {}\n"
                    "ProjectionMatrixFilename = projtable.txt\n[I0Log]\nGlobalI0Value = 60000\n",
                    flip_u, type, mask)));
  };
  for (const char* mask : {"p_%04d.raw", "all.raw"}) {
    const ScanFile file = load("false", mask);
    CHECK(fact(file, "turning sense") == agree);
    check_rays(file, placed(Vec3(1)), 60000);
  }
  const ScanFile file = load("true", "p_%04d.raw");
  CHECK(fact(file, "turning sense") == contradicted);
  check_rays(file, placed(Vec3(1, -1, 1)), 60000);  // the first view stays: a mirror image, as the note says
  CHECK_THAT(file.notes.at(0), Catch::Contains("mirror image"));
  CHECK_THROWS_WITH(load("false", "p_%04d.raw", "raw_int8"), Catch::Contains("'raw_int8' is not read here"));
  CHECK_THROWS_WITH(load("false", "p_%04d.raw", "raw_uint16"),
                    Catch::Contains("p_0000.raw") && Catch::Contains("47 x 39 pixels of 16 bits"));
}

TEST_CASE("all formats of measured scans are checked, but for those that users write and filtered data", "[lab]") {
  for (const ScanFormat& format : scan_formats())
    CHECK(format.checks_directions == (format.name != "scan.toml" && format.name != "rabbitct"));
}

}  // namespace backlit::direction_test
