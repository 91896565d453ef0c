// Measured scans whose axis lies beside the middle of the detector.
#include <catch2/catch.hpp>

#include <backlit/calibration/calibrate.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/recon/session.hpp>
#include "support/io/real_data.hpp"
#include "support/skip.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

using test::data_dir;

/// Column onto which the axis projects, in the calibrated geometry.
double axis_of(ScanFile file) {
  const double middle = 0.5 * static_cast<double>(file.scan.detector.columns - 1);
  Session session(std::move(file), {});
  const Calibration found = calibrate(*session.projections());
  const auto column = std::ranges::find(found.parameters, "column_offset", &CalibratedParameter::name);
  REQUIRE(column != found.parameters.end());
  CHECK(column->determined);
  CHECK(found.after < 0.05 * found.before);
  return middle + column->value;
}

void require_data(const fs::path& file) {
  if (!fs::exists(file)) BACKLIT_SKIP("no " + file.string());
}

}  // namespace

TEST_CASE("The axes of measured scans are found: a tooth, a pin, rods in a sinogram with a stated open beam") {
  test::ScanFolder folder;
  SECTION("tooth: what gives the sharpest slice") {
    require_data(data_dir() / "tooth/tooth.h5");
    CHECK(axis_of(load_scan(data_dir() / "tooth/tooth.h5")) == Approx(295.93).margin(0.1));
  }
  SECTION("pin") {
    require_data(data_dir() / "pin/raw_00000.tiff");
    CHECK(axis_of(load_scan(test::beside_data(folder, "pin"))) == Approx(85.85).margin(0.1));
  }
  SECTION("rods: 245.1 by those who measured them") {
    const fs::path image = data_dir() / "neutron-rods/sinogram_360_neutron_image.tif";
    require_data(image);
    const ScanFile file = load_scan(
        folder.write("rods.scan.toml",
                     "[detector]\nrows = 1\npixel_mm = 1\n[trajectory]\nkind = 'parallel'\narc_deg = 360\n[data]\n"
                     "kind = 'counts'\nopen_beam = 47000\nprojections = '" +
                         image.string() + "'\n"));
    CHECK(file.scan.view_count() == 459);
    CHECK(axis_of(file) == Approx(245.1).margin(0.5));
  }
}

}  // namespace backlit
