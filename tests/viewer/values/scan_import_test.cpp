// TIFF images of a scan: the scan file that the import writes shows the object as it stood, whatever the order of
// pixels and the sense of turning.
#include "model/sources/scan_import.hpp"

#include <fmt/format.h>

#include <fstream>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/correct_counts.hpp>
#include "model/sources/raw_import.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/real_data.hpp"
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using test::Windowless;

namespace {

constexpr int views = 60;
constexpr double white = 30000;

test::LabScanner scanner(bool top, bool left) {
  test::LabScanner s = test::small_lab_scanner();
  s.first_row_top = top;
  s.first_column_right = !left;
  return s;
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// raw_0001.tif ... of the object on a table that turns, flat_1.tif, flat_2.tif and dark.tif; the pattern of the views.
std::string write_scan(const std::filesystem::path& folder, const test::LabScanner& s, double arc_deg) {
  for (int i = 0; i < views; ++i)
    write(folder / fmt::format("raw_{:04}.tif", i + 1),
          test::tiff_bytes(s.columns, s.rows,
                           test::counts_of(s.image(test::lopsided_phantom(5), arc_deg * i / views), white)));
  const auto pixels = static_cast<std::size_t>(s.columns * s.rows);
  for (const char* flat : {"flat_1.tif", "flat_2.tif"})
    write(folder / flat, test::tiff_bytes(s.columns, s.rows, std::vector<std::uint16_t>(pixels, 30000)));
  write(folder / "dark.tif", test::tiff_bytes(s.columns, s.rows, std::vector<std::uint16_t>(pixels, 0)));
  return (folder / "raw_*.tif").string();
}

/// Correlation of what the scan file shows with the object, some of whose axes are mirrored.
double likeness(const ScanFile& file, const Vec3& sign) {
  const VolumeGrid grid{{37, 37, 31}, {0.32, 0.32, 0.32}, {0, 0, 0}};
  const Volume found = test::fdk(correct_counts(file.projections, file.flats, file.darks, nullptr), grid, "cpu");
  Phantom object = test::lopsided_phantom(5);
  for (Body& body : object.bodies) body.center *= sign;
  return test::fit(voxelize(object, grid).values.span(), found.values.span()).correlation;
}

}  // namespace

TEST_CASE("Images imported as a scan show the object as it stood, in any order of pixels and sense of turning") {
  for (const auto& [top, left, arc] :
       {std::tuple{true, true, 360.0}, {true, false, 360.0}, {false, true, -360.0}, {false, false, 360.0}}) {
    INFO(top << left << arc);
    const test::Scratch folder;
    ScanImport scan = guess_scan(write_scan(folder.path(), scanner(top, left), arc));
    CHECK(scan.counts);
    CHECK(scan.flats == (folder.path() / "flat*.tif").string());
    CHECK(scan.darks == (folder.path() / "dark.tif").string());
    scan.first_row_top = top;
    scan.first_column_left = left;
    scan.arc_deg = arc;
    scan.pixel_mm = 0.5;
    scan.source_to_axis_mm = 60;
    scan.source_to_detector_mm = 100;
    const std::string path = save_scan(scan);
    CHECK(path == (folder.path() / "raw.scan.toml").string());
    CHECK(save_scan(scan) == path);  // the same text is written once
    const ScanFile file = load_scan(path);
    const double object = likeness(file, {1, 1, 1});
    CHECK(object > 0.97);
    CHECK(object > likeness(file, {1, -1, 1}) + 0.02);
    CHECK(object > likeness(file, {1, 1, -1}) + 0.02);
    scan.source_to_axis_mm = 61;
    CHECK(save_scan(scan) == (folder.path() / "raw.2.scan.toml").string());
  }
}

TEST_CASE("What an import of a scan lacks is said in one line") {
  const test::Scratch folder;
  ScanImport scan;
  const auto says = [&](const char* text) { return missing(scan).find(text) != std::string::npos; };
  CHECK(says("pixel size"));
  scan.pixel_mm = 0.1;
  CHECK(missing(scan).empty());
  scan.source_to_axis_mm = 500;
  CHECK(says("both distances"));
  scan.source_to_detector_mm = 400;
  CHECK(says("exchanged"));
  scan.source_to_detector_mm = -1;
  CHECK(says("below 0"));
  scan.source_to_detector_mm = 1000;
  scan.arc_deg = 0;
  CHECK(says("arc"));
  CHECK_THROWS_AS(save_scan(scan), InputError);
}

TEST_CASE("A folder of images leads to the import of its largest stack, once a scan file is there to the scan") {
  Windowless w;
  const std::string folder = w.folder.path().string();
  std::string offered;
  w.model.hooks.offer_import = [&](const std::string& file) { offered = file; };
  const std::string images = write_scan(w.folder.path(), scanner(true, true), 360);
  w.act("open \"" + folder + "\"");
  CHECK(offered == (w.folder.path() / "raw_0001.tif").string());
  offered.clear();
  ScanImport scan = guess_scan(images);
  scan.pixel_mm = 0.5;
  save_scan(scan);
  w.act("open \"" + folder + "\"");
  CHECK(offered.empty());
  REQUIRE(w.settle());
  for (const std::string& error : w.model.status().errors) UNSCOPED_INFO(error);
  CHECK(w.model.status().errors.empty());
  // Numbers alone, with flats beside them, and integrals as whole numbers: what is written can be read.
  const test::Scratch plain;
  const auto image = test::tiff_bytes(3, 2, {1, 2, 3, 4, 5, 6});
  for (const char* name : {"0001.tif", "0002.tif", "0003.tif", "flat_1.tif"}) write(plain.path() / name, image);
  ScanImport numbers = guess_scan(stack_of(largest_stack(plain.path().string())));
  CHECK(numbers.images == (plain.path() / "[0-9]*.tif").string());
  CHECK(numbers.flats == (plain.path() / "flat_1.tif").string());
  numbers.pixel_mm = 1;
  CHECK(load_scan(save_scan(numbers)).scan.view_count() == 3);
  numbers.counts = false;
  CHECK(load_scan(save_scan(numbers)).kind == ScanFile::Kind::line_integrals);
  const test::Scratch empty;
  CHECK(largest_stack(empty.path().string()).empty());
  CHECK(largest_stack((empty.path() / "none").string()).empty());
}

TEST_CASE("A scan is imported by an action, which guesses what it is not told") {
  Windowless w;
  const std::string images = write_scan(w.folder.path(), scanner(true, true), 360);
  w.act("import scan \"" + images + "\" 360 0.5 60 100");
  REQUIRE(w.settle());
  CHECK(w.model.status().errors.empty());
  CHECK(w.model.state().path == (w.folder.path() / "raw.scan.toml").string());
  REQUIRE(w.model.status().source);
  CHECK(w.model.status().source->scan.view_count() == views);
  CHECK(w.model.value_at({2, 0.75, 1.5}) > w.model.value_at({2, -0.75, 1.5}) + 0.02);  // a body without its image
  CHECK(w.model.value_at({2, 0.75, 1.5}) > w.model.value_at({2, 0.75, -1.5}) + 0.02);
  write(w.folder.path() / "small.tif", test::tiff_bytes(2, 2, {1, 2, 3, 4}));
  for (const char* wrong :
       {"360 0.5 60 100 flats=small.tif", "360 0 60 100", "360 0.5 60 0", "360 0.5 60 100 kind=dark",
        "360 0.5 60 100 colour=red", "360 0.5 60 100 flats=none_*.tif"}) {
    INFO(wrong);
    CHECK_THROWS_AS(w.act("import scan \"" + images + "\" " + wrong), Error);
  }
}

TEST_CASE("The dialog asks for what images of a scan do not say, keeps it when they do not fit, and opens the scan") {
  REQUIRE_VIEWER();
  test::Viewer viewer;
  write_scan(viewer.folder.path(), scanner(true, true), 360);
  write(viewer.folder / "small.tif", test::tiff_bytes(2, 2, {1, 2, 3, 4}));
  const auto answer = [](const std::string& field, const std::string& text) {
    return "click \"import " + field + "\"\nwait frames 2\nkey Ctrl+A\ntype " + text + "\nkey Enter\nwait frames 2\n";
  };
  viewer.succeed("set font_scale 0.5\nresize 500 400\nimport raw_0001.tif\nwait frames 4\n" +  // flats lie beside it
                 answer("detector pixel", "0.5") + answer("source to axis", "60") +
                 answer("source to detector", "100") + answer("flats", "small.tif") +
                 "click Import\nwait frames 3\nexpect warning contains \"2 x 2\"\n" + answer("flats", "flat*.tif") +
                 "click Import\nwait done\nwait frames 2\nexpect views == 60\nexpect errors == 0\n");
  CHECK(std::filesystem::exists(viewer.folder / "raw.scan.toml"));
}
