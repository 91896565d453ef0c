#include <backlit/io/scans/geometry_file.hpp>
#include <backlit/io/scans/geometry_format.hpp>

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/geometry/matrix.hpp>
#include "support/io/damage.hpp"
#include "support/projectors/random_views.hpp"

using namespace backlit;
using test::odd_detector;
using test::Random;
using test::random_view;
namespace fs = std::filesystem;

namespace geometry_file_test {
namespace {

/// A folder that goes away with the test.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("backlit_geometry_" + std::to_string(std::random_device{}()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return path / name;
  }
};

double difference(const View& a, const View& b) {
  double worst = a.beam == b.beam ? 0 : 1;
  for (auto part : {&View::direction, &View::u, &View::v}) worst = std::max(worst, glm::length(a.*part - b.*part));
  for (auto part : {&View::source, &View::center})
    worst = std::max(worst, glm::length(a.*part - b.*part) / std::max(1.0, glm::length(a.*part)));
  return worst;
}

double round_trip(const Folder& folder, const Scan& scan, const std::string& extension, double distance = 0) {
  const fs::path file = folder.path / ("views" + extension);
  write_geometry(scan, file);
  Detector detector = scan.detector;
  if (extension == ".xml") detector.shape = Detector::Shape::flat;  // RTK says itself what it is
  const auto views = read_geometry(file, detector, distance);
  REQUIRE(views.size() == scan.views.size());
  CHECK(detector.shape == scan.detector.shape);
  double worst = 0;
  for (std::size_t i = 0; i < views.size(); ++i) worst = std::max(worst, difference(scan.views[i], views[i]));
  return worst;
}

std::string error_of(const fs::path& file, Detector detector = odd_detector()) {
  try {
    read_geometry(file, detector);
  } catch (const InputError& e) {
    const std::string text = e.what(), folder = file.parent_path().string() + "/";
    return text.starts_with(folder) ? text.substr(folder.size()) : text;
  }
  return "fine";
}

/// The example of RTK's documentation (Geometry.md), first view.
std::string rtk_example(bool curved, const std::string& offset = "-117.056503295898") {
  return std::string(
             "<?xml version=\"1.0\"?>\n<!DOCTYPE RTKGEOMETRY>\n<RTKThreeDCircularGeometry version=\"3\">\n"
             "  <SourceToIsocenterDistance>1000</SourceToIsocenterDistance>\n"
             "  <SourceToDetectorDistance>1536</SourceToDetectorDistance>\n") +
         (curved ? "  <RadiusCylindricalDetector>1536</RadiusCylindricalDetector>\n" : "") +
         "  <Projection>\n    <GantryAngle>271.847274780273</GantryAngle>\n    <ProjectionOffsetX>" + offset +
         "</ProjectionOffsetX>\n    <ProjectionOffsetY>-1.01195001602173</ProjectionOffsetY>\n    <Matrix>\n"
         "      -166.5093078829 0 -1531.42837748039 -117056.503295898\n"
         "      -1.01142410874151 -1536 0.0326206557691505 -1011.95001602173\n"
         "      -0.999480303105996 0 0.0322354417240802 -1000\n"
         "    </Matrix>\n  </Projection>\n</RTKThreeDCircularGeometry>\n";
}

/// What `plastimatch drr -r "64 48" -z "400 300" --sad 1000 --sid 1500` writes beside its second of four views.
const char* const plastimatch_view =
    "    3.15000000e+01     2.35000000e+01\n"
    "    1.60000000e-01    -6.99382323e-09     0.00000000e+00     0.00000000e+00\n"
    "   -0.00000000e+00    -0.00000000e+00    -1.60000000e-01     0.00000000e+00\n"
    "    2.91409296e-11     6.66666667e-04     0.00000000e+00     6.66666667e-01\n"
    "    1.00000000e+03\n    1.50000000e+03\n"
    "    4.37113944e-08     1.00000000e+00    -0.00000000e+00\n"
    "Extrinsic\n    1.0 0.0 -0.0 0.0\nIntrinsic\n 1 2 3 4\n";

}  // namespace

TEST_CASE("RTK's matrices and the views read from RTK agree: (x, y, z) there is (y, z, x) here") {
  Folder folder;
  Detector d = odd_detector();
  const auto views = read_geometry(folder.write("a.xml", rtk_example(false)), d);
  REQUIRE(views.size() == 1);
  const double phi = 271.847274780273 * radians_per_degree;
  CHECK(glm::length(views[0].source - 1000.0 * Vec3(std::cos(phi), std::sin(phi), 0)) < 1e-9);
  CHECK(glm::length(views[0].u - 0.8 * Vec3(-std::sin(phi), std::cos(phi), 0)) < 1e-12);
  CHECK(glm::length(views[0].v - Vec3(0, 0, 1.1)) < 1e-12);
  const double m[3][4] = {{-166.5093078829, 0, -1531.42837748039, -117056.503295898},
                          {-1.01142410874151, -1536, 0.0326206557691505, -1011.95001602173},
                          {-0.999480303105996, 0, 0.0322354417240802, -1000}};
  Random random(21);
  for (int i = 0; i < 20; ++i) {
    const Vec3 p = random.vector(100);
    const auto row = [&](int r) { return m[r][0] * p.y + m[r][1] * p.z + m[r][2] * p.x + m[r][3]; };
    const Vec3 image = projection_matrix(d, views[0]) * glm::dvec4(p, 1);
    CHECK(image.x / image.z == Approx(73 + row(0) / row(2) / 0.8).epsilon(1e-9));
    CHECK(image.y / image.z == Approx(30 + row(1) / row(2) / 1.1).epsilon(1e-9));
    CHECK(image.z == Approx(-row(2)).epsilon(1e-9));
  }
}

TEST_CASE("RTK's cylindrical detector: pixels stand where RTK puts them") {
  Folder folder;
  Detector d = odd_detector();
  const View view = read_geometry(folder.write("a.xml", rtk_example(true)), d)[0];
  CHECK(d.shape == Detector::Shape::curved);
  CHECK(d.radius == 1536);
  const double phi = 271.847274780273 * radians_per_degree;
  const Vec3 x(-std::sin(phi), std::cos(phi), 0), z(std::cos(phi), std::sin(phi), 0);
  for (double column : {0.0, 20.5, 146.0}) {
    const double angle = ((column - 73) * 0.8 - 117.056503295898) / 1536;
    const Vec3 expected = 1536 * std::sin(angle) * x + Vec3(0, 0, -1.01195001602173 + 4 * 1.1) +
                          (1000 - 1536 + 1536 * (1 - std::cos(angle))) * z;
    CHECK(glm::length(detector_point(d, view, column, 34) - expected) < 1e-9);
  }
}

TEST_CASE("RTK XML gives back what was written, for every kind of view it holds") {
  Folder folder;
  Random random(22);
  Scan scan{odd_detector(), {}};
  for (int i = 0; i < 40; ++i) scan.views.push_back(random_view(random, scan.detector));
  scan.views.push_back(laminographic_views(scan.detector, {30}, 500, 800, 90)[0]);
  CHECK(round_trip(folder, scan, ".xml") < 1e-9);

  Scan parallel{odd_detector(), {}};
  for (int i = 0; i < 20; ++i) {
    View view = random_view(random, parallel.detector, Beam::parallel);
    view.center -= glm::dot(view.center, view.direction) * view.direction;  // RTK does not say how far the detector is
    parallel.views.push_back(view);
  }
  CHECK(round_trip(folder, parallel, ".xml") < 1e-9);

  for (double radius : {0.0, 300.0, 1200.0}) {
    Scan curved{odd_detector(Detector::Shape::curved, radius), {}};
    const DetectorPlacement place{13, -4, 0, 0, 0};
    curved.views = circular_views(curved.detector, equal_angles(9), 500, 800, place);
    CHECK(round_trip(folder, curved, ".xml") < 1e-9);
  }
  Scan tilted{odd_detector(Detector::Shape::curved, 700), {}};
  for (int i = 0; i < 20; ++i) tilted.views.push_back(random_view(random, tilted.detector));
  CHECK(round_trip(folder, tilted, ".xml") < 1e-9);
}

TEST_CASE("RTK XML says common values once") {
  Folder folder;
  const Detector d = odd_detector();
  write_geometry({d, circular_views(d, equal_angles(5), 500, 800)}, folder.path / "a.xml");
  const std::string text = test::file_bytes(folder.path / "a.xml");
  const auto times = [&](const std::string& word) {
    int n = 0;
    for (std::size_t i = text.find(word); i != std::string::npos; i = text.find(word, i + 1)) ++n;
    return n;
  };
  CHECK(times("<SourceToDetectorDistance>") == 1);
  CHECK(times("<GantryAngle>") == 5);
  CHECK(times("<InPlaneAngle>") == 0);
  CHECK(times("<Matrix>") == 5);
}

TEST_CASE("RTK files that contradict themselves or are incomplete are refused") {
  Folder folder;
  CHECK_THAT(error_of(folder.write("a.xml", rtk_example(false, "-116"))),
             Catch::StartsWith("a.xml:6: view 0: its <Matrix> and its parameters disagree: entry 0,0 is -166.5"));
  std::string text = rtk_example(false);
  text.replace(text.find("version=\"3\""), 11, "version=\"1\"");
  CHECK(error_of(folder.write("a.xml", text)) == "a.xml:3: version '1' of RTK's geometry; versions 2 and 3 are known");
  text = rtk_example(false);
  text.replace(text.find(">1536<"), 6, ">15x6<");
  CHECK(error_of(folder.write("a.xml", text)) ==
        "a.xml:5: SourceToDetectorDistance is '15x6'; a finite number must stand there");
  CHECK_THAT(error_of(folder.write("a.xml", rtk_example(false).substr(0, 400))),
             Catch::Contains("broken XML") && Catch::Contains("is the file complete?"));
  CHECK(error_of(folder.write("a.xml", "<svg/>")) ==
        "a.xml: it holds no <RTKThreeDCircularGeometry>; give a geometry written by RTK");
  CHECK(error_of(folder.write("a.xml",
                              "<RTKThreeDCircularGeometry version=\"3\"><Projection/>"
                              "</RTKThreeDCircularGeometry>")) == "a.xml:1: view 0 has no GantryAngle");
  CHECK_THAT(error_of(folder.write("a.xml",
                                   "<RTKThreeDCircularGeometry version=\"3\"><GantryAngel>1</GantryAngel>"
                                   "</RTKThreeDCircularGeometry>")),
             Catch::StartsWith("a.xml:1: <GantryAngel> is not known"));
}

TEST_CASE("ASTRA tables and matrices give back what was written") {
  Folder folder;
  Random random(23);
  Scan cone{odd_detector(), {}}, parallel{odd_detector(), {}};
  for (int i = 0; i < 30; ++i) {
    cone.views.push_back(random_view(random, cone.detector, Beam::cone, i % 2));
    parallel.views.push_back(random_view(random, cone.detector, Beam::parallel, i % 2));
  }
  CHECK(round_trip(folder, cone, ".txt") < 1e-9);
  CHECK(round_trip(folder, parallel, ".txt") < 1e-9);
  CHECK(round_trip(folder, cone, ".matrices") < 1e-9);
  CHECK(round_trip(folder, {cone.detector, circular_views(cone.detector, {0, 40}, 500, 800)}, ".matrices", 800) < 1e-9);
  for (View& view : parallel.views) {
    view.v -= glm::dot(view.u, view.v) / glm::dot(view.u, view.u) * view.u;
    view.center -= glm::dot(view.center, view.direction) * view.direction;
  }
  CHECK(round_trip(folder, parallel, ".matrices") < 1e-9);
}

TEST_CASE("ASTRA's own geometries become ours") {
  // astra.create_proj_geom('cone', ...): source (sin, -cos, 0) R, detector opposite, u = (cos, sin, 0), v = +z.
  Folder folder;
  Detector d = odd_detector();
  const double c = std::cos(0.3), s = std::sin(0.3);
  const auto line = [&](double r, double back) {
    return fmt::format("{} {} 0, {} {} 0, {} {} 0, 0 0 1.1\n", r * s, -r * c, -back * s, back * c, 0.8 * c, 0.8 * s);
  };
  const View cone = read_geometry(folder.write("a.txt", line(500, 300)), d)[0];
  CHECK(difference(cone, circular_views(d, {0.3 / radians_per_degree - 90}, 500, 800)[0]) < 1e-12);
  const View beam = read_geometry(folder.write("b.txt", "# parallel3d_vec\n" + line(1, 0)), d)[0];
  CHECK(difference(beam, parallel_views(d, {0.3 / radians_per_degree - 90})[0]) < 1e-12);
}

TEST_CASE("three lines of four numbers are a matrix, in any scale and sign") {
  Folder folder;
  Detector d = odd_detector();
  const View view = circular_views(d, {20}, 500, 800)[0];
  const ProjectionMatrix p = projection_matrix(d, view);
  std::string text = "# P of view 0\n";
  for (int r = 0; r < 3; ++r)
    text += fmt::format("{:.17g} {:.17g}\t{:.17g} {:.17g}\r\n", -3 * p[0][r], -3 * p[1][r], -3 * p[2][r], -3 * p[3][r]);
  CHECK(difference(read_geometry(folder.write("a.txt", text), d)[0], view) < 1e-9);
  CHECK(difference(read_geometry(folder.write("a.txt", text), d, 800)[0], view) < 1e-9);
}

TEST_CASE("plastimatch's view files, all that match a pattern") {
  Folder folder;
  folder.write("p_0000.txt", plastimatch_view);
  folder.write("p_0001.txt", plastimatch_view);
  Detector d;
  d.columns = 64;
  d.rows = 48;
  d.pixel_u = d.pixel_v = 6.25;
  const auto views = read_geometry(folder.path / "p_*.txt", d);
  REQUIRE(views.size() == 2);
  CHECK(glm::length(views[0].source - Vec3(0, -1000, 0)) < 1e-4);
  CHECK(glm::length(views[0].center - Vec3(0, 500, 0)) < 1e-4);
  CHECK(glm::length(views[0].u - Vec3(6.25, 0, 0)) < 1e-6);
  CHECK(glm::length(views[0].v - Vec3(0, 0, -6.25)) < 1e-6);  // its rows run down
  CHECK_THAT(error_of(folder.path / "q_*.txt"),
             Catch::EndsWith("q_*.txt: no file matches this pattern; check the folder and the pattern"));
  std::string text = plastimatch_view;
  text.erase(text.find("1.5000"), 14);
  CHECK_THAT(error_of(folder.write("p.txt", text)), Catch::StartsWith("p.txt: 6 lines of numbers before Extrinsic"));
}

TEST_CASE("no format's reader takes an empty text") {
  for (const GeometryFormat& format : geometry_formats()) {
    INFO(format.name);
    Detector d = odd_detector();
    CHECK_THROWS_AS(format.read({"empty", "", 0, {0, 0}}, d), InputError);
    CHECK_THROWS_AS(format.read({"empty", "# nothing\n", 0, {0, 0}}, d), InputError);
  }
}

TEST_CASE("tables say which line is wrong") {
  Folder folder;
  CHECK(error_of(folder.write("a.txt", "")) == "a.txt: it is empty; give a file of views");
  CHECK(error_of(folder.write("a.txt", "# nothing\n")) ==
        "a.txt: it holds no numbers; give a line of 12 numbers a view");
  CHECK(
      error_of(folder.write("a.txt", "1 2 3\n")) ==
      "a.txt:1: 3 numbers where 12 are expected; a line holds the 12 of an ASTRA vector or the 4 of a matrix row, all "
      "lines the same");
  CHECK(error_of(folder.write("a.txt", "1 0 0 1\n0 1 0 1\n")) ==
        "a.txt: 2 lines of 4 numbers; a matrix takes three lines");
  CHECK(error_of(folder.write("a.txt", "\n1 2 x\n")) == "a.txt:2: an entry is 'x'; a finite number must stand there");
  CHECK(error_of(folder.write("a.txt", "1 0 0  -1 0 0  0 1 0  0 2 0\n")) ==
        "a.txt: view 0 cannot be used: its u and v are zero or parallel to each other");
  CHECK_THAT(error_of(folder.write("a.txt", "1 0 0 1\n2 0 0 2\n0 0 1 1\n")), Catch::Contains("it is singular"));
  CHECK(error_of(folder.path / "none.txt") ==
        "none.txt: there is no such file; check [trajectory] geometry in the scan file");
  CHECK(error_of(folder.path) == folder.path.string().substr(folder.path.parent_path().string().size() + 1) +
                                     ": there is no such file; check [trajectory] geometry in the scan file");
}

TEST_CASE("views a format cannot hold are refused, and nothing is left behind") {
  Folder folder;
  Random random(24);
  Scan scan{odd_detector(Detector::Shape::curved), {}};
  scan.views = circular_views(scan.detector, {0}, 500, 800);
  CHECK_THROWS_AS(write_geometry(scan, folder.path / "a.txt"), Unsupported);
  CHECK_THROWS_AS(write_geometry(scan, folder.path / "a.matrices"), Unsupported);
  scan = {odd_detector(), {random_view(random, odd_detector(), Beam::cone, true)}};
  CHECK_THROWS_WITH(write_geometry(scan, folder.path / "a.xml"),
                    Catch::Contains("RTK XML cannot hold view 0: u and v are not orthogonal"));
  CHECK_THROWS_WITH(write_geometry(scan, folder.path / "a.csv"),
                    Catch::Contains("saved as RTK XML (.xml), ASTRA vectors (.txt), 3x4 matrices"));
  CHECK(fs::is_empty(folder.path));
}

TEST_CASE("damaged geometry files are errors or views, never a crash") {
  Folder folder;
  const Detector d = odd_detector();
  const Scan scan{d, circular_views(d, equal_angles(7), 500, 800, {3, 2, 1, 2, 3})};
  write_geometry(scan, folder.path / "good.xml");
  write_geometry(scan, folder.path / "good.txt");
  write_geometry(scan, folder.path / "good.matrices");
  folder.write("good.plastimatch", plastimatch_view);
  for (const char* name : {"good.xml", "good.txt", "good.matrices", "good.plastimatch"}) {
    INFO(name);
    const int refused = test::read_damaged(
        folder.path / name, folder.path / "victim",
        [&](const fs::path& file) {
          Detector detector = d;
          for (const View& view : read_geometry(file, detector)) CHECK(std::isfinite(glm::length(view.center)));
        },
        120);
    CHECK(refused > 30);
  }
}

}  // namespace geometry_file_test
