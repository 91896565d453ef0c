// What good scan files mean.
#include <catch2/catch.hpp>

#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/geometry/matrix.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include <backlit/phantom/phantom.hpp>
#include "geometry/make_view_map.hpp"
#include "study/bench/cases.hpp"
#include "support/io/scan_folder.hpp"
#include "support/paths.hpp"

namespace backlit {
namespace {

using test::npy_bytes;
using test::ScanFolder;

ScanFile load(const ScanFolder& folder, const std::string& text) {
  return load_scan(folder.write("a.scan.toml", text));
}

std::vector<float> ramp(std::size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.f);
  return values;
}

const std::string cone = "[trajectory]\nkind='circular'\nsource_to_axis_mm=400\nsource_to_detector_mm=600\n";

}  // namespace

TEST_CASE("a scan file gives the views of its trajectory", "[scan]") {
  ScanFolder folder;
  const ScanFile file = load(folder, R"(
[detector]
columns = 65
rows = 33
pixel_mm = [0.5, 0.75]
offset_px = [2.5, -1.0]
tilt_deg = [0.5, -0.25, 1.5]
[trajectory]
kind = "circular"
source_to_axis_mm = 400
source_to_detector_mm = 600.5
start_deg = 10
arc_deg = -200.0
views = 25
[volume]
size = [31, 33, 17]
voxel_mm = [0.5, 0.25, 1.0]
center_mm = [1.0, -2.0, 3.0]
)");
  Detector d{65, 33, 0.5, 0.75, Detector::Shape::flat, 0};
  CHECK(file.scan.detector == d);
  CHECK(file.angles_deg == equal_angles(25, 10, -200));
  const DetectorPlacement placement{2.5, -1, 0.5, -0.25, 1.5};
  CHECK(file.scan.views == circular_views(d, equal_angles(25, 10, -200), 400, 600.5, placement));
  REQUIRE(file.volume);
  CHECK(*file.volume == VolumeGrid{{31, 33, 17}, {0.5, 0.25, 1}, {1, -2, 3}});
  CHECK_FALSE(file.projections);
  CHECK(file.kind == ScanFile::Kind::line_integrals);
}

TEST_CASE("every kind of trajectory can be read", "[scan]") {
  ScanFolder folder;
  const std::string flat = "[detector]\ncolumns=9\nrows=7\npixel_mm=2\n";
  const Detector d{9, 7, 2, 2, Detector::Shape::flat, 0};
  SECTION("parallel, over half a turn by default") {
    const auto file = load(folder, flat + "[trajectory]\nkind='parallel'\nviews=6\n");
    CHECK(file.scan.views == parallel_views(d, equal_angles(6, 0, 180)));
  }
  SECTION("helical, centred on z = 0 by default") {
    const std::string helix = flat +
                              "[trajectory]\nkind='helical'\nsource_to_axis_mm=400\nsource_to_detector_mm=600\n"
                              "views=8\narc_deg=720\nstart_deg=30\npitch_mm=-24\n";
    const auto views = load(folder, helix).scan.views;
    CHECK(views == helical_views(d, equal_angles(8, 30, 720), 400, 600, -24, 21));
    CHECK(views.front().source.z == Approx(-views.back().source.z));
    CHECK(load(folder, helix + "start_z_mm=5\n").scan.views[0].source.z == Approx(5));
  }
  SECTION("laminographic, cone and parallel") {
    const std::string text = flat + "[trajectory]\nkind='laminographic'\nelevation_deg=30\nviews=5\n";
    CHECK(load(folder, text).scan.views == laminographic_views(d, equal_angles(5), 0, 0, 30));
    CHECK(load(folder, text + "source_to_axis_mm=300\nsource_to_detector_mm=600\n").scan.views ==
          laminographic_views(d, equal_angles(5), 300, 600, 30));
  }
  SECTION("listed angles, in the file and beside it") {
    const std::vector<double> angles{-3, 0.5, 7, 11};
    CHECK(load(folder, flat + cone + "angles_deg=[-3, 0.5, 7.0, 11]\n").angles_deg == angles);
    folder.write("angles.txt", "# deg\n99\n-3\n0.5\n7\n11\n-99\n");
    const auto file = load(folder, flat + cone + "angles='angles.txt'\nangles_range=[1, 4]\nviews=4\n");
    CHECK(file.angles_deg == angles);
    CHECK(file.scan.views == circular_views(d, angles, 400, 600));
  }
  SECTION("a curved detector, with a radius of its own") {
    const std::string text = "[detector]\ncolumns=9\nrows=7\npixel_mm=2\nshape='curved'\n";
    CHECK(load(folder, text + cone + "views=3\n").scan.detector.shape == Detector::Shape::curved);
    CHECK(load(folder, text + "radius_mm=500\n" + cone + "views=3\n").scan.detector.radius == 500);
  }
  SECTION("explicit views, whose pixels are taken when none are given") {
    const auto file = load(folder, R"(
detector = {columns = 9, rows = 7}
[[view]]
source = [400, 0, 0]
center = [-200, 0, 1]
u = [0, 1.5, 0]
v = [0, 0, 2]
[[view]]
source = [0, 400, 0]
center = [0, -200, 1]
u = [-1.5, 0, 0]
v = [0, 0, 2]
)");
    REQUIRE(file.scan.view_count() == 2);
    CHECK(file.scan.detector == Detector{9, 7, 1.5, 2, Detector::Shape::flat, 0});
    CHECK(file.scan.views[1] == View{Beam::cone, {0, 400, 0}, Vec3(0), {0, -200, 1}, {-1.5, 0, 0}, {0, 0, 2}});
    CHECK(file.angles_deg.empty());
  }
  SECTION("explicit parallel views: the direction is made a unit vector") {
    const auto file = load(folder,
                           "detector = {columns = 9, rows = 7}\n"
                           "[[view]]\ndirection=[-2,0,0]\ncenter=[0,0,0]\nu=[0,1,0]\nv=[0,0,1]\n");
    CHECK(file.scan.views[0].beam == Beam::parallel);
    CHECK(file.scan.views[0].direction == Vec3(-1, 0, 0));
  }
  SECTION("a table of another toolkit") {
    folder.write("views.txt", "400 0 0  -200 0 0  0 2 0  0 0 2\n0 400 0  0 -200 0  -2 0 0  0 0 2\n");
    const auto file = load(folder, flat + "[trajectory]\ngeometry='views.txt'\n");
    CHECK(file.scan.view_count() == 2);
    CHECK(file.scan.views[1].u == Vec3(-2, 0, 0));
  }
}

TEST_CASE("the data say what the file leaves out", "[scan]") {
  ScanFolder folder;
  const auto values = ramp(5 * 3 * 4);
  const std::string data = "[data]\nprojections='p.npy'\n";
  SECTION("columns, rows and views of a stack") {
    folder.write("p.npy", npy_bytes({5, 3, 4}, values));
    const auto file = load(folder, "[detector]\npixel_mm=1\n" + cone + data);
    CHECK(file.scan.detector.columns == 4);
    CHECK(file.scan.detector.rows == 3);
    CHECK(file.scan.view_count() == 5);
    std::vector<float> two(2 * 12);
    file.projections->read(2, 2, two);
    CHECK(two == std::vector<float>(values.begin() + 24, values.begin() + 48));
    CHECK(file.projections->scan().views == file.scan.views);
  }
  SECTION("one image is a sinogram: its rows are views") {
    folder.write("p.npy", npy_bytes({15, 4}, values));
    const std::string detector = GENERATE("[detector]\npixel_mm=1\n", "[detector]\npixel_mm=1\nrows=1\n");
    const auto file = load(folder, detector + cone + data);
    CHECK(file.scan.detector.rows == 1);
    CHECK(file.scan.view_count() == 15);
    std::vector<float> two(2 * 4);
    file.projections->read(13, 2, two);
    CHECK(two == std::vector<float>(values.begin() + 52, values.end()));
  }
  SECTION("one image is a view when there is one view, or when the detector has its rows") {
    folder.write("p.npy", npy_bytes({15, 4}, values));
    CHECK(load(folder, "[detector]\npixel_mm=1\n" + cone + "views=1\n" + data).scan.detector.rows == 15);
    CHECK(load(folder, "[detector]\npixel_mm=1\nrows=15\n" + cone + data).scan.view_count() == 1);
  }
  SECTION("flats and darks, any number of frames") {
    folder.write("p.npy", npy_bytes({5, 3, 4}, values));
    folder.write("f.npy", npy_bytes({2, 3, 4}, ramp(24)));
    folder.write("d.npy", npy_bytes({3, 4}, ramp(12)));
    const auto file =
        load(folder, "[detector]\npixel_mm=1\n" + cone + data + "kind='counts'\nflats='f.npy'\ndarks='d.npy'");
    CHECK(file.kind == ScanFile::Kind::counts);
    CHECK(file.flats->scan().view_count() == 2);
    CHECK(file.darks->scan().view_count() == 1);
    std::vector<float> frame(12);
    file.flats->read(1, 1, frame);
    CHECK(frame[0] == 12.f);
    file.darks->read(0, 1, frame);
    CHECK(frame[11] == 11.f);
  }
  SECTION("a number stands for flats") {
    folder.write("p.npy", npy_bytes({5, 3, 4}, values));
    const auto file = load(folder, "[detector]\npixel_mm=1\n" + cone + data + "kind='counts'\nopen_beam=90.5");
    std::vector<float> frame(12);
    file.flats->read(0, 1, frame);
    CHECK(frame == std::vector<float>(12, 90.5f));
    CHECK(file.notes.empty());
  }
  SECTION("flats of a sinogram are rows too") {
    folder.write("p.npy", npy_bytes({15, 4}, values));
    folder.write("f.npy", npy_bytes({2, 4}, ramp(8)));
    const auto file = load(folder, "[detector]\npixel_mm=1\n" + cone + data + "kind='counts'\nflats='f.npy'");
    CHECK(file.flats->scan().view_count() == 2);
  }
}

TEST_CASE("The table [volume] may leave out what the scan implies", "[scan]") {
  ScanFolder folder;
  const std::string scan = "[detector]\ncolumns=64\nrows=16\npixel_mm=1\n[trajectory]\nkind='parallel'\nviews=90\n";
  const VolumeGrid whole = default_grid(load(folder, scan).scan);
  const auto coarse = *load(folder, scan + "[volume]\nvoxel_mm=2\n").volume;
  CHECK(coarse.spacing == Vec3(2));
  CHECK(coarse.size == Size3{whole.size[0] / 2, whole.size[1] / 2, whole.size[2] / 2});
  const auto uneven = *load(folder, scan + "[volume]\nvoxel_mm=3\n").volume;  // the box is covered, as by --voxel 3
  CHECK(uneven.size == Size3{(whole.size[0] + 2) / 3, (whole.size[1] + 2) / 3, (whole.size[2] + 2) / 3});
  const auto small = *load(folder, scan + "[volume]\nsize=[3,5,7]\ncenter_mm=[1,2,3]\n").volume;
  CHECK(small.size == Size3{3, 5, 7});
  CHECK(small.center == Vec3(1, 2, 3));
  const Vec3 box = whole.upper() - whole.lower();  // is divided, as by --grid
  CHECK(small.spacing == Vec3(std::max({box.x / 3, box.y / 5, box.z / 7})));
}

TEST_CASE("the scans in assets/scans can be read", "[scan]") {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "assets/scans")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".scan.toml")) continue;
    INFO(name);
    ++count;
    if (name == "tooth.scan.toml" || name == "pin.scan.toml") {  // templates: the data are not here
      CHECK_THROWS_AS(load_scan(entry.path()), InputError);
      continue;
    }
    const ScanFile file = load_scan(entry.path());
    CHECK(file.scan.view_count() > 0);
    CHECK_NOTHROW(file.volume ? *file.volume : default_grid(file.scan));
  }
  CHECK(count >= 12);
}

TEST_CASE("the phantoms that the examples name fit their detectors", "[scan]") {
  const auto check = [](const std::string& name, const std::string& phantom, double scale) {
    INFO(name);
    const Scan scan = load_scan(test::source_dir() / "assets/scans" / (name + ".scan.toml")).scan;
    const Detector& d = scan.detector;
    std::vector<float> view(static_cast<std::size_t>(d.pixels()));
    float largest = 0, edge = 0;
    for (std::int64_t i = 0; i < scan.view_count(); i += std::max<std::int64_t>(1, scan.view_count() / 9)) {
      project_phantom(scaled(load_phantom(phantom), scale), scan, i, 1, 1, view);
      for (std::int64_t p = 0; p < d.pixels(); ++p) {
        const float value = view[static_cast<std::size_t>(p)];
        largest = std::max(largest, value);
        if (p % d.columns == 0 || p % d.columns == d.columns - 1) edge = std::max(edge, value);
      }
    }
    CHECK(largest > 0);
    CHECK(edge == 0);
  };
  check("short-scan", "forbild-head", 1);
  check("curved", "forbild-head", 1);
  check("fan", "forbild-head", 0.3);
  check("laminographic", "ctp528", 0.35);
}

TEST_CASE("the RabbitCT data set is a scan", "[scan]") {
  test::ScanFolder folder;
  const std::uint32_t header[] = {5, 3, 2};
  const float scale[] = {1.f, 0.f};
  std::string bytes(reinterpret_cast<const char*>(header), sizeof header);
  bytes.append(reinterpret_cast<const char*>(scale), sizeof scale);
  const Detector d{5, 3, 0.32, 0.32, Detector::Shape::flat, 0};
  const auto views = circular_views(d, {10, 70}, 750, 1200);
  for (std::size_t i = 0; i < 2; ++i) {
    const ProjectionMatrix matrix = projection_matrix(d, views[i]) * (1.0 / 750);  // w is 1 at the isocentre
    bytes.append(reinterpret_cast<const char*>(&matrix[0][0]), 12 * sizeof(double));
    const std::vector<float> image(15, static_cast<float>(i));
    bytes.append(reinterpret_cast<const char*>(image.data()), 15 * sizeof(float));
  }
  const ScanFile file = load_scan(folder.write("rabbit.rctd", bytes));
  REQUIRE(file.scan.view_count() == 2);
  CHECK(file.scan.detector == d);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(glm::length(file.scan.views[i].source - views[i].source) < 1e-9);
    CHECK(glm::length(file.scan.views[i].center - views[i].center) < 1e-9);
    CHECK(glm::length(file.scan.views[i].u - views[i].u) < 1e-9);
  }
  CHECK(read_all(*file.projections).at(1, 2, 4) == 1.f);
  CHECK_THAT(file.notes.at(0), Catch::Contains("filtered and weighted already"));
}

TEST_CASE("the medical scanner's detector is displaced by a quarter of a column, to the right side", "[scan]") {
  const auto asset = [](const char* name) {
    return load_scan(test::source_dir() / "assets/scans" / (std::string(name) + ".scan.toml")).scan;
  };
  const Scan scan = asset("ct750");
  const auto axis = [&](std::size_t view) {
    return project_point(make_view_map(scan.detector, scan.views[view]), 0.0, 0.0, 0.0).column;
  };
  CHECK(axis(0) == Approx(443.5 - 1.25));
  CHECK(bench_case("ct750").scan.detector == scan.detector);
  CHECK(bench_case("ct750").scan.views == scan.views);
  // The detector's middle lies 1.28 mm (along its arc) ahead of the axis, along u.
  const View& view = scan.views[0];
  CHECK(glm::dot(view.center - view.source, glm::normalize(Vec3(0, 1, 0))) == Approx(949 * std::sin(1.279875 / 949)));
  // A ray and the nearest ones of the opposite view are half a column apart at the axis: they pass it at 0.25 and
  // -0.25 columns, on opposite sides of one line.
  const auto distance = [&](std::size_t v, double column) {
    const Vec3 d = ray_direction(scan.detector, scan.views[v], column, 31.5);
    return scan.views[v].source.x * d.y - scan.views[v].source.y * d.x;
  };
  const double column_at_axis = 1.0239 * 541 / 949;
  CHECK(std::abs(distance(0, 442)) == Approx(0.25 * column_at_axis).epsilon(1e-3));
  CHECK(distance(0, 442) == Approx(distance(492, 442)).epsilon(1e-6));  // seen against each other: half a column

  const Scan helix = asset("ct750-helical");
  CHECK(helix.views[984].source.z - helix.views[0].source.z ==
        Approx(31.0 / 32 * (32 * 1.0963 * 541 / 949)).epsilon(1e-6));

  const Scan flying = asset("ct750-flying");
  const auto at_rest = circular_views(flying.detector, equal_angles(2200), 541, 949);
  for (const std::size_t i : {0, 1})
    CHECK(glm::dot(flying.views[i].source - at_rest[i].source, glm::normalize(flying.views[i].u)) ==
          Approx(i == 0 ? 0.3394 : -0.3394));
  CHECK(cylinder_radius(flying.detector, flying.views[1]) == 949);
}

TEST_CASE("a flying focal spot is read, written and refused where it has no meaning", "[scan]") {
  const ScanFolder folder;
  const std::string detector = "[detector]\ncolumns=64\nrows=16\npixel_mm=1\n",
                    circle = "[trajectory]\nkind='circular'\nsource_to_axis_mm=50\nsource_to_detector_mm=90\nviews=4\n",
                    spots = "focal_spot_u_mm=[1, -1]\nfocal_spot_z_mm=[0.5]\n";
  const Scan rest = load(folder, detector + circle).scan, flying = load(folder, detector + circle + spots).scan;
  for (std::size_t i = 0; i < 4; ++i) {
    const double u = i % 2 == 0 ? 1 : -1;
    CHECK(glm::length(flying.views[i].source - rest.views[i].source - u * rest.views[i].u - Vec3(0, 0, 0.5)) < 1e-12);
    CHECK(flying.views[i].center == rest.views[i].center);
  }
  const ScanGeometry again = [&] {
    const TomlTable root = TomlTable::parse(detector + circle + spots, "spots.scan.toml");
    return read_scan_geometry(root, {}, {});
  }();
  CHECK(again.toml.find("focal_spot_u_mm = [1.0, -1.0]") != std::string::npos);
  CHECK_THROWS_WITH(load(folder, detector + "shape='curved'\n" + circle + spots),
                    Catch::Contains("radius_mm is missing: the focal spot moves, the curved detector does not"));
  CHECK_THROWS_WITH(load(folder, detector + "[trajectory]\nkind='parallel'\nviews=3\n" + spots),
                    Catch::Contains("parallel beams have no focal spot"));
}

TEST_CASE("Single views may be shifted along columns and rows") {
  const ScanFolder folder;
  const std::string detector = "[detector]\ncolumns=64\nrows=16\npixel_mm=1.5\noffset_px=[1, 0]\n",
                    circle = "[trajectory]\nkind='circular'\nsource_to_axis_mm=50\nsource_to_detector_mm=90\nviews=3\n";
  const Scan rest = load(folder, detector + circle).scan,
             moved = load(folder, detector + circle + "shift_u_px=[1, 0, -2.5]\nshift_v_px=[0, 2, 0.5]\n").scan,
             along_u = load(folder, detector + circle + "shift_u_px=[1, 0, -2.5]\n").scan;
  CHECK(moved.views == shifted(rest, {{1, 0}, {0, 2}, {-2.5, 0.5}}).views);
  CHECK(along_u.views == shifted(rest, {{1, 0}, {0, 0}, {-2.5, 0}}).views);
  // The same sense as offset_px.
  CHECK(glm::length(moved.views[0].center - (rest.views[0].center - rest.views[0].u)) < 1e-12);
  CHECK_THROWS_WITH(load(folder, detector + circle + "shift_v_px=[0, 2]\n"),
                    Catch::Contains("shift_v_px") && Catch::Contains("2 shifts for 3 views"));
  CHECK_THROWS_WITH(load(folder, detector + "shape='curved'\n" + circle + "shift_u_px=[1, 0, 2]\n"),
                    Catch::Contains("curved detectors are not shifted"));
}

}  // namespace backlit
