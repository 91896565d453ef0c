// FDK on the device: the filter against the host's, and whole reconstructions against the CPU reference.
#include <catch2/catch.hpp>
#include <cmath>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/fdk_filter.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "support/cuda.hpp"
#include "support/recon/recon_options.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using test::relative_l2;

namespace fdk_cuda_test {
namespace {

struct Setup {
  const char* name;
  Scan scan;
};

std::vector<Setup> setups() {
  const Detector d{61, 37, 4.5, 5}, one_row{75, 1, 4, 4};
  Detector curved = d;
  curved.shape = Detector::Shape::curved;
  DetectorPlacement tilt, half_fan;
  tilt.tilt_u = 4;
  tilt.tilt_n = 3;
  half_fan.offset_u = 18;
  return {{"circular", {d, circular_views(d, equal_angles(40, 3), 600, 900)}},
          {"short scan", {d, circular_views(d, equal_angles(31, 0, 216), 600, 900)}},
          {"parallel", {d, parallel_views(d, equal_angles(28, 0, 180))}},
          {"fan", {one_row, circular_views(one_row, equal_angles(40), 600, 900)}},
          {"tilted", {d, circular_views(d, equal_angles(40), 600, 900, tilt)}},
          {"displaced", {d, circular_views(d, equal_angles(40), 600, 900, half_fan)}},
          {"curved", {curved, circular_views(curved, equal_angles(40), 600, 900)}}};
}

Projections head_projections(const Scan& scan) {
  Projections p(scan);
  project_phantom(load_phantom("shepp-logan-3d"), scan, 0, scan.view_count(), 1, p.values.span());
  return p;
}

std::vector<float> fdk(Backend& backend, const Scan& scan, const char* precision, std::string* variant = nullptr) {
  const VolumeGrid grid{{26, 26, scan.detector.rows > 1 ? 17 : 1}, {7, 7, 7}, {0, 0, 0}};
  ReconOptions options;
  options.precision = precision;
  auto source = std::make_shared<MemorySource>(head_projections(scan));
  const auto recon = make_reconstruction(backend, source, grid, options);
  while (recon->step() != Reconstruction::Status::finished) {
  }
  if (variant) *variant = recon->variant();
  const Volume volume = recon->download();
  return {volume.values.begin(), volume.values.end()};
}

}  // namespace

TEST_CASE("FDK on the device gives the reference's volume") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  for (const Setup& s : setups()) {
    const auto expected = fdk(*cpu, s.scan, "exact");
    for (const char* precision : {"exact", "fast", "half"}) {
      std::string variant;
      const auto volume = fdk(*backend, s.scan, precision, &variant);
      INFO(s.name << ", " << variant);
      // 8-bit weights between the steep edges that a ramp makes of 4.5 mm pixels: 1.9e-3 measured on an H200.
      CHECK(relative_l2(expected, volume) < (*precision == 'e' ? 1e-5 : 2.5e-3));
      if (std::string(s.name) == "circular" && *precision == 'h')
        CHECK(variant == "voxel_driven orbit rgba16f, overlapped");
    }
  }
}

namespace {

/// Views 9 to 13, filtered by the device and by the host.
double filter_error(Backend& backend, const Scan& scan, const FilterOptions& options) {
  const auto host = make_backend("cpu");
  const Projections views = head_projections(scan);
  const auto filter = backend.make_filter(scan, options), reference = host->make_filter(scan, options);
  const Scan& seen = filter->scan();
  REQUIRE(seen.detector.columns == reference->scan().detector.columns);
  const std::int64_t pixels = scan.detector.pixels();
  const auto part =
      views.values.span().subspan(static_cast<std::size_t>(9 * pixels), static_cast<std::size_t>(5 * pixels));
  const ArrayPtr out = backend.make_array(shape_of(seen.detector, 5)), right = host->make_array(out->shape());
  backend.fill(*out, NAN);
  filter->run(9, part, *out);
  reference->run(9, part, *right);
  std::vector<float> expected(static_cast<std::size_t>(out->count())), result(expected.size());
  backend.download(*out, result);
  host->download(*right, expected);
  const double error = relative_l2(result, expected);
  // The same from views that are on the device.
  const ArrayPtr raw = backend.make_array(shape_of(scan.detector, 5));
  backend.upload(part, *raw);
  backend.fill(*out, NAN);
  filter->run_on_device(9, *raw, *out);
  std::vector<float> again(result.size());
  backend.download(*out, again);
  CHECK(again == result);
  return error;
}

}  // namespace

TEST_CASE("the device's filter is the host's") {
  BACKLIT_REQUIRE_CUDA(backend);
  FilterOptions options;
  options.window = FilterWindow::hann;
  options.cutoff = 0.7;
  for (const Setup& s : setups()) {
    INFO(s.name);
    CHECK(filter_error(*backend, s.scan, options) < 2e-6);
  }
}

TEST_CASE("the device filters rows of every length") {
  BACKLIT_REQUIRE_CUDA(backend);
  // Up to 2048 columns by transforms of 256 times 1, 2, 3, .. 16 values; then by cuFFT.
  for (std::int64_t columns : {1, 2, 97, 129, 256, 300, 512, 513, 700, 1024, 1248, 1500, 2048, 2049, 2500}) {
    const Detector d{columns, 3, 240.0 / static_cast<double>(columns), 5};
    INFO(columns);
    // Noise of single precision, which the ramp raises with the number of columns; cuFFT's is a third higher.
    const double noise = 4e-7 * std::sqrt(static_cast<double>(columns));
    CHECK(filter_error(*backend, {d, circular_views(d, equal_angles(14), 600, 900)}, {}) < std::max(2e-6, noise));
  }
}

TEST_CASE("a packed reconstruction that is stopped early holds the views so far") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Scan scan = setups()[0].scan;
  const VolumeGrid grid{{26, 26, 17}, {7, 7, 7}, {0, 0, 0}};
  ReconOptions options;
  options.precision = "half";
  options.filter.window = FilterWindow::none;  // which the pipeline leaves to the ordinary path
  const auto recon =
      make_reconstruction(*backend, std::make_shared<MemorySource>(head_projections(scan)), grid, options);
  recon->step();
  const std::int64_t done = recon->progress().done;
  REQUIRE(done < scan.view_count());
  const Volume early = recon->download();
  options.packing = "none";
  const auto plain =
      make_reconstruction(*backend, std::make_shared<MemorySource>(head_projections(scan)), grid, options);
  while (plain->progress().done < done) plain->step();
  REQUIRE(plain->progress().done == done);
  const Volume expected = plain->download();
  CHECK(relative_l2(early.values.span(), expected.values.span()) < 1e-3);
}

}  // namespace fdk_cuda_test
