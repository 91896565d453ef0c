// What the headers of projections say of pixels and their position: used where a geometry counts on it, refused where
// it contradicts the scan file, noted where it is not used.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/geometry_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include "support/io/real_data.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using test::ScanFolder;

namespace image_frame_test {
namespace {

constexpr double pixel_u = 5, pixel_v = 4, axis = 600, source_to_detector = 900;

/// 40 x 12 pixels, their middle off the axis by `offset` pixels.
Scan circle(std::int64_t views, const DetectorPlacement& placement) {
  Detector d;
  d.columns = 40;
  d.rows = 12;
  d.pixel_u = pixel_u;
  d.pixel_v = pixel_v;
  return {d, circular_views(d, equal_angles(views), axis, source_to_detector, placement)};
}

/// Views as slices of a volume: pixels of this size, the images' middle there, mm.
Volume stack_of(const Projections& p, const glm::dvec2& pixel, const glm::dvec2& middle) {
  const Detector& d = p.scan.detector;
  Volume stack(VolumeGrid{{d.columns, d.rows, p.scan.view_count()}, {pixel, 1}, {middle, 0}});
  std::copy(p.values.begin(), p.values.end(), stack.values.begin());
  return stack;
}

Projections zeros(std::int64_t views) { return Projections(circle(views, {})); }

std::string scan_text(const std::string& detector, const std::string& trajectory, const std::string& file) {
  return fmt::format("[detector]\n{}\n[trajectory]\n{}\n[data]\nprojections = '{}'\n", detector, trajectory, file);
}

const std::string circular =
    fmt::format("kind = 'circular'\nsource_to_axis_mm = {}\nsource_to_detector_mm = {}\n", axis, source_to_detector);
const std::string pixels = fmt::format("pixel_mm = [{}, {}]", pixel_u, pixel_v);
const std::string rtk = "geometry = 'g.xml'";

ScanFile load(const ScanFolder& folder, const std::string& detector, const std::string& trajectory,
              const std::string& file) {
  return load_scan(folder.write("a.scan.toml", scan_text(detector, trajectory, file)));
}

std::string error_of(const ScanFolder& folder, const std::string& detector, const std::string& trajectory,
                     const std::string& file) {
  try {
    load(folder, detector, trajectory, file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

double difference(const Scan& a, const Scan& b) {
  REQUIRE(a.views.size() == b.views.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.views.size(); ++i)
    for (auto part : {&View::source, &View::center, &View::u, &View::v})
      worst = std::max(worst, glm::length(a.views[i].*part - b.views[i].*part));
  return worst;
}

}  // namespace

TEST_CASE("an offset detector reconstructs the same from RTK XML and the images' origin as from a scan file") {
  const ScanFolder folder;
  const DetectorPlacement offset{-16, 2, 0, 0, 0};  // the middle is 80 mm beside the axis and 8 mm below it
  Projections p(circle(24, offset));
  project_phantom(load_phantom("spheres"), p.scan, 0, 24, 1, p.values.span());
  save_projections(p, folder / "p.npy");
  write_geometry(circle(24, {}), folder / "g.xml");  // no ProjectionOffset
  const ScanFile plain = load(folder, pixels + "\noffset_px = [-16, 2]", circular, "p.npy");
  CHECK(difference(plain.scan, p.scan) < 1e-9);

  const Volume stack = stack_of(p, {pixel_u, pixel_v}, {80, -8});
  const VolumeGrid grid{{24, 24, 6}, {8, 8, 8}, {0, 0, 0}};
  const Volume expected = test::fdk(plain.projections, grid, "cpu");
  for (const char* name : {"p.mha", "p.nrrd", "p.nii", "p.h5"}) {
    INFO(name);
    save_volume(stack, folder / name);
    for (const std::string& detector : {pixels, std::string("rows = 12")}) {
      const ScanFile file = load(folder, detector, rtk, name);
      CHECK(difference(file.scan, p.scan) < 1e-4);  // NIfTI holds floats
      CHECK_THAT(fmt::format("{}", file.notes.at(0)),
                 Catch::Contains("puts their middle at (80, -8) mm: the detector"));
      CHECK(difference(load_scan_geometry(folder / "a.scan.toml").scan, file.scan) == 0);
      CHECK(test::relative_l2(test::fdk(file.projections, grid, "cpu").values.span(), expected.values.span()) < 1e-5);
    }
  }
  // What is written as a scan file afterwards says where the detector is; the origin is not added again.
  const ScanFile file = load(folder, pixels, rtk, "p.mha");
  save_scan(file.scan, {.trajectory_toml = file.trajectory_toml, .projections = "p.mha"}, folder / "b.scan.toml");
  const ScanFile again = load_scan(folder / "b.scan.toml");
  CHECK(difference(again.scan, p.scan) < 1e-9);
  CHECK_THAT(again.notes.at(0), Catch::Contains("not used, the geometry says where the detector is"));
}

TEST_CASE("an origin counts along the arc of RTK's curved detector, and with RTK's own offsets") {
  const ScanFolder folder;
  Scan centred = circle(5, {3, 1, 0, 0, 0}), moved = circle(5, {3 - 16, 1 + 2, 0, 0, 0});
  for (Scan* scan : {&centred, &moved}) scan->detector.shape = Detector::Shape::curved;
  centred.views = circular_views(centred.detector, equal_angles(5), axis, source_to_detector, {3, 1, 0, 0, 0});
  moved.views = circular_views(moved.detector, equal_angles(5), axis, source_to_detector, {-13, 3, 0, 0, 0});
  write_geometry(centred, folder / "g.xml");
  save_volume(stack_of(zeros(5), {pixel_u, pixel_v}, {80, -8}), folder / "p.mha");
  const ScanFile file = load(folder, pixels, rtk, "p.mha");
  CHECK(file.scan.detector.shape == Detector::Shape::curved);
  CHECK(difference(file.scan, moved) < 1e-9);
}

TEST_CASE("one image a file: origins count where all agree, and are refused where they do not") {
  const ScanFolder folder;
  write_geometry(circle(3, {}), folder / "g.xml");
  for (int i = 0; i < 3; ++i)
    save_volume(stack_of(zeros(1), {pixel_u, pixel_v}, {80, -8}), folder / fmt::format("v{}.mha", i));
  CHECK(difference(load(folder, pixels, rtk, "v*.mha").scan, circle(3, {-16, 2, 0, 0, 0})) < 1e-9);
  save_volume(stack_of(zeros(1), {pixel_u, pixel_v}, {75, -8}), folder / "v2.mha");
  CHECK_THAT(error_of(folder, pixels, rtk, "v*.mha"),
             Catch::Contains("v2.mha: its header says an image whose middle is at 75 x -8 mm") &&
                 Catch::Contains("80 x -8 mm"));
}

TEST_CASE("a pixel size in the header stands in for pixel_mm, and is refused where it contradicts it") {
  const ScanFolder folder;
  write_geometry(circle(3, {}), folder / "g.xml");
  save_volume(stack_of(zeros(3), {pixel_u, pixel_v}, {0, 0}), folder / "p.mha");
  save_volume(stack_of(zeros(3), {1, 1}, {0, 0}), folder / "ones.mha");
  for (const std::string& trajectory : {circular, rtk}) {
    CHECK(load(folder, "rows = 12", trajectory, "p.mha").scan.detector == circle(3, {}).detector);
    CHECK_THAT(error_of(folder, "pixel_mm = 2.5", trajectory, "p.mha"),
               Catch::Contains("[detector] pixel_mm: 2.5 x 2.5 mm where the header of the projections says 5 x 4 mm"));
  }
  // Many writers put 1 x 1 where they know none; RTK would believe it.
  CHECK(load(folder, pixels, circular, "ones.mha").scan.detector.pixel_u == pixel_u);
  CHECK_THAT(error_of(folder, "rows = 12", circular, "ones.mha"), Catch::Contains("pixel_mm is missing"));
  CHECK_THAT(error_of(folder, pixels, rtk, "ones.mha"),
             Catch::Contains("5 x 4 mm where the header") && Catch::Contains("says 1 x 1 mm"));
  // A MetaImage that says nothing is not one that says 1 x 1.
  std::string bytes = test::file_bytes(folder / "ones.mha");
  const std::size_t at = bytes.find("ElementSpacing");
  bytes.erase(at, bytes.find('\n', at) + 1 - at);
  folder.write("none.mha", bytes);
  CHECK(load(folder, pixels, rtk, "none.mha").scan.detector.pixel_u == pixel_u);
}

TEST_CASE(
    "an origin that a scan file contradicts is refused with both numbers; one that it does not mention is noted") {
  const ScanFolder folder;
  const auto save = [&](const glm::dvec2& middle) {
    save_volume(stack_of(zeros(3), {pixel_u, pixel_v}, middle), folder / "p.mha");
  };
  save({80, -8});
  CHECK_THAT(error_of(folder, pixels + "\noffset_px = [4, 0]", circular, "p.mha"),
             Catch::Contains("offset_px: [4, 0] puts the detector's middle at (-20, 0) mm") &&
                 Catch::Contains("the header of the projections at (80, -8) mm"));
  CHECK(load(folder, pixels + "\noffset_px = [-16, 2]", circular, "p.mha").notes.empty());
  const ScanFile noted = load(folder, pixels, circular, "p.mha");
  CHECK(difference(noted.scan, circle(3, {})) < 1e-9);
  CHECK_THAT(noted.notes.at(0), Catch::Contains("(80, -8) mm: not used, [detector] offset_px says"));
  // Centred images, and a first pixel at 0, 0, say nothing.
  for (const glm::dvec2 middle : {glm::dvec2(0), glm::dvec2(0.5 * 39 * pixel_u, 0.5 * 11 * pixel_v)}) {
    save(middle);
    CHECK(load(folder, pixels + "\noffset_px = [4, 0]", circular, "p.mha").notes.empty());
  }
  // For RTK the first pixel is there.
  write_geometry(circle(3, {}), folder / "g.xml");
  CHECK(load(folder, pixels, rtk, "p.mha").scan.views[0].center.y == Approx(0.5 * 39 * pixel_u));
  write_geometry(circle(3, {}), folder / "g.txt");
  save({80, -8});
  const ScanFile astra = load(folder, pixels, "geometry = 'g.txt'", "p.mha");
  CHECK(difference(astra.scan, circle(3, {})) < 1e-9);
  CHECK_THAT(astra.notes.at(0), Catch::Contains("not used, the geometry says"));
}

}  // namespace image_frame_test
