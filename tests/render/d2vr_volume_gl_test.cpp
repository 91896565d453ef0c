// D2VR against volume rendering of the FDK of the same views, same camera, same places of the samples.
#include <random>

#include "render/gl/volume_renderer.hpp"
#include "support/gl/d2vr_support.hpp"

namespace backlit::gl {
using namespace test_scene;
namespace {

/// What two pictures differ by.
struct Difference {
  double squares = 0, norm = 0, depth = 0;
  double all_squares = 0, all_norm = 0;  ///< of surfaces: with the pixels where another one is hit
  std::int64_t hits = 0, disagree = 0, stray = 0;
  double relative() const { return std::sqrt(squares / norm); }
  double relative_of_all() const { return std::sqrt(all_squares / all_norm); }
};

/// Whether an outline passes within two pixels of (x, y): neighbours of which one ray misses, or depths 2 mm apart.
bool near_outline(const std::vector<float>& found, int width, int height, int x, int y) {
  const auto at = [&](int i, int j) {
    return &found[4 * (static_cast<std::size_t>(j) * static_cast<std::size_t>(width) + static_cast<std::size_t>(i))];
  };
  const auto differ = [&](const float* a, const float* b) {
    const bool hit_a = a[0] != 0 || a[1] != 0 || a[2] != 0, hit_b = b[0] != 0 || b[1] != 0 || b[2] != 0;
    return hit_a != hit_b || (hit_a && std::abs(a[3] - b[3]) > 2);
  };
  for (int j = std::max(y - 2, 0); j <= std::min(y + 2, height - 1); ++j)
    for (int i = std::max(x - 2, 0); i <= std::min(x + 2, width - 1); ++i)
      if ((i + 1 < width && differ(at(i, j), at(i + 1, j))) || (j + 1 < height && differ(at(i, j), at(i, j + 1))))
        return true;
  return false;
}

/// Values and light: all that differs. Surfaces: normals, and depths in mm (r.m.s.), where both hit the same one, and
/// normals everywhere: along outlines one ray passes by what the other hits. `stray` counts what differs elsewhere.
Difference difference(const std::vector<glm::dvec4>& ours, const std::vector<float>& theirs, VolumeMode mode,
                      double depth_offset, int width) {
  Difference d;
  const bool surface = mode == VolumeMode::iso;
  const int channels = surface ? 3 : mode == VolumeMode::dvr ? 4 : 1;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    glm::dvec4 expected;
    for (int k = 0; k < 4; ++k) expected[k] = static_cast<double>(theirs[4 * i + static_cast<std::size_t>(k)]);
    const bool hit = glm::length(Vec3(expected)) > 0;
    d.hits += hit;
    const double deeper = ours[i].w - expected.w + depth_offset;
    double squares = 0, norm = 0;
    for (int k = 0; k < channels; ++k) {
      squares += std::pow(ours[i][k] - expected[k], 2);
      norm += expected[k] * expected[k];
    }
    d.all_squares += squares;
    d.all_norm += norm;
    if (surface && (hit != (glm::length(Vec3(ours[i])) > 0) || (hit && std::abs(deeper) > 0.5))) {
      ++d.disagree;
      const int at = static_cast<int>(i), height = static_cast<int>(ours.size()) / width;
      d.stray += !near_outline(theirs, width, height, at % width, at / width);
      continue;
    }
    d.squares += squares;
    d.norm += norm;
    if (surface && hit) d.depth += deeper * deeper;
  }
  d.depth = std::sqrt(d.depth / static_cast<double>(std::max<std::int64_t>(d.hits - d.disagree, 1)));
  return d;
}

/// D2VR of filtered views beside volume rendering of their FDK on `grid`, samples at the same places.
class Comparison {
 public:
  Comparison(const Projections& filtered, const VolumeGrid& region, const VolumeGrid& grid)
      : backend_(test_context()),
        grid_(grid),
        samples_(region.spacing.x / grid.spacing.x),
        views_(resident(backend_, filtered, {Precision::fast, true})),
        d2vr_(backend_, views_, region),
        display_(test_context()),
        renderer_(test_context()) {
    display_.publish(*fdk(backend_, filtered, grid), grid);
  }

  Difference of(VolumeMode mode, const CameraRays& rays) {
    auto o = options(mode);
    o.shaded = false;
    const auto ours = render(d2vr_, rays, o);
    o.step = samples_;
    renderer_.render(display_.front(), rays, o, classifier());
    const Vec3 middle = grid_.center;  // what volume rendering counts from
    const double offset = reference_depth(rays, Vec3(0)) - reference_depth(rays, middle);
    const auto d = difference(ours, read_found(renderer_.found()), mode, offset, static_cast<int>(rays.width));
    test_context()->check();
    return d;
  }

 private:
  GlBackend backend_;
  VolumeGrid grid_;
  double samples_;  ///< of the grid's voxels a step
  ResidentViews views_;
  D2vr d2vr_;
  GlDisplayVolume display_;
  VolumeRenderer renderer_;
};

/// Sixty blobs of 2.5 to 8 mm (sigma), four pixels at the axis and more, in a ball of 85 mm: nothing beyond the band
/// that a detector of 0.667 mm at the axis and a grid of 0.5 mm hold.
Phantom many_blobs() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Phantom p{"many blobs", {}};
  while (p.bodies.size() < 60) {
    const Vec3 at(uniform(random), uniform(random), uniform(random));
    if (glm::length(at) > 1) continue;
    Body body;
    body.shape = Body::Shape::gaussian;
    body.center = 85.0 * at;
    body.half = Vec3(5.25 + 2.75 * uniform(random));
    body.value = 0.7 + 0.3 * uniform(random);
    p.bodies.push_back(body);
  }
  return p;
}

}  // namespace

TEST_CASE("D2VR is volume rendering of a fine volume") {
  // A grid so fine that interpolation costs nothing.
  Comparison compare(filtered(blobs(), small_scan()), region(), region(0.4));
  for (const VolumeMode mode : {VolumeMode::mip, VolumeMode::drr, VolumeMode::dvr}) {
    INFO(volume_mode_names()[static_cast<std::size_t>(mode)]);
    CHECK(compare.of(mode, camera()).relative() < 0.01);
  }
  const auto surface = compare.of(VolumeMode::iso, camera());
  CHECK(surface.hits > 150);
  CHECK(surface.disagree <= surface.hits / 100);
  CHECK(surface.stray == 0);
  CHECK(surface.depth < 0.05);
}

TEST_CASE("D2VR is volume rendering of 512 x 512 x 512 voxels", "[.slow]") {
  const Detector d{512, 512, 1, 1};
  const VolumeGrid grid{{512, 512, 512}, Vec3(0.5), Vec3(0)};
  Comparison compare(filtered(many_blobs(), {d, circular_views(d, equal_angles(360), 1000, 1500)}), grid, grid);
  for (const double zoom : {1.5, 6.0}) {
    const CameraRays rays = camera_rays(Turntable{-60, 25, 30, zoom, Vec3(0)}, grid, 512, 512);
    for (const VolumeMode mode :
         {VolumeMode::mip, VolumeMode::average, VolumeMode::drr, VolumeMode::dvr, VolumeMode::iso}) {
      const auto found = compare.of(mode, rays);
      WARN(volume_mode_names()[static_cast<std::size_t>(mode)]
           << ", zoom " << zoom << ": relative RMSE " << found.relative() << ", " << found.hits << " pixels hit, "
           << found.disagree << " differently (" << found.stray << " of them off outlines; relative RMSE with them "
           << found.relative_of_all() << "), depths " << found.depth << " mm r.m.s. apart");
      CHECK(found.hits > 10000);
      CHECK(found.relative() < 0.01);
      if (mode == VolumeMode::iso) {
        CHECK(found.disagree <= found.hits / 100);
        CHECK(found.stray <= 1);
        CHECK(found.depth < 0.03);
      }
    }
  }
}

}  // namespace backlit::gl
