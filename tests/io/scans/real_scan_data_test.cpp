// Measured scans opened with nothing but a scan file.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "support/io/real_data.hpp"
#include "support/skip.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

using test::beside_data;
using test::data_dir;

double mean(ProjectionSource& source, std::int64_t first, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count * source.scan().detector.pixels()));
  source.read(first, count, values);
  double sum = 0;
  for (float v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

void check_tooth(const ScanFile& file) {
  CHECK(file.scan.detector.columns == 640);
  CHECK(file.scan.detector.rows == 2);
  CHECK(file.scan.view_count() == 181);
  CHECK(file.scan.beam() == Beam::parallel);
  CHECK(file.kind == ScanFile::Kind::counts);
  CHECK(file.angles_deg.front() == Approx(0).margin(1e-6));
  CHECK(file.angles_deg.back() == Approx(180).margin(1.1));
  REQUIRE(file.flats);
  REQUIRE(file.darks);
  CHECK(file.flats->scan().view_count() == 10);
  CHECK(file.darks->scan().view_count() == 10);
  const double flat = mean(*file.flats, 0, 10), dark = mean(*file.darks, 0, 10);
  const double object = mean(*file.projections, 0, 181);
  CHECK(dark < 0.1 * flat);
  CHECK(object > dark);
  CHECK(object < flat);
}

}  // namespace

TEST_CASE("tooth: HDF5 data sets named in a scan file, and the file by itself", "[scan]") {
  if (!fs::exists(data_dir() / "tooth/tooth.h5")) BACKLIT_SKIP("no " + (data_dir() / "tooth/tooth.h5").string());
  test::ScanFolder folder;
  const ScanFile described = load_scan(beside_data(folder, "tooth"));
  check_tooth(described);
  const ScanFile bare = load_scan(data_dir() / "tooth/tooth.h5");
  check_tooth(bare);
  CHECK(bare.scan.views == described.scan.views);
  CHECK(bare.trajectory_toml == described.trajectory_toml);
  REQUIRE(bare.notes.size() == 1);
  CHECK_THAT(bare.notes[0], Catch::Contains("1 mm is assumed"));
  std::vector<float> a(1280), b(1280);
  bare.projections->read(90, 1, a);
  described.projections->read(90, 1, b);
  CHECK(a == b);
}

TEST_CASE("pin: a folder of images with calibration frames in its list of angles", "[scan]") {
  if (!fs::exists(data_dir() / "pin/angles.txt")) BACKLIT_SKIP("no " + (data_dir() / "pin").string());
  test::ScanFolder folder;
  const fs::path path = beside_data(folder, "pin");
  const ScanFile file = load_scan(path);
  CHECK(file.scan.detector.columns == 160);
  CHECK(file.scan.detector.rows == 135);
  REQUIRE(file.scan.view_count() == 91);
  for (std::size_t i = 0; i < 91; ++i)
    CHECK(std::abs(file.angles_deg[i] - (-88.2 + 2.0 * static_cast<double>(i))) < 1e-3);
  CHECK(file.flats->scan().view_count() == 1);
  CHECK(file.darks->scan().view_count() == 1);
  // The pin is dense: it stops more than the open beam at the edges does.
  CHECK(mean(*file.projections, 45, 1) < mean(*file.flats, 0, 1));
  CHECK(mean(*file.darks, 0, 1) < 0.2 * mean(*file.flats, 0, 1));
  // Natural order: view 10 is raw_00010, not the third name in the folder.
  std::vector<float> view(160 * 135), alone(160 * 135);
  file.projections->read(10, 1, view);
  open_stack((data_dir() / "pin/raw_00010.tiff").string())->read(0, 1, alone);
  CHECK(view == alone);

  std::string all_angles = test::file_bytes(path);
  all_angles.replace(all_angles.find("angles_range"), 1, "# a");
  CHECK_THROWS_WITH(load_scan(folder.write("pin.scan.toml", all_angles)),
                    Catch::Contains("91 images") && Catch::Contains("the trajectory has 111 views") &&
                        Catch::Contains("angles_range = [first, count]"));
}

TEST_CASE("forbild: another toolkit's sinogram, a two-dimensional array", "[scan]") {
  const fs::path sinogram = data_dir() / "forbild/FORBILD_head_512_sino.npy";
  if (!fs::exists(sinogram)) BACKLIT_SKIP("no " + sinogram.string());
  test::ScanFolder folder;
  const ScanFile file = load_scan(folder.write(
      "a.scan.toml", fmt::format("[detector]\nrows = 1\npixel_mm = 0.8\n[trajectory]\nkind = 'parallel'\nviews = 720\n"
                                 "[data]\nprojections = '{}'\n",
                                 fs::absolute(sinogram).string())));
  CHECK(file.scan.detector.columns == 512);
  CHECK(file.scan.view_count() == 720);
  CHECK(file.angles_deg[1] == Approx(0.25));
  const Projections all = read_all(*file.projections);
  // The mass of a slice is the same from all sides, and the head does not reach the detector's edges.
  const auto mass = [&](std::int64_t view) {
    double sum = 0;
    for (float v : all.view(view)) sum += v;
    return sum;
  };
  CHECK(mass(0) > 0);
  for (std::int64_t view = 0; view < 720; view += 45) CHECK(mass(view) == Approx(mass(0)).epsilon(2e-3));
  CHECK(std::abs(all.at(0, 0, 0)) < 1e-3f);
}

TEST_CASE("LEAP's FORBILD sinogram, with its parameters, becomes LEAP's image of it", "[scan]") {
  const fs::path data = data_dir() / "forbild";
  if (!fs::exists(data)) BACKLIT_SKIP("no " + data.string());
  const test::ScanFolder folder;
  fs::create_symlink(fs::absolute(data / "FORBILD_head_512_sino.npy"), folder / "head.npy");
  const ScanFile file =
      load_scan(folder.write("head.leap.txt",
                             "geometry = parallel\nnumAngles = 720\nangularRange = 180\nnumRows = 1\nnumCols = 512\n"
                             "pixelWidth = 0.8\npixelHeight = 0.8\n"));
  const VolumeGrid grid{{512, 512, 1}, Vec3(0.8), Vec3(0)};
  const Volume ours = test::fdk(file.projections, grid, "cpu");
  Volume theirs(grid);
  open_stack((data / "FORBILD_head_512.npy").string())->read(0, 1, theirs.values.span());
  const auto correlation = [&](bool across, bool back) {
    std::vector<float> a, b;
    for (std::int64_t y = 0; y < 512; ++y)
      for (std::int64_t x = 0; x < 512; ++x) {
        if (std::hypot(double(x) - 255.5, double(y) - 255.5) > 250) continue;  // seen by every view
        a.push_back(theirs.at(across ? 511 - x : x, back ? 511 - y : y, 0));
        b.push_back(ours.at(x, y, 0));
      }
    return test::fit(a, b).correlation;
  };
  CHECK(correlation(false, false) > 0.99);
  CHECK(correlation(false, true) < 0.98);
  CHECK(correlation(true, false) < 0.98);
}

}  // namespace backlit
