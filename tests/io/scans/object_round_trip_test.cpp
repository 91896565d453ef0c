// Beamlines, electron microscopes and LEAP: whether an object without symmetry comes back as it stood, from files made
// here in the format's own coordinates.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <cmath>

#include <backlit/io/scans/scan_file.hpp>
#include "support/io/detector_bytes.hpp"
#include "support/io/hdf5_sample.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/scan_folder.hpp"

namespace backlit::object_round_trip_test {
namespace {

using test::LabScanner;

constexpr int views = 60;

/// NeXus's frame (McStas): x to the left along the beam, y up, z along the beam. The sample turns right-handed about y.
/// Columns run along x; the first row of a camera's image is the upper one. Images may be stored mirrored, as flags or
/// turns of the detector tell.
struct Flips {
  bool left_right = false, up_down = false, as_turns = false;
};
void write_beamline_scan(const std::filesystem::path& path, LabScanner s, double axis_from_middle_px,
                         const Flips& flips = {}) {
  s.first_column_right = !flips.left_right;
  s.first_row_top = !flips.up_down;
  // The laboratory's x runs to the right.
  s.axis_x = (flips.left_right ? axis_from_middle_px : -axis_from_middle_px) * s.pixel;
  std::vector<double> frames, keys, angles;
  const auto add = [&](double key, double angle, const std::vector<std::uint16_t>& counts) {
    keys.push_back(key);
    angles.push_back(angle);
    frames.insert(frames.end(), counts.begin(), counts.end());
  };
  const auto pixels = static_cast<std::size_t>(s.columns * s.rows);
  add(2, 0, std::vector<std::uint16_t>(pixels, 100));
  add(1, 0, std::vector<std::uint16_t>(pixels, 60100));
  for (int i = 0; i < views; ++i) {
    auto counts = test::counts_of(s.image(test::lopsided_phantom(5), -3 * i), 60000);
    for (auto& count : counts) count = static_cast<std::uint16_t>(count + 100);
    add(0, 3 * i, counts);
  }
  test::Hdf5Sample file(path);
  const auto size = [](auto n) { return static_cast<hsize_t>(n); };
  const std::string detector = "/entry0000/instrument/detector/";
  file.add(detector + "data", {size(keys.size()), size(s.rows), size(s.columns)}, frames);
  file.add(detector + "image_key", {size(keys.size())}, keys);
  file.add(detector + "x_rotation_axis_pixel_position", {}, {axis_from_middle_px});
  if (flips.as_turns) {
    file.add(detector + "transformations/ry", {}, {flips.left_right ? 180.0 : 0.0}, "degree");
    file.add(detector + "transformations/rx", {}, {flips.up_down ? 180.0 : 0.0}, "degree");
  } else {
    file.add_flag(detector + "x_flipped", flips.left_right);
    file.add_flag(detector + "y_flipped", flips.up_down);
  }
  file.add("/entry0000/sample/rotation_angle", {size(keys.size())}, angles, "degree");
  file.add("/entry0000/sample/x_pixel_size", {}, {1e-3 * s.pixel}, "m");
  file.add("/entry0000/sample/y_pixel_size", {}, {1e-3 * s.pixel}, "m");
}

/// The matrix that takes a point on the table, after it has turned by `clockwise_deg`, to a column and a row counted
/// from the lower left, as CERA's tables hold it.
std::string upward_matrix(const LabScanner& s, double clockwise_deg) {
  const double a = clockwise_deg * radians_per_degree, scale = s.to_detector / s.pixel;
  // Along the beam, to the right and up, from the source: each as x, y, z and 1 of the table.
  const glm::dvec4 along(-std::cos(a), -std::sin(a), 0, s.to_axis), right(-std::sin(a), std::cos(a), 0, s.axis_x),
      up(0, 0, 1, 0);
  const double column = 0.5 * static_cast<double>(s.columns - 1) - s.detector_x / s.pixel,
               row = 0.5 * static_cast<double>(s.rows - 1) - s.detector_z / s.pixel;
  std::string text;
  for (const glm::dvec4& r : {scale * right + column * along, scale * up + row * along, along})
    text += fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}\n", r.x, r.y, r.z, r.w);
  return text;
}

/// IMOD's frame: x and y along columns and rows of the untilted image, z to the viewer. A tilt turns the specimen
/// right-handed about y: a point comes to x cos + z sin. The object is given in Backlit's frame, whose x, y, z are
/// IMOD's z, x, y.
std::vector<float> tilted_image(const Phantom& object, const LabScanner& s, double tilt_deg) {
  const double cosine = std::cos(tilt_deg * radians_per_degree), sine = std::sin(tilt_deg * radians_per_degree);
  const auto untilted = [&](double x, double y, double z) {
    return Vec3(x * sine + z * cosine, x * cosine - z * sine, y);  // z, x, y of the specimen before its tilt
  };
  std::vector<float> values;
  for (std::int64_t row = 0; row < s.rows; ++row)
    for (std::int64_t column = 0; column < s.columns; ++column) {
      const double x = (static_cast<double>(column) - 0.5 * static_cast<double>(s.columns - 1)) * s.pixel,
                   y = (static_cast<double>(row) - 0.5 * static_cast<double>(s.rows - 1)) * s.pixel;
      values.push_back(static_cast<float>(line_integral(object, untilted(x, y, 100), untilted(0, 0, -1), 0, 1e3)));
    }
  return values;
}

std::string mrc_stack(const LabScanner& s, const std::vector<float>& values) {
  std::string bytes(1024, '\0');
  const auto columns = static_cast<std::int32_t>(s.columns), rows = static_cast<std::int32_t>(s.rows);
  const std::pair<std::size_t, std::int32_t> integers[] = {
      {0, columns}, {4, rows}, {8, views}, {12, 2}, {28, columns}, {32, rows}, {36, views}, {64, 1}, {68, 2}, {72, 3}};
  for (const auto& [at, value] : integers) test::set_at(bytes, at, value);
  const double angstroms = 1e7 * s.pixel;
  test::set_at(bytes, 40, static_cast<float>(columns * angstroms));
  test::set_at(bytes, 44, static_cast<float>(rows * angstroms));
  test::set_at(bytes, 48, static_cast<float>(views * angstroms));
  bytes.replace(208, 6, "MAP DD");
  for (const float value : values) test::append(bytes, value);
  return bytes;
}

/// LEAP's own frame: at angle 0 the source is at -y. `step_deg` is what the object turns from view to view.
ScanFile leap_scan(const test::ScanFolder& folder, bool cone, double step_deg) {
  LabScanner s = cone ? test::small_lab_scanner() : test::small_parallel_scanner();
  s.first_column_right = s.first_row_top = false;
  // Column 24.5 and row 17.5 lie on the ray through the axis that is at right angles to it.
  s.detector_x = (0.5 * static_cast<double>(s.columns - 1) - 24.5) * s.pixel;
  s.detector_z = (0.5 * static_cast<double>(s.rows - 1) - 17.5) * s.pixel;
  std::vector<float> stack;
  for (int i = 0; i < views; ++i) {
    const auto image = s.image(test::lopsided_phantom(5), step_deg * i - 90);
    stack.insert(stack.end(), image.begin(), image.end());
  }
  folder.write("part.npy", test::npy_bytes({views, s.rows, s.columns}, stack));
  return load_scan(folder.write(
      "part.leap.txt", fmt::format("geometry = {}\nnumAngles = {}\nnumRows = {}\nnumCols = {}\npixelHeight = {}\n"
                                   "pixelWidth = {}\ncenterRow = 17.5\ncenterCol = 24.5\nangularRange = {}\nsod = {}\n"
                                   "sdd = {}\n",
                                   cone ? "cone" : "parallel", views, s.rows, s.columns, s.pixel, s.pixel,
                                   cone ? 360 : 180, s.to_axis, s.to_detector)));
}

}  // namespace

TEST_CASE("NXtomo: an object comes back right-handed, its slices in the order of the rows", "[beamline]") {
  const test::ScanFolder folder;
  write_beamline_scan(folder / "scan.nxs", test::small_parallel_scanner(), 1.5);
  const ScanFile file = load_scan(folder / "scan.nxs");
  CHECK(file.notes.empty());
  // Rows run downwards, and so do slices: the object is turned by half a turn about x, not mirrored.
  test::check_place(file, {1, -1, -1});
}

TEST_CASE("NXtomo: mirrored images come back as the others do", "[beamline]") {
  const test::ScanFolder folder;
  for (const Flips& flips : {Flips{true, false, false}, {false, true, true}, {true, true, true}}) {
    INFO(flips.left_right << flips.up_down << flips.as_turns);
    write_beamline_scan(folder / "scan.nxs", test::small_parallel_scanner(), 1.5, flips);
    const ScanFile file = load_scan(folder / "scan.nxs");
    CHECK(test::fact(file, "columns of the images") == (flips.left_right ? "mirrored" : "not mirrored"));
    CHECK(test::fact(file, "rows of the images") == (flips.up_down ? "mirrored" : "not mirrored"));
    test::check_place(file, {1, -1, -1});
  }
}

TEST_CASE("Data Exchange: an object comes back right-handed, its slices in the order of the rows", "[hdf5]") {
  const test::ScanFolder folder;
  LabScanner s = test::small_parallel_scanner();
  const double size = 5 / s.pixel;  // the layout has no pixel size: 1 mm
  s.pixel = 1;
  s.first_column_right = false;
  std::vector<double> frames, angles;
  for (int i = 0; i < views; ++i) {
    angles.push_back(3 * i);
    const auto counts = test::counts_of(s.image(test::lopsided_phantom(size), -3 * i), 60000);
    frames.insert(frames.end(), counts.begin(), counts.end());
  }
  {
    const auto rows = static_cast<hsize_t>(s.rows), columns = static_cast<hsize_t>(s.columns);
    test::Hdf5Sample file(folder / "scan.h5");
    file.add("/exchange/data", {views, rows, columns}, frames);
    file.add("/exchange/data_white", {1, rows, columns}, std::vector<double>(rows * columns, 60000));
    file.add("/exchange/theta", {views}, angles);
  }
  // Rows run downwards, and so do slices: the object is turned by half a turn about y, not mirrored.
  test::check_place(load_scan(folder / "scan.h5"), {-1, 1, -1}, size);
}

TEST_CASE("EDF images by a table of angles: an object comes back as it stood on the table", "[lab]") {
  const test::ScanFolder folder;
  LabScanner s = test::small_parallel_scanner();
  s.first_column_right = false;  // rows downwards
  std::string table = "# open_beam = 60000\n# first_row = top\nfile,angle_deg\n";
  for (int i = 0; i < views; ++i) {
    const std::string name = fmt::format("part{:04}.edf", i);
    folder.write(name, test::edf_image(s.columns, s.rows, s.pixel,
                                       test::counts_of(s.image(test::lopsided_phantom(5), 3 * i), 60000)));
    table += fmt::format("{},{}\n", name, 3 * i);
  }
  const ScanFile file = load_scan(folder.write("part.csv", table));
  CHECK(file.scan.detector.pixel_u == Approx(s.pixel));
  test::check_place(file);
}

TEST_CASE("CERA: an object comes back in the frame of the matrices", "[lab]") {
  const test::ScanFolder folder;
  LabScanner s = test::small_lab_scanner();
  s.first_column_right = false;
  s.axis_x = 0.7;
  s.detector_z = 1.1;
  std::string table =
      fmt::format("projtable.txt version 3\nMon\n\n# format: angle / entries of projection matrices\n{}\n", views);
  for (int i = 0; i < views; ++i) {
    table += fmt::format("@{}\n0.0 0.0\n{}\n", i + 1, upward_matrix(s, 6 * i));
    folder.write(
        fmt::format("p_{:04}.tif", i),
        test::tiff_bytes(s.columns, s.rows, test::counts_of(s.image(test::lopsided_phantom(5), 6 * i), 60000)));
  }
  folder.write("scan_projtable.txt", table);
  const ScanFile file = load_scan(folder.write(
      "scan.config",
      fmt::format("#CERACONFIG\n\n[Projections]\nNumChannelsPerRow = {}\nNumRows = {}\nPixelSizeU = 0.5\nPixelSizeV = "
                  "0.5\nFlipU = false\nFlipV = true\nProjectionDataDomain = Intensity\n[CustomKeys]\nNumProjections = "
                  "{}\nProjectionFileType = tiff\nProjectionStartNum = 0\nProjectionFilenameMask = p_%04d.tif\n"
                  "[CustomKeys.ProjectionMatrices]\nSourceObjectDistance = {}\nProjectionMatrixFilename = "
                  "scan_projtable.txt\n[I0Log]\nGlobalI0Value = 60000\n",
                  s.columns, s.rows, views, s.to_axis)));
  test::check_place(file);
}

TEST_CASE("MRC tilt series: an object comes back as it lay in IMOD's frame", "[beamline]") {
  const test::ScanFolder folder;
  const LabScanner s = test::small_parallel_scanner();
  std::vector<float> stack;
  std::string tilts;
  for (int i = 0; i < views; ++i) {
    const auto image = tilted_image(test::lopsided_phantom(5), s, -88.5 + 3 * i);
    stack.insert(stack.end(), image.begin(), image.end());
    tilts += fmt::format("{:.2f}\n", -88.5 + 3 * i);
  }
  folder.write("cell.mrc", mrc_stack(s, stack));
  for (const char* list : {"cell.rawtlt", "cell.tlt"}) {
    INFO(list);
    folder.write(list, tilts);
    test::check_place(load_scan(folder / "cell.mrc"));
  }
}

TEST_CASE("LEAP: an object comes back as it lay in LEAP's frame", "[lab]") {
  const test::ScanFolder folder;
  test::check_object(leap_scan(folder, true, 6));
  test::check_place(leap_scan(folder, false, 3));
}

TEST_CASE("LEAP: views in the opposite sense turn about LEAP's angle 0", "[lab]") {
  const test::ScanFolder folder;
  const ScanFile file = leap_scan(folder, true, -6);
  CHECK(test::fact(file, "turning sense") == "the opposite of what the format says, since the data contradict it");
  test::check_place(file);
}

}  // namespace backlit::object_round_trip_test
