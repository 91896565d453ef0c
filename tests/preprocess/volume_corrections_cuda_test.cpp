// Corrections that look at the volume are on the device those of the host, up to rounding.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/corrections.hpp>
#include <backlit/recon/volume_tools.hpp>
#include "cuda/corrections/volume/material.hpp"
#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"
#include "support/cuda.hpp"

using namespace backlit;

namespace volume_corrections_cuda_test {
namespace {

Body cylinder(Vec3 center, Vec3 half, double value) {
  Body b;
  b.shape = Body::Shape::cylinder;
  b.center = center;
  b.half = half;
  b.value = value;
  return b;
}

/// An elliptic cylinder whose beam hardens, with two rods of metal where wanted.
Projections hardened(const Scan& scan, bool metal) {
  Projections p(scan);
  Phantom phantom{"", {cylinder({8, -5, 0}, {95, 60, 60}, 0.02), cylinder({0, 30, 10}, {12, 12, 20}, 0.01)}};
  if (metal)
    phantom.bodies.insert(phantom.bodies.end(),
                          {cylinder({-35, 0, 0}, {6, 6, 40}, 0.4), cylinder({38, -6, 5}, {6, 6, 30}, 0.4)});
  project_phantom(phantom, scan, 0, scan.view_count(), 1, p.values.span());
  for (float& v : p.values) v = v / (1 + 0.1f * v);
  return p;
}

std::shared_ptr<ProjectionSource> source_of(const Projections& p) {
  return std::make_shared<MemorySource>(Projections(p.scan, p.values.clone()));
}

double largest_difference(const Projections& a, const Projections& b) {
  double most = 0;
  for (std::int64_t i = 0; i < a.values.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a.values[i]) - static_cast<double>(b.values[i])));
  return most;
}

struct Setup {
  const char* name;
  Scan scan;
  bool on_device = true;
};

std::vector<Setup> setups() {
  const Detector d{131, 71, 3.2, 3.5}, one_row{251, 1, 1.5, 1.5}, wide{600, 12, 0.6, 9};
  const Detector bent{131, 31, 3.2, 3.5, Detector::Shape::curved, 0};
  return {{"cone beam", {d, circular_views(d, equal_angles(90, 3), 600, 900)}},
          {"short scan", {d, circular_views(d, equal_angles(61, 0, 222), 600, 900)}},
          {"one row", {one_row, parallel_views(one_row, equal_angles(151, 0, 180))}},
          {"more columns than the volume, more views than the fit takes",
           {wide, circular_views(wide, equal_angles(371), 600, 900)}},
          {"curved", {bent, circular_views(bent, equal_angles(60), 600, 900)}, false}};
}

}  // namespace

TEST_CASE("corrections that look at the volume are made on the device as on the host", "[corrections]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const VolumeTools tools =
      make_volume_tools(std::shared_ptr<Backend>(std::shared_ptr<void>(), backend.get()), {}, 256);
  auto& corrector = dynamic_cast<CorrectionDevice&>(backend->innermost());
  ScatterOption fit;
  fit.kind = ScatterOption::Kind::fit;
  const std::pair<const char*, CorrectionOptions> wanted[] = {
      {"flatten", {.flatten = true}}, {"scatter", {.scatter = fit, .scatter_width = 60}}, {"metal", {.metal = 0.1}}};
  for (const Setup& setup : setups())
    for (const auto& [name, options] : wanted) {
      CAPTURE(setup.name, name);
      const Projections given = hardened(setup.scan, options.metal > 0);
      const CorrectionInput input{{}, {}, tools};
      const CorrectedProjections host = apply_corrections(source_of(given), options, input),
                                 device = apply_corrections(source_of(given), options, input, {}, &corrector);
      CAPTURE(host.done, device.done);
      CHECK(host.on_device == std::vector<bool>{false});
      if (setup.on_device) CHECK(device.on_device == std::vector<bool>{true});
      const Projections a = read_all(*host.source), b = read_all(*device.source);
      const double change = largest_difference(a, given);
      CHECK(change > 0.01);
      // The share of scatter is found within 0.007; which of two trials is flatter may hang on rounding.
      CHECK(largest_difference(a, b) < (options.scatter == fit ? 0.1 : 0.002) * change);
      if (options.metal > 0) CHECK(device.done == host.done);
    }
}

TEST_CASE("without the device's tools such corrections are made on the host", "[corrections]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Setup setup = setups()[2];
  const Projections given = hardened(setup.scan, true);
  const CorrectionInput on_cpu{{}, {}, make_volume_tools(make_backend("cpu"), {})};
  const CorrectedProjections made = apply_corrections(source_of(given), {.zingers = 8, .metal = 0.1}, on_cpu, {},
                                                      &dynamic_cast<CorrectionDevice&>(backend->innermost()));
  CHECK(made.on_device == std::vector<bool>{true, false});
  CHECK_THROWS_WITH(
      apply_corrections(source_of(given), {.metal = 1e-4}, {{}, {}, make_volume_tools(make_backend("cuda"), {})}, {},
                        &dynamic_cast<CorrectionDevice&>(backend->innermost())),
      Catch::StartsWith("metal: ") && Catch::Contains("half of the volume"));
}

TEST_CASE("metal and the main material of a volume on the device are those of the host", "[corrections]") {
  BACKLIT_REQUIRE_CUDA(backend);
  auto& cuda = dynamic_cast<cuda::CudaBackend&>(backend->innermost());
  VolumeGrid grid;
  grid.size = {45, 31, 23};
  Volume volume(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const double noise = std::sin(static_cast<double>(i * i % 7919));
    volume.values[i] = i % 9 == 0 ? 0 : static_cast<float>((i % 45 > 12 ? 0.02 : 0.001) + 0.0009 * noise);
  }
  for (const auto& [x, y, z] : {std::tuple{20, 7, 3}, {22, 19, 17}, {31, 8, 11}}) volume.at(x, y, z) = 0.5f;
  for (const double threshold : {0.1, 1.0}) {
    const ArrayPtr there = cuda.make_array(shape_of(grid));
    cuda.upload(volume.values.span(), *there);
    cuda.finish();
    const auto found = cuda::find_materials(cuda.stream(), cuda::ours(*there).data(), grid.size, threshold);
    const MaterialValues expected = material_values(volume, threshold);
    CHECK(found.material.threshold == expected.threshold);
    CHECK(found.material.median == expected.median);
    CHECK(found.metal.count == (threshold < 0.5 ? 3 : 0));
    if (found.metal.count == 0) continue;
    CHECK(found.metal.sum == Approx(1.5));
    CHECK(found.metal.low == Size3{20, 7, 3});
    CHECK(found.metal.high == Size3{31, 19, 17});
    CHECK(found.metal.box(grid).center == grid.voxel_center(25.5, 13, 10));
  }
}

}  // namespace volume_corrections_cuda_test
