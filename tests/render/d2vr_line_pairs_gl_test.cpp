// What rendering without voxels is for: line pairs that a grid of 256 voxels a side cannot hold, eight times enlarged.
#include "render/gl/volume_renderer.hpp"
#include "support/gl/d2vr_support.hpp"
#include "support/recon/line_pairs.hpp"

namespace backlit::gl {
namespace {

constexpr double voxel = 160.0 / 256;

/// Above the group of line pairs, looking down on it: `zoom` pixels a voxel.
CameraRays above(const Phantom& group, const VolumeGrid& grid, double zoom) {
  constexpr std::int64_t width = 128, height = 96;
  Turntable t{-90, 90, 0, 1, group.bodies[3].center - grid.center};
  t.zoom = camera_rays(t, grid, width, height).right().x * glm::length(camera_rays(t, grid, width, height).origin_x) /
           (voxel / zoom);
  return camera_rays(t, grid, width, height);
}

/// Modulation of line integrals `found` through a slab `depth` mm thick.
double seen(const Phantom& group, const CameraRays& rays, const std::vector<float>& found, double depth) {
  return test::modulation(group, [&](const Vec3& at) {
    const Vec3 p = project(rays, at);
    const auto x = std::llround(p.x), y = std::llround(p.y);
    REQUIRE((x >= 0 && x < rays.width && y >= 0 && y < rays.height));
    return static_cast<double>(found[static_cast<std::size_t>(4 * (y * rays.width + x))]) / depth;
  });
}

}  // namespace

TEST_CASE("Eight times enlarged, D2VR shows 14 line pairs a cm that volume rendering of 256 voxels a side does not") {
  const Phantom group = test::fourteen_per_cm();
  REQUIRE(group.bodies.size() == 6);
  const Detector d{800, 9, 0.3, 0.3};  // 0.2 mm at the axis
  const Projections views = test_scene::filtered(group, {d, circular_views(d, equal_angles(400), 400, 600)}, 2);
  GlBackend backend(test_context());
  const auto kept = test_scene::resident(backend, views, {Precision::fast, true});
  const VolumeGrid grid{{256, 256, 3}, Vec3(voxel), Vec3(0)};
  const CameraRays rays = above(group, grid, 8);
  VolumeRenderOptions options;
  options.mode = VolumeMode::drr;
  options.crop_low.z = -0.75;  // bars are 2 mm high
  options.crop_high.z = 0.75;

  D2vr d2vr(backend, kept, grid);
  const Texture found = make_found(rays.width, rays.height);
  d2vr.render(rays, options, {}, found);
  const double direct = seen(group, rays, read_found(found), 1.5);

  GlDisplayVolume display(test_context());
  display.publish(*test_scene::fdk(backend, views, grid), grid);
  VolumeRenderer renderer(test_context());
  renderer.render(display.front(), rays, options, {});
  const double on_grid = seen(group, rays, read_found(renderer.found()), 1.5);

  INFO("D2VR " << direct << ", on the grid " << on_grid);
  CHECK(direct > 0.1);
  CHECK(std::abs(on_grid) < 0.1);
  backend.context().check();
}

}  // namespace backlit::gl
