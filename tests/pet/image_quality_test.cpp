// NEMA image quality: regions from the phantom, numbers of images whose answer is known.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include <backlit/pet/image_quality.hpp>
#include <backlit/pet/rod_quality.hpp>
#include <backlit/projectors/blurred.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "phantom/random.hpp"

using namespace backlit;

namespace {

VolumeGrid grid_of(double voxel) {
  VolumeGrid grid;
  grid.size = {std::llround(310 / voxel), std::llround(310 / voxel), 31};
  grid.spacing = {voxel, voxel, 4};
  grid.center = {0, 30, 27};
  return grid;
}

}  // namespace

TEST_CASE("regions of the shipped NEMA phantom: six spheres, twelve places in the background, the lung") {
  const Phantom phantom = load_phantom("nema-iq");
  const QualityRegions r = quality_regions(phantom);
  REQUIRE(r.spheres.size() == 6);
  const double diameters[] = {10, 13, 17, 22, 28, 37};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(r.spheres[i].diameter == Approx(diameters[i]));
    CHECK(r.spheres[i].activity == Approx(4));
  }
  REQUIRE(r.background.size() == 12);
  CHECK(r.background_z == std::vector<double>{7, 17, 27, 37, 47});
  CHECK(r.margin >= 3);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(glm::distance(r.background[i], r.background[j]) >= 37);
  for (const glm::dvec2& p : r.background)
    for (double angle = 0; angle < 6.3; angle += 0.1)
      for (const double z : r.background_z)
        CHECK(value_at(phantom, {p.x + 18.5 * std::cos(angle), p.y + 18.5 * std::sin(angle), z}) == Approx(1));
  REQUIRE(r.has_lung);
  CHECK(r.lung == glm::dvec2(0, 35));
  CHECK(r.lung_diameter == 30);
}

TEST_CASE("a perfect image has full contrast, no variability and an empty lung") {
  const Phantom phantom = load_phantom("nema-iq");
  const ImageQuality q = measure_quality(voxelize(phantom, grid_of(1), 1), quality_regions(phantom));
  for (const SphereQuality& s : q.spheres) {
    CHECK(s.contrast == Approx(100).margin(100 * 2.5 / s.diameter));  // voxels at the rim
    CHECK(s.variability < 1e-4);
  }
  CHECK(q.background == Approx(1).epsilon(1e-6));
  CHECK(q.lung_residual == Approx(0).margin(1e-6));
}

TEST_CASE("half the contrast, a tenth in the lung, noise of a known size") {
  const Phantom phantom = load_phantom("nema-iq");
  const QualityRegions regions = quality_regions(phantom);
  Volume image = voxelize(phantom, grid_of(2), 1);
  constexpr double noise = 0.4;
  for (std::int64_t i = 0; i < image.values.size(); ++i) {
    CounterRandom random(4, static_cast<std::uint64_t>(i), 0);
    const double value = static_cast<double>(image.values[i]);
    const double shown = value > 1 ? 2.5 : value;  // 4 shown as 2.5: half of what is above the background
    image.values[i] =
        static_cast<float>(7 * (shown + 0.1 * (shown < 0.5) + (value == 1 ? noise * gaussian(random) : 0)));
  }
  const ImageQuality q = measure_quality(image, regions);
  CHECK(q.background == Approx(7).epsilon(0.01));
  CHECK(q.lung_residual == Approx(10).margin(0.2));
  for (const SphereQuality& s : q.spheres) {
    if (s.diameter > 12) CHECK(s.contrast == Approx(50).margin(12));
    const double voxels = pi / 4 * s.diameter * s.diameter / 4;  // of 2 x 2 mm in a disc
    CHECK(s.variability == Approx(100 * noise / std::sqrt(voxels)).epsilon(0.3));
  }
  CHECK(q.spheres.back().contrast == Approx(50).margin(4));
}

TEST_CASE("cold spheres, images out of place and phantoms without spheres") {
  Phantom phantom = load_phantom("nema-iq");
  // The largest sphere cold: activity that cancels the glass only within the rest.
  for (Body& body : phantom.bodies)
    if (body.shape == Body::Shape::ellipsoid && body.half.x == 18.5) body.value = 1e-12;
  const QualityRegions regions = quality_regions(phantom);
  CHECK(regions.spheres.back().activity == Approx(0).margin(1e-9));
  const ImageQuality q = measure_quality(voxelize(phantom, grid_of(2), 1), regions);
  CHECK(q.spheres.back().contrast == Approx(100).margin(0.1));
  VolumeGrid small = grid_of(2);
  small.size = {40, 40, 31};
  CHECK_THROWS_WITH(measure_quality(Volume(small), regions), Catch::Contains("leaves the image"));
  CHECK_THROWS_WITH(measure_quality(Volume(grid_of(4)), regions), Catch::Contains("the background's mean is 0"));
  CHECK_THROWS_WITH(quality_regions(load_phantom("derenzo")), Catch::Contains("has no spheres"));
}

TEST_CASE("hot rods: a perfect image's valleys are empty, a blurred one's fill up where rods are thin") {
  const auto sectors = rod_sectors(load_phantom("hot-rods-micro"));
  REQUIRE(sectors.size() == 6);
  CHECK(sectors.front().diameter == Approx(1.2));
  CHECK(sectors.back().diameter == Approx(4.8));
  CHECK(sectors.front().rods.size() == 43);
  CHECK(sectors.front().row.size() == 8);  // along the side of the sector
  const auto& thick = sectors.back();
  for (const auto& valley : thick.valleys) {  // half way between two rods, which lie twice a diameter apart
    std::int64_t near = 0;
    for (const auto& rod : thick.rods) near += std::abs(glm::distance(valley.at, rod) - 4.8) < 0.05;
    CHECK(near == 2);
  }
  VolumeGrid grid{{176, 176, 5}, Vec3(0.25, 0.25, 4), Vec3(0)};
  const Phantom phantom = load_phantom("hot-rods-micro");
  Volume image = voxelize(phantom, grid, 2);
  for (const RodQuality& q : measure_rods(image, sectors)) {
    CHECK(q.peak == Approx(1).margin(0.01));
    CHECK(q.valley_to_peak < 0.01);
    CHECK(q.spread < 3);
    CHECK(q.separated == 100);
    // One rod's width of ones, one of zeros, and so on.
    REQUIRE(q.profile.size() >= 30);
    CHECK(q.profile_mm.front() == Approx(-0.5 * q.diameter));
    CHECK(q.profile[5] == Approx(1).margin(0.02));
    CHECK(q.profile[15] == Approx(0).margin(0.02));
    CHECK(q.profile[25] == Approx(1).margin(0.02));
    CHECK(q.profile[q.profile.size() - 6] == Approx(1).margin(0.02));
  }
  CpuBackend backend(BackendOptions{});
  GaussianBlur blur(backend, grid, 1.6);
  blur(image.values.span());
  const auto blurred = measure_rods(image, sectors);
  for (std::size_t i = 1; i < blurred.size(); ++i) CHECK(blurred[i].valley_to_peak < blurred[i - 1].valley_to_peak);
  CHECK(blurred.front().valley_to_peak > 0.6);
  CHECK(blurred.back().valley_to_peak < 0.1);
  CHECK(blurred.front().separated == 100);  // without noise all pairs or none
  blur(image.values.span());
  CHECK(measure_rods(image, sectors).front().separated == 0);
  CHECK(measure_rods(image, sectors).back().separated == 100);
  // Of noise alone a valley is now and then lower than both its rods.
  std::mt19937 engine(1);
  std::uniform_real_distribution<float> noise(0, 1);
  for (float& v : image.values) v = noise(engine);
  for (const RodQuality& q : measure_rods(image, sectors)) CHECK(q.separated < 34);
  CHECK(rod_sectors(load_phantom("shepp-logan-3d")).empty());
  CHECK_THROWS_WITH(measure_rods(Volume(grid), sectors), Catch::Contains("the rods of 1.2 mm are empty"));
  grid.size = {60, 60, 5};
  CHECK_THROWS_WITH(measure_rods(Volume(grid), sectors), Catch::Contains("leaves the image"));
}
