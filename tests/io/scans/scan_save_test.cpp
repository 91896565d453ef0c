// What is written comes back: to the last bit where doubles are printed with all their digits.
#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/scan_folder.hpp"

namespace backlit {
namespace {

using test::ScanFolder;

Scan tilted_scan(Detector::Shape shape) {
  const Detector d{65, 33, 0.3, 0.7, shape, shape == Detector::Shape::curved ? 512.3 : 0};
  return {d, circular_views(d, {0.1, 33.3, 270.7}, 410.66, 553.74, {1.3, -0.7, 0.11, 0.22, 0.33})};
}

}  // namespace

TEST_CASE("a scan written as views comes back exactly", "[scan]") {
  ScanFolder folder;
  Scan scan = tilted_scan(GENERATE(Detector::Shape::flat, Detector::Shape::curved));
  save_scan(scan, {}, folder / "b.scan.toml");
  const ScanFile back = load_scan(folder / "b.scan.toml");
  CHECK(back.scan.detector == scan.detector);
  CHECK(back.scan.views == scan.views);
  CHECK_FALSE(back.volume);
  CHECK_FALSE(back.projections);
}

TEST_CASE("parallel views come back within rounding of their unit vectors", "[scan]") {
  ScanFolder folder;
  const Detector d{5, 3, 1.1, 1.7, Detector::Shape::flat, 0};
  const Scan scan{d, laminographic_views(d, equal_angles(17, 3, 180), 0, 0, 25)};
  save_scan(scan, {}, folder / "b.scan.toml");
  const auto back = load_scan(folder / "b.scan.toml").scan;
  REQUIRE(back.view_count() == 17);
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    CHECK(glm::length(back.views[i].direction - scan.views[i].direction) < 1e-12);
    CHECK(back.views[i].center == scan.views[i].center);
    CHECK(back.views[i].u == scan.views[i].u);
    CHECK(back.views[i].v == scan.views[i].v);
  }
}

TEST_CASE("a scan keeps the trajectory of the file that it came from", "[scan]") {
  ScanFolder folder;
  const std::string detector =
      "[detector]\ncolumns=9\nrows=7\npixel_mm=[0.1, 0.3]\noffset_px=[0.1,0.2]\ntilt_deg=[1,2,3]\n";
  const std::string distances = "source_to_axis_mm=400.1\nsource_to_detector_mm=600.7\n";
  folder.write("angles.txt", "1\n2.5\n4\n");
  const std::string text = detector + "[trajectory]\n" +
                           GENERATE_COPY(distances + "kind='circular'\nviews=7\nstart_deg=0.3\narc_deg=200.1\n",
                                         distances + "kind='circular'\nangles='angles.txt'\n",
                                         distances + "kind='helical'\nviews=7\narc_deg=800\npitch_mm=-3.3\n",
                                         distances + "kind='laminographic'\nelevation_deg=12.3\nviews=7\n",
                                         std::string("kind='laminographic'\nelevation_deg=-12.3\nviews=7\n"),
                                         std::string("kind='parallel'\nviews=7\nstart_deg=-3\n"));
  const ScanFile first = load_scan(folder.write("a.scan.toml", text));
  std::filesystem::create_directory(folder / "elsewhere");
  const auto copy = folder / "elsewhere/b.scan.toml";
  VolumeGrid grid{{3, 5, 7}, {0.1, 0.2, 0.3}, {-1, 2.0 / 3, 0}};
  save_scan(first.scan, {.trajectory_toml = first.trajectory_toml, .volume = grid}, copy);
  CHECK(test::file_bytes(copy).find("[[view]]") == std::string::npos);
  const ScanFile second = load_scan(copy);
  CHECK(second.scan.detector == first.scan.detector);
  CHECK(second.scan.views == first.scan.views);
  CHECK(second.angles_deg == first.angles_deg);
  CHECK(second.trajectory_toml == first.trajectory_toml);
  CHECK(second.volume == grid);

  SECTION("unless the views were changed since: then they are written one by one") {
    Scan moved = first.scan;
    moved.views[1].center.z += 0.125;
    save_scan(moved, {.trajectory_toml = first.trajectory_toml}, copy);
    CHECK(load_scan(copy).scan.views[1].center == moved.views[1].center);
  }
}

TEST_CASE("a written scan finds its data", "[scan]") {
  ScanFolder folder;
  const Scan scan = tilted_scan(Detector::Shape::flat);
  const std::string odd = "the \"first\" scan.npy";
  folder.write(odd, test::npy_bytes({3, 33, 65}, std::vector<float>(3 * 33 * 65, 2.f)));
  folder.write("flat.npy", test::npy_bytes({2, 33, 65}, std::vector<float>(2 * 33 * 65, 3.f)));
  save_scan(scan, {.projections = odd, .flats = "flat.npy", .kind = ScanFile::Kind::counts}, folder / "b.scan.toml");
  const ScanFile back = load_scan(folder / "b.scan.toml");
  REQUIRE(back.projections);
  CHECK(read_all(*back.projections).at(2, 32, 64) == 2.f);
  CHECK(back.kind == ScanFile::Kind::counts);
  REQUIRE(back.flats);
  CHECK(back.flats->scan().view_count() == 2);
  CHECK_FALSE(back.darks);
}

TEST_CASE("corrections of a scan come back, and wrong ones are refused by their line", "[scan]") {
  ScanFolder folder;
  const Scan scan = tilted_scan(Detector::Shape::flat);
  CorrectionOptions options{.zingers = 8.5, .stripes = 31, .stripe_method = StripeMethod::fitting, .flatten = true};
  from_text(options.scatter, "fit", "");
  from_text(options.hardening, "0.25,-0.5", "");
  save_scan(scan, {.corrections = options}, folder / "b.scan.toml");
  CHECK(load_scan(folder / "b.scan.toml").corrections == options);
  save_scan(scan, {}, folder / "c.scan.toml");
  CHECK(test::file_bytes(folder / "c.scan.toml").find("[corrections]") == std::string::npos);
  const std::string text = test::file_bytes(folder / "c.scan.toml");
  const auto refused = [&](const std::string& line, const std::string& what) {
    const auto file = folder.write("d.scan.toml", text + "\n[corrections]\n" + line + "\n");
    CHECK_THROWS_WITH(load_scan(file), Catch::Contains(what) && Catch::Contains("d.scan.toml:"));
  };
  refused("zinger = 8", "zingers");
  refused("zingers = -8", "-8 is outside");
  refused("stripe_method = \"best\"", "best");
  refused("scatter_share = \"much\"", "much");
}

TEST_CASE("a scan that cannot be used is not written", "[scan]") {
  ScanFolder folder;
  Scan scan = tilted_scan(Detector::Shape::flat);
  scan.views[2].u = Vec3(0);
  CHECK_THROWS_WITH(save_scan(scan, {}, folder / "b.scan.toml"), Catch::Contains("view 2 cannot be used"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

}  // namespace backlit
