// Measured scans reconstructed from what the detector counted with nothing but a scan file, as `backlit recon --center
// find` does it, and another toolkit's projections.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/preprocess/correct_counts.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include "support/io/real_data.hpp"
#include "support/skip.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;
using test::data_dir;

struct Prepared {
  double center_px = 0;
  CorrectionReport report{};
  Projections line_integrals{};

  Volume fdk(const VolumeGrid& grid, double center) const {
    Projections copy(with_center(line_integrals.scan, center));
    std::ranges::copy(line_integrals.values.span(), copy.values.begin());
    return test::fdk(std::make_shared<MemorySource>(std::move(copy)), grid, "cpu");
  }
};

Prepared prepare(const fs::path& scan_file) {
  const ScanFile file = load_scan(scan_file);
  const auto report = std::make_shared<CorrectionReport>();
  const auto source = correct_counts(file.projections, file.flats, file.darks, report);
  const double center = find_center(*source).center_px;
  Projections all = read_all(*source);
  return {center, *report, std::move(all)};
}

/// Edges seen twice swing below zero beside themselves: the squares of negative values within `radius` voxels of the
/// axis are least where the axis is (Donath et al., J. Opt. Soc. Am. A 23, 2006).
double negativity(const Volume& v, double radius) {
  double sum = 0;
  for (std::int64_t i = 0; i < v.grid.voxels(); ++i) {
    const double x = static_cast<double>(i % v.grid.size[0]) - 0.5 * static_cast<double>(v.grid.size[0] - 1);
    const double y =
        static_cast<double>(i / v.grid.size[0] % v.grid.size[1]) - 0.5 * static_cast<double>(v.grid.size[1] - 1);
    const double value = std::min(0.0, static_cast<double>(v.values[i]));
    if (std::hypot(x, y) < radius) sum += value * value;
  }
  return sum;
}

/// Mean over the voxels whose values lie in [low, high], and how many they are.
struct Part {
  double mean = 0, count = 0;
};

Part part(const Volume& v, double low, double high) {
  Part p;
  for (const float value : v.values)
    if (value >= low && value <= high) p.mean += value, ++p.count;
  p.mean /= std::max(1.0, p.count);
  return p;
}

void check_sharpest_at(const Prepared& scan, const VolumeGrid& grid, double radius) {
  const double here = negativity(scan.fdk(grid, scan.center_px), radius);
  for (const double aside : {-1.0, 1.0}) CHECK(here < negativity(scan.fdk(grid, scan.center_px + aside), radius));
}

}  // namespace

TEST_CASE("tooth: raw counts become a volume, its axis found", "[recon]") {
  if (!fs::exists(data_dir() / "tooth/tooth.h5")) BACKLIT_SKIP("no " + (data_dir() / "tooth/tooth.h5").string());
  const test::ScanFolder folder;
  const Prepared scan = prepare(test::beside_data(folder, "tooth"));
  CHECK(std::abs(scan.center_px - 295.9) < 0.5);  // measured by hand
  CHECK(scan.report.dead_pixels == 0);

  // The tooth lies within 150 pixels of the axis. Air, dentine and enamel stand apart.
  const Volume v = scan.fdk({{301, 301, 1}, Vec3(1), Vec3(0, 0, 0)}, scan.center_px);
  const Part air = part(v, -0.01, 0.002), dentine = part(v, 0.0035, 0.0055), enamel = part(v, 0.007, 0.011);
  CAPTURE(air.mean, air.count, dentine.mean, dentine.count, enamel.mean, enamel.count);
  CHECK(std::abs(air.mean) < 0.0003);
  CHECK(dentine.count > 5000);
  CHECK(enamel.count > 15000);
  CHECK(air.count + dentine.count + enamel.count > 0.85 * static_cast<double>(v.grid.voxels()));
  check_sharpest_at(scan, v.grid, 150);
}

TEST_CASE("pin: raw counts become a volume, its axis and its dead pixel found", "[recon]") {
  if (!fs::exists(data_dir() / "pin/angles.txt")) BACKLIT_SKIP("no " + (data_dir() / "pin").string());
  const test::ScanFolder folder;
  const Prepared scan = prepare(test::beside_data(folder, "pin"));
  // The first view, turned round, lies best on the last one, taken from the other side, about column 85.85.
  CHECK(std::abs(scan.center_px - 85.85) < 0.5);
  CHECK(scan.report.dead == std::vector<std::int64_t>{0});

  const Volume v = scan.fdk({{121, 121, 7}, Vec3(1), Vec3(0, 0, 2)}, scan.center_px);
  const Part pin = part(v, 0.06, 1), air = part(v, -1, 0.03);
  CAPTURE(pin.mean, pin.count / 7, air.mean);
  CHECK(pin.mean == Approx(0.105).epsilon(0.1));
  CHECK(pin.count / 7 == Approx(260).epsilon(0.1));  // voxels a slice: a rod with a flat side, 15 wide and 20 long
  CHECK(std::abs(air.mean) < 0.03 * pin.mean);       // streaks, and the holder in the corners
  check_sharpest_at(scan, v.grid, 60);
}

TEST_CASE("forbild: another toolkit's projections become its phantom", "[recon]") {
  const fs::path sinogram = data_dir() / "forbild/FORBILD_head_512_sino.npy";
  if (!fs::exists(sinogram)) BACKLIT_SKIP("no " + sinogram.string());
  // In that toolkit y runs downwards, so its view at an angle is ours at that angle - 90 degrees, and row 0 of its
  // picture is our first row.
  const test::ScanFolder folder;
  const ScanFile file = load_scan(folder.write(
      "a.scan.toml",
      fmt::format("[detector]\nrows = 1\npixel_mm = 0.8\n[trajectory]\nkind = 'parallel'\nstart_deg = -90\n"
                  "[data]\nprojections = '{}'\n",
                  fs::absolute(sinogram).string())));
  const VolumeGrid grid{{512, 512, 1}, Vec3(0.8), Vec3(0)};
  const Volume ours = test::fdk(file.projections, grid, "cpu");
  const auto phantom = open_stack((data_dir() / "forbild/FORBILD_head_512.npy").string())->read_all();
  const test::Fit same = test::fit(phantom.span(), ours.values.span());
  CAPTURE(same.correlation, same.slope);
  CHECK(same.correlation > 0.985);
  CHECK(same.slope == Approx(1).margin(0.01));

  // That toolkit's own FBP is 0 outside the circle that every view sees, where ours is not; within it they are as good.
  const auto fbp = open_stack((data_dir() / "forbild/FORBILD_head_512_fbp.npy").string())->read_all();
  const auto within = [](std::span<const float> image) {
    std::vector<float> values;
    for (int i = 0; i < 512 * 512; ++i)
      if (std::hypot(i % 512 - 255.5, i / 512 - 255.5) < 255) values.push_back(image[static_cast<std::size_t>(i)]);
    return values;
  };
  const double r = test::fit(within(phantom.span()), within(ours.values.span())).correlation;
  const double their_r = test::fit(within(phantom.span()), within(fbp.span())).correlation;
  CAPTURE(r, their_r);
  CHECK(r > 0.997);
  CHECK(r > their_r - 0.001);
}

}  // namespace backlit
