// What a person reads when a scan file is wrong.
#include <catch2/catch.hpp>

#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/scan_folder.hpp"
#include "support/paths.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;
using test::npy_bytes;
using test::ScanFolder;

std::string error_of(const std::filesystem::path& file) {
  try {
    load_scan(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// A line of a good file, with what replaces it and what must be in the error.
struct Mistake {
  const char *line, *wrong, *message;
};

const std::string good = R"([detector]
columns = 4
rows = 3
pixel_mm = [1.0, 1.0]
shape = "flat"
offset_px = [0.0, 0.0]
tilt_deg = [0.0, 0.0, 0.0]
[trajectory]
kind = "circular"
source_to_axis_mm = 400.0
source_to_detector_mm = 600.0
start_deg = 0.0
arc_deg = 360.0
views = 5
pitch_mm = 0.0
[data]
projections = "p.npy"
kind = "counts"
flats = "f.npy"
[volume]
size = [4, 4, 3]
voxel_mm = [1.0, 1.0, 1.0]
center_mm = [0.0, 0.0, 0.0]
)";

struct GoodScan {
  ScanFolder folder;
  GoodScan() {
    folder.write("p.npy", npy_bytes({5, 3, 4}, std::vector<float>(60, 1.f)));
    folder.write("f.npy", npy_bytes({2, 3, 4}, std::vector<float>(24, 9.f)));
    folder.write("wide.npy", npy_bytes({5, 3, 6}, std::vector<float>(90, 1.f)));
    folder.write("two.txt", "1\n2\n");
    folder.write("words.txt", "one\n");
  }
};

}  // namespace

TEST_CASE("a geometry does not wait for its projections, unless it needs to know their size", "[scan]") {
  GoodScan scan;
  const auto without = [&](std::string text, const std::string& what, const std::string& instead = "") {
    text.replace(text.find(what), what.size(), instead);
    return scan.folder.write("a.scan.toml", text);
  };
  const auto missing = without(good, "p.npy", "later.npy");
  CHECK_THAT(error_of(missing), Catch::Contains("later.npy") && Catch::Contains("[data] projections"));
  const ScanFile file = load_scan_geometry(missing);
  CHECK(file.scan.view_count() == 5);
  CHECK(file.projections == nullptr);
  CHECK(file.volume.has_value());
  CHECK(file.scan.views == load_scan(scan.folder.write("b.scan.toml", good)).scan.views);
  // There, the projections say what is left out; otherwise that is what is missing.
  CHECK(load_scan_geometry(without(good, "views = 5\n")).scan.view_count() == 5);
  CHECK(load_scan_geometry(without(good, "columns = 4\n")).scan.detector.columns == 4);
  const auto message = [&](const std::string& text) {
    try {
      load_scan_geometry(scan.folder.write("c.scan.toml", text));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  std::string text = good;
  text.replace(text.find("p.npy"), 5, "x.npy");
  CHECK_THAT(message(text + "[oops]\n"), Catch::Contains("oops: unknown table"));
  text.replace(text.find("columns = 4\n"), 12, "");
  CHECK_THAT(message(text), Catch::Contains("[detector]: columns is missing; only [data] projections could stand in"));
}

TEST_CASE("each mistake in a scan file names its line, its key and the remedy", "[scan]") {
  GoodScan scan;
  REQUIRE(error_of(scan.folder.write("a.scan.toml", good)) == "no error");
  const Mistake mistakes[] = {
      {"columns = 4", "colums = 4", "a.scan.toml:2: colums: unknown key in [detector]; did you mean columns?"},
      {"columns = 4", "columns = 4\nzzzzzzzzzzzz = 1",
       ":3: zzzzzzzzzzzz: unknown key in [detector]; known are columns,"},
      {"[volume]", "[volum]", "volum: unknown table; did you mean volume?"},
      {"columns = 4", "columns = 4.0", ":2: [detector] columns: a number where a whole number is wanted"},
      {"columns = 4", "columns = '4'", ":2: [detector] columns: a text where a whole number is wanted"},
      {"columns = 4", "columns = -4", ":2: [detector] columns: -4 is not between 1 and"},
      {"columns = 4", "columns = 9000000000000000000", "is not between 1 and"},
      {"columns = 4", "columns = 5", ":2: [detector] columns: 5 columns where the projections have 4; correct it, or"},
      {"rows = 3", "rows = 30", ":3: [detector] rows: 30 rows where the projections have 3"},
      {"pixel_mm = [1.0, 1.0]", "", "[detector]: pixel_mm is missing; give [width, height]"},
      {"pixel_mm = [1.0, 1.0]", "pixel_mm = [1.0]", ":4: [detector] pixel_mm: 1 numbers where 2 are wanted"},
      {"pixel_mm = [1.0, 1.0]", "pixel_mm = [1.0, 0]", "[detector] pixel_mm: a pixel size that is not positive"},
      {"pixel_mm = [1.0, 1.0]", "pixel_mm = [nan, 1]", "a number where a finite number is wanted"},
      {"pixel_mm = [1.0, 1.0]", "pixel_mm = ['1', 1]", "a text where a finite number is wanted; it is entry 0"},
      {"shape = \"flat\"", "shape = \"curve\"",
       ":5: [detector] shape: unknown value 'curve'; did you mean \"curved\"?"},
      {"shape = \"flat\"", "radius_mm = 5", "[detector] radius_mm: a flat detector has no radius"},
      {"shape = \"flat\"", "shape = 'curved'\nradius_mm = -5", "radius_mm: -5 is not positive"},
      {"tilt_deg = [0.0, 0.0, 0.0]", "tilt_deg = 1", "tilt_deg: a whole number where a list of numbers is wanted"},
      {"kind = \"circular\"", "", "[trajectory]: kind is missing; circular, parallel, helical or laminographic"},
      {"kind = \"circular\"", "kind = \"cirular\"", "unknown value 'cirular'; did you mean \"circular\"?"},
      {"kind = \"circular\"", "kind = \"parallel\"", "source_to_axis_mm: a parallel trajectory has none"},
      {"kind = \"circular\"", "kind = 'laminographic'", "elevation_deg is missing"},
      {"kind = \"circular\"", "kind = 'laminographic'\nelevation_deg = 90", "elevation_deg: 90 degrees leave nothing"},
      {"pitch_mm = 0.0", "pitch_mm = 2.0", ":15: [trajectory] pitch_mm: a circular trajectory has none; leave it out"},
      {"pitch_mm = 0.0", "elevation_deg = 2.0", "elevation_deg: a circular trajectory has none"},
      {"pitch_mm = 0.0", "geometry = 'g.xml'", "kind: geometry names a file with all views already"},
      {"pitch_mm = 0.0", "angles_deg = [1, 2]", "start_deg: the angles are listed already; leave it out"},
      {"source_to_axis_mm = 400.0", "", "[trajectory]: source_to_axis_mm is missing; it is the distance from"},
      {"source_to_axis_mm = 400.0", "source_to_axis_mm = 0", "source_to_axis_mm: 0 is not positive"},
      {"source_to_axis_mm = 400.0", "source_to_axis_mm = 700",
       "is less than source_to_axis_mm = 700; are the two exch"},
      {"arc_deg = 360.0", "arc_deg = 0", "arc_deg: all views would be the same"},
      {"arc_deg = 360.0", "angles_range = [0, 2]", "angles_range: there is no list of angles"},
      {"views = 5", "views = 6", ":17: [data] projections: 5 images in"},
      {"views = 5", "views = 6",
       "but the trajectory has 6 views; give one angle a view; angles_range = [first, count]"},
      {"views = 5", "views = 1000000000000", "views: 1000000000000 is not between 1 and 1000000"},
      {"projections = \"p.npy\"", "", "[data]: projections is missing; name a file"},
      {"projections = \"p.npy\"", "projections = \"q.npy\"", ":17: [data] projections: "},
      {"kind = \"counts\"", "kind = \"count\"", "[data] kind: unknown value 'count'; did you mean \"counts\"?"},
      {"kind = \"counts\"", "", "flats: line integrals are corrected already; set kind = \"counts\", or leave it out"},
      {"flats = \"f.npy\"", "flats = \"wide.npy\"", "[data] flats: images of 6 x 3 pixels in"},
      {"flats = \"f.npy\"", "flats = \"f.npy\"\nopen_beam = 9", ":20: [data] open_beam: flats are given as well"},
      {"flats = \"f.npy\"", "open_beam = 0", ":19: [data] open_beam: is not positive"},
      {"flats = \"f.npy\"", "darks = \"none.npy\"", ":19: [data] darks: "},
      {"size = [4, 4, 3]", "size = [4, 4]", "[volume] size: 2 numbers where 3 are wanted"},
      {"size = [4, 4, 3]", "size = [4, 4, 0]", ":21: [volume] size: 0 voxels along z"},
      {"size = [4, 4, 3]", "size = [4, 1e300, 3]", "voxels along y"},
      {"voxel_mm = [1.0, 1.0, 1.0]", "voxel_mm = -1", "voxel_mm: -1 mm is not positive"},
      {"[detector]", "detector = 1\n[detector]", "not valid TOML"},
      {"columns = 4", "columns = ", "a.scan.toml:2: not valid TOML"},
      {"columns = 4", "columns = 4\ncolumns = 5", ":3: not valid TOML"},
  };
  for (const Mistake& m : mistakes) {
    std::string text = good;
    text.replace(text.find(m.line), std::string(m.line).size(), m.wrong);
    INFO("wrong: " << m.wrong);
    CHECK_THAT(error_of(scan.folder.write("a.scan.toml", text)), Catch::Contains(m.message));
  }
}

TEST_CASE("lists of angles and explicit views are checked", "[scan]") {
  GoodScan scan;
  const auto error = [&](const std::string& rest) {
    return error_of(scan.folder.write("a.scan.toml", "[detector]\ncolumns=4\nrows=3\npixel_mm=1\n" + rest));
  };
  const std::string parallel = "[trajectory]\nkind='parallel'\n";
  const std::string view = "[[view]]\nsource=[9,0,0]\ncenter=[-9,0,0]\nu=[0,1,0]\nv=[0,0,1]\n";
  CHECK_THAT(error(parallel), Catch::Contains("[trajectory]: there are no angles; give views"));
  CHECK_THAT(error(parallel + "angles_deg=[]\n"), Catch::Contains("angles_deg: there are no angles in it"));
  CHECK_THAT(error(parallel + "angles_deg=[1]\nangles='two.txt'\n"), Catch::Contains("angles_deg is given as well"));
  CHECK_THAT(error(parallel + "angles_deg=[1, 2]\nviews=3\n"), Catch::Contains("views: 3 views but 2 angles"));
  CHECK_THAT(error(parallel + "angles='two.txt'\nangles_range=[1, 2]\n"),
             Catch::Contains("angles_range: [1, 2] is not a part of 2 angles; it is [first, count]"));
  CHECK_THAT(error(parallel + "angles='none.txt'\n"), Catch::Contains("none.txt"));
  CHECK_THAT(error(parallel + "angles='words.txt'\n"), Catch::Contains("words.txt"));
  CHECK_THAT(error(parallel + "angles='two.txt'\n[data]\nprojections='p.npy'\nkind='counts'\n"),
             Catch::Contains("5 images") && Catch::Contains("the trajectory has 2 views"));
  CHECK_THAT(error(""), Catch::Contains("there is neither [trajectory] nor [[view]]"));
  CHECK_THAT(error(parallel + "views=2\n" + view), Catch::Contains("view: [trajectory] is given as well"));
  CHECK_THAT(error("[[view]]\nsource=[9,0,0]\nu=[0,1,0]\nv=[0,0,1]\n"),
             Catch::Contains("[[view]] 0: center is missing"));
  CHECK_THAT(error(view + "direction=[1,0,0]\n"), Catch::Contains("[[view]] 0 direction: source is given as well"));
  CHECK_THAT(error(view + "w=[1,0,0]\n"), Catch::Contains("w: unknown key in [[view]] 0"));
  CHECK_THAT(error(view + "[[view]]\nsource=[0,9,0]\ncenter=[0,-9,0]\nu=[0,0,2]\nv=[0,0,1]\n"),
             Catch::Contains("pixel_mm: view 1 has pixels of 2 x 1 mm; correct one of them, or leave pixel_mm out"));
  CHECK_THAT(error(view + "[[view]]\nsource=[0,9,0]\ncenter=[0,-9,0]\nu=[0,0,1]\nv=[0,0,1]\n"),
             Catch::Contains("view 1 cannot be used: its u and v are zero or parallel"));
  CHECK_THAT(error("view = 3\n"), Catch::Contains("unknown key in [detector]"));
  CHECK_THAT(error_of(scan.folder.write("b.scan.toml", "view = 3\n[detector]\npixel_mm=1\ncolumns=4\nrows=3")),
             Catch::Contains(":1: view: a whole number where a list of tables is wanted; write [[view]] above each"));
  CHECK_THAT(error_of(scan.folder.write("b.scan.toml", "[detector]\noffset_px=[1,1]\ncolumns=4\nrows=3\n" + view)),
             Catch::Contains("offset_px: the views say already where the detector is"));
  CHECK_THAT(error_of(scan.folder.write("b.scan.toml", "[detector]\npixel_mm=1\n" + parallel + "views=3\n")),
             Catch::Contains("[detector]: columns is missing; only [data] projections could stand in for it"));
  CHECK_THAT(error_of(scan.folder.write("b.scan.toml", "[detector]\nshape='curved'\npixel_mm=1\ncolumns=3\nrows=1\n" +
                                                           parallel + "views=3\n")),
             Catch::Contains("shape: parallel beams need a flat detector"));
}

TEST_CASE("files that hold half of a scan say how to write the other half", "[scan]") {
  GoodScan scan;
  CHECK_THAT(error_of(scan.folder / "p.npy"), Catch::Contains("images without a geometry; write a .scan.toml with") &&
                                                  Catch::Contains("[data] projections = \"p.npy\""));
  CHECK_THAT(error_of(scan.folder.write("g.xml", "<?xml version=\"1.0\"?>")),
             Catch::Contains("[trajectory] geometry = \"g.xml\""));
  CHECK_THAT(error_of(test::source_dir() / "tests/io/samples/petsird-0.7.2.petsird"),
             Catch::Contains("a list of PET events") && Catch::Contains("backlit pet"));
  std::filesystem::create_directory(scan.folder / "empty");
  CHECK_THAT(error_of(scan.folder / "empty"), Catch::Contains("a folder without a scan"));
  const auto in_new_folder = [&](const char* folder, const char* name, const std::string& bytes) {
    std::filesystem::create_directory(scan.folder / folder);
    return scan.folder.write(fmt::format("{}/{}", folder, name), bytes);
  };
  for (const char* name : {"0.tif", "1.tif"}) in_new_folder("images", name, test::tiff_bytes(1, 1, {7}));
  CHECK_THAT(error_of(scan.folder / "images"), Catch::Contains("2 TIFF images without angles; write a .csv"));
  const fs::path header = in_new_folder("list", "a.cdh",
                                        "Scanner name: S\nData filename: a.cdf\nData type: PET\n"
                                        "Data mode: list-mode\nNumber of events: 1\n");
  CHECK_THAT(error_of(scan.folder / "list"), Catch::Contains("name the list: " + header.string()));
  CHECK_THAT(error_of(in_new_folder("list", "a.cdf", "events")), Catch::Contains("name its header, a.cdh"));
  CHECK_THAT(error_of(scan.folder.write("my_crystal_map.txt", "0 0 0 15.65 70.5 -16.75\n")),
             Catch::Contains("is a scanner of PET"));
  for (const auto& [part, header] : {std::pair("tooth.ang", "tooth.xtekct"),
                                     {"tooth_ctdata.txt", "tooth.xtekct"},
                                     {"a_projtable.txt", "a.config"},
                                     {"cell.rawtlt", "cell.st"}}) {
    scan.folder.write(header, "one half");
    CHECK_THAT(error_of(scan.folder.write(part, "1\t0.5\n")),
               Catch::Contains(fmt::format("name the scan, {}", header)));
  }
  CHECK_THAT(error_of(scan.folder / "none.scan.toml"), Catch::Contains("none.scan.toml: no such file"));
  CHECK_THAT(error_of(scan.folder.write("x.h5", "\x89HDF\r\n\x1a\nand no more")),
             Catch::Contains("cannot be opened as HDF5"));
  CHECK_THAT(error_of(scan.folder.write("x.bin", std::string("ab\0cd", 5))),
             Catch::Contains("not a scan; scans are Backlit scan (.scan.toml, .toml), Nikon CT (.xtekct)") &&
                 Catch::Contains("RabbitCT data set (.rctd"));
}

TEST_CASE("values that are not finite are refused where they are read", "[scan]") {
  GoodScan scan;
  std::vector<float> values(60, 1.f);
  values[3 * 12 + 1 * 4 + 2] = std::numeric_limits<float>::quiet_NaN();
  scan.folder.write("p.npy", npy_bytes({5, 3, 4}, values));
  const ScanFile file = load_scan(scan.folder.write("a.scan.toml", good));
  std::vector<float> out(3 * 12);
  CHECK_NOTHROW(file.projections->read(0, 3, out));
  CHECK_THROWS_WITH(file.projections->read(2, 3, out),
                    Catch::Contains("p.npy") && Catch::Contains("in image 3, row 1, column 2"));
  CHECK_THROWS_AS(file.projections->read(4, 2, out), InputError);
}

TEST_CASE("a damaged scan file is refused or read, never a crash", "[scan]") {
  GoodScan scan;
  const auto original = scan.folder.write("good.scan.toml", good);
  const auto read = [](const std::filesystem::path& path) {
    const ScanFile file = load_scan(path);
    if (file.projections) read_all(*file.projections);
  };
  CHECK(test::read_damaged(original, scan.folder / "a.scan.toml", read, 200) > 50);
}

}  // namespace backlit
