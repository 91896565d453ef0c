// Rendering straight from projections, against the same rays in double precision and against what is known exactly.
#include <backlit/core/error.hpp>
#include "study/view_reference.hpp"
#include "support/gl/d2vr_support.hpp"

namespace backlit::gl::d2vr_gl_test {
using namespace test_scene;
namespace {

std::vector<glm::dvec4> reference(const Projections& p, const CameraRays& rays, const VolumeRenderOptions& o) {
  const auto values = render_reference(PointReconstruction(p.scan, p.values.span()), region(), rays, o, classifier());
  std::vector<glm::dvec4> picture;
  for (std::size_t i = 0; i < values.size(); i += 4)
    picture.emplace_back(values[i], values[i + 1], values[i + 2], values[i + 3]);
  return picture;
}

double relative_rms(const std::vector<glm::dvec4>& a, const std::vector<glm::dvec4>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += glm::dot(a[i] - b[i], a[i] - b[i]);
    norm += glm::dot(b[i], b[i]) - b[i].y * b[i].y * (b[i].z == 0 ? 1 : 0);  // not the flag of values
  }
  return std::sqrt(difference / norm);
}

struct SurfaceError {
  std::int64_t hits = 0, disagree = 0;
  double depth = 0;  ///< mm, the largest where both hit
};

/// `t` of a picture on the device counts from the plane of the reference point.
SurfaceError surface_error(const std::vector<glm::dvec4>& a, const std::vector<glm::dvec4>& b, const CameraRays& rays) {
  SurfaceError e;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool hit_a = glm::length(Vec3(a[i])) > 0, hit_b = b[i].z > 0;
    e.hits += hit_b;
    e.disagree += hit_a != hit_b;
    if (!hit_a || !hit_b) continue;
    const auto x = static_cast<double>(static_cast<std::int64_t>(i) % rays.width),
               y = static_cast<double>(static_cast<std::int64_t>(i) / rays.width);
    const double slant = 1 / glm::dot(rays.ray_direction(x, y), rays.middle_direction());
    e.depth = std::max(e.depth, std::abs(a[i].w + reference_depth(rays, Vec3(0)) * slant - b[i].w));
  }
  return e;
}

}  // namespace

TEST_CASE("D2VR shows what rays in double precision see") {
  GlBackend backend(test_context());
  const Projections p = filtered(blobs(), small_scan());
  const auto exact = resident(backend, p, {Precision::exact, false}),
             fast = resident(backend, p, {Precision::fast, true});
  D2vr precise(backend, exact, region()), quick(backend, fast, region(), D2vrVariant::parse("samples=3,table=uniform"));
  D2vr drawn(backend, fast, region(), D2vrVariant::parse("draw=fragment,samples=2,cells=9"));
  for (const VolumeMode mode : {VolumeMode::mip, VolumeMode::average, VolumeMode::drr, VolumeMode::dvr}) {
    INFO(volume_mode_names()[static_cast<std::size_t>(mode)]);
    const auto o = options(mode);
    const auto expected = reference(p, camera(), o);
    CHECK(relative_rms(render(precise, camera(), o), expected) < (mode == VolumeMode::dvr ? 5e-3 : 2e-5));
    CHECK(relative_rms(render(quick, camera(), o), expected) < 5e-3);
    CHECK(relative_rms(render(drawn, camera(), o), expected) < 5e-3);
  }
  backend.context().check();
}

TEST_CASE("D2VR finds the surfaces that rays in double precision find") {
  GlBackend backend(test_context());
  const Projections p = filtered(blobs(), small_scan());
  const auto views = resident(backend, p, {Precision::exact, false});
  const auto o = options(VolumeMode::iso);
  const auto expected = reference(p, camera(), o);
  for (const char* variant :
       {"samples=4", "samples=2,cells=20", "samples=2,draw=fragment", "samples=8,table=uniform"}) {
    INFO(variant);
    D2vr d2vr(backend, views, region(), D2vrVariant::parse(variant));
    const auto e = surface_error(render(d2vr, camera(), o), expected, camera());
    CHECK(e.hits > 150);
    CHECK(e.disagree == 0);
    CHECK(e.depth < 0.02);
  }
  backend.context().check();
}

TEST_CASE("Cells of the coarse volume in which nothing can be seen are leapt over, no others") {
  GlBackend backend(test_context());
  const auto views = resident(backend, filtered(blobs(), small_scan()), {Precision::fast, false});
  CoarseVolume coarse(backend, views, region(), 17, 1);
  coarse.update(options(VolumeMode::iso), {});
  const Texture &ranges = coarse.ranges(), &leaps = coarse.leaps();
  const auto n = static_cast<std::size_t>(leaps.width() * leaps.height() * leaps.depth());
  std::vector<float> range(2 * n);
  std::vector<std::uint32_t> leap(n);
  glGetTextureImage(ranges.id(), 0, GL_RG, GL_FLOAT, static_cast<GLsizei>(8 * n), range.data());
  glGetTextureImage(leaps.id(), 0, GL_RED_INTEGER, GL_UNSIGNED_INT, static_cast<GLsizei>(4 * n), leap.data());
  std::size_t seen = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool visible = static_cast<double>(range[2 * i + 1]) >= iso;
    seen += visible;
    REQUIRE((leap[i] == 0) == visible);
  }
  CHECK(seen > n / 50);
  CHECK(seen < n / 2);
}

TEST_CASE("The largest value of a ray is found within half a grey value, whatever is skipped") {
  GlBackend backend(test_context());
  const Projections p = filtered(blobs(), small_scan());
  for (const Precision precision : {Precision::exact, Precision::fast}) {
    const auto views = resident(backend, p, {precision, false});
    D2vr d2vr(backend, views, region());
    auto o = options(VolumeMode::mip);
    const auto some = render(d2vr, camera(), o);
    o.skip_empty = false;
    const auto all = render(d2vr, camera(), o);
    double largest = 0;
    for (const glm::dvec4& v : all) largest = std::max(largest, v.x);
    const double less =
        largest * (precision == Precision::exact ? 1e-6 : 1.05 / 512);  // the volume's is a little larger
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i) wrong += !(some[i].x <= all[i].x && some[i].x >= all[i].x - less);
    CHECK(wrong == 0);
  }
}

TEST_CASE("D2VR of smooth values is near the picture of many samples, with half of them too") {
  GlBackend backend(test_context());
  const auto views = resident(backend, filtered(blobs(), small_scan()), {Precision::fast, true});
  D2vr d2vr(backend, views, region());
  auto o = options(VolumeMode::dvr);
  const auto at = [&](double step) {
    o.step = step;
    return render(d2vr, camera(), o);
  };
  const auto many = at(0.1);
  CHECK(relative_rms(at(2), many) < 0.02);
  CHECK(relative_rms(at(1), many) < 0.005);
}

TEST_CASE("D2VR is cut by crop box and clip planes, and shows what is cut") {
  GlBackend backend(test_context());
  const Projections p = filtered(blobs(), small_scan());
  const auto views = resident(backend, p, {Precision::exact, false});
  const CameraRays rays = camera(31, 27);
  D2vr d2vr(backend, views, region()), drawn(backend, views, region(), D2vrVariant::parse("draw=fragment"));
  for (const VolumeMode mode : {VolumeMode::mip, VolumeMode::drr, VolumeMode::dvr, VolumeMode::iso}) {
    INFO(volume_mode_names()[static_cast<std::size_t>(mode)]);
    auto o = options(mode);
    const auto whole = render(d2vr, rays, o);
    o.crop_low = Vec3(-30, -9, -8);
    o.crop_high = Vec3(12, 30, 30);
    o.clips = {{Vec3(-3, 0, 0), Vec3(-1, 0.3, 0.2)}, {Vec3(0, 0, 2), Vec3(0.1, -0.2, 2)}};
    const auto expected = reference(p, rays, o);
    if (mode == VolumeMode::iso) {
      const auto e = surface_error(render(d2vr, rays, o), expected, rays);
      CHECK(e.hits > 40);
      CHECK(e.disagree <= 1);  // rays along an edge
      CHECK(e.depth < 0.02);
      // The planes cut solid matter: their own normals are seen.
      const Vec3 up = glm::normalize(o.clips[1].normal);
      const auto cut = [&](const std::vector<glm::dvec4>& picture) {
        return std::count_if(picture.begin(), picture.end(),
                             [&](const glm::dvec4& n) { return glm::dot(Vec3(n), up) > 1 - 1e-5; });
      };
      CHECK(cut(render(d2vr, rays, o)) > 20);
      CHECK(cut(whole) < 3);
    } else {
      const double tolerance = mode == VolumeMode::dvr ? 5e-3 : 2e-5;
      CHECK(relative_rms(render(d2vr, rays, o), expected) < tolerance);
      CHECK(relative_rms(render(drawn, rays, o), expected) < tolerance);
      CHECK(relative_rms(whole, expected) > 0.1);
    }
  }
  backend.context().check();
}

TEST_CASE("Of a Gaussian blob D2VR shows what is known exactly, four times as well from twice the samples") {
  GlBackend backend(test_context());
  const double sigma = 6;
  Phantom blob = blobs();
  blob.bodies.resize(1);
  blob.bodies[0].half = Vec3(sigma);
  const Vec3 center = blob.bodies[0].center;
  const CameraRays rays = camera();
  const auto error = [&](std::int64_t columns, VolumeMode mode) {
    // Parallel beams, of which filtered backprojection makes an exact inverse.
    const double pixel = 80.0 / static_cast<double>(columns);
    const Detector d{columns, columns, pixel, pixel};
    const auto views = resident(backend, filtered(blob, {d, parallel_views(d, equal_angles(columns, 0, 180))}),
                                {Precision::exact, true});
    D2vr d2vr(backend, views, region(0.4));
    const auto picture = render(d2vr, rays, options(mode));
    double sum = 0, norm = 0;
    for (std::size_t i = 0; i < picture.size(); ++i) {
      const auto x = static_cast<double>(static_cast<std::int64_t>(i) % rays.width),
                 y = static_cast<double>(static_cast<std::int64_t>(i) / rays.width);
      const Vec3 to = center - rays.ray_origin(x, y), along = rays.ray_direction(x, y);
      const double nearest = glm::dot(to, to) - std::pow(glm::dot(to, along), 2);  // squared distance from the ray
      if (nearest > 2.25 * sigma * sigma) continue;                                // well within the box
      double expected = std::exp(-nearest / (2 * sigma * sigma)), found = picture[i].x;
      if (mode == VolumeMode::iso) {
        const double square = 2 * sigma * sigma * std::log(1 / iso);  // of the surface's radius
        if (nearest > 0.8 * square) continue;
        expected = glm::dot(to, along) - std::sqrt(square - nearest);
        found = picture[i].w + reference_depth(rays, Vec3(0)) / glm::dot(along, rays.middle_direction());
        norm += 1;
      } else {
        norm += expected * expected;
      }
      sum += (found - expected) * (found - expected);
    }
    return std::sqrt(sum / norm);
  };
  for (const VolumeMode mode : {VolumeMode::mip, VolumeMode::iso}) {
    const double coarse = error(32, mode), fine = error(64, mode);
    INFO(volume_mode_names()[static_cast<std::size_t>(mode)] << ": " << coarse << " from 32, " << fine << " from 64");
    CHECK(fine < (mode == VolumeMode::iso ? 0.05 : 0.01));
    CHECK(coarse > 3 * fine);
  }
}

TEST_CASE("A picture refines from few views to all, in parts of any size") {
  GlBackend backend(test_context());
  const auto views = resident(backend, filtered(blobs(), small_scan(130)), {Precision::exact, false});
  D2vr d2vr(backend, views, region());
  const auto o = options(VolumeMode::mip);
  const auto whole = render(d2vr, camera(), o), half = render(d2vr, camera(), o, 2);
  const Texture found = make_found(camera().width, camera().height);
  CHECK_FALSE(d2vr.step(found));
  d2vr.begin(camera(), o, classifier());
  std::vector<double> refinements;
  std::vector<float> middle, last;
  while (d2vr.step(found, 20)) {
    refinements.push_back(d2vr.refinement());
    if (refinements.size() == 4) middle = read_found(found);
    last = read_found(found);
  }
  CHECK(refinements == std::vector<double>{33. / 130, 33. / 130, 0.5, 0.5, 1, 1});
  double of_half = 0, of_whole = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    of_half = std::max(of_half, std::abs(static_cast<double>(middle[4 * i]) - half[i].x));
    of_whole = std::max(of_whole, std::abs(static_cast<double>(last[4 * i]) - whole[i].x));
  }
  CHECK(of_half == 0);
  CHECK(of_whole == 0);
  CHECK(relative_rms(half, whole) < 0.05);
  CHECK(relative_rms(half, whole) > 0);
}

TEST_CASE("D2VR follows a stream of projections") {
  GlBackend backend(test_context());
  Phantom later = blobs();
  for (Body& body : later.bodies) body.center.x += 4;
  const Scan scan = small_scan(24);
  const Projections before = filtered(blobs(), scan), after = filtered(later, scan);
  auto stream = resident(backend, before, {Precision::exact, false});
  const auto fresh = resident(backend, after, {Precision::exact, false});
  D2vr d2vr(backend, stream, region()), expected(backend, fresh, region());
  const auto o = options(VolumeMode::iso);
  const auto first = render(d2vr, camera(), o), goal = render(expected, camera(), o);
  for (std::int64_t i = 0; i < scan.view_count(); ++i) {
    GlArray one(test_context(), "one view", shape_of(scan.detector, 1));
    one.upload(after.view(i));
    stream.replace_oldest(scan.views[static_cast<std::size_t>(i)], one);
  }
  CHECK(relative_rms(first, goal) > 0.1);
  CHECK(relative_rms(render(d2vr, camera(), o), goal) < 1e-3);
}

TEST_CASE("What D2VR cannot do it says") {
  GlBackend backend(test_context());
  CHECK_THROWS_WITH(D2vrVariant::parse("samples=1"), "variant: samples '1'; give 2 to 8");
  CHECK_THROWS_WITH(D2vrVariant::parse("draw=ink"), "variant: unknown draw 'ink'; choose one of compute, fragment");
  CHECK_THROWS_WITH(D2vrVariant::parse("rays=3"),
                    "variant: unknown key 'rays'; there are draw, table, samples, cells and reach");
  CHECK(D2vrVariant::parse("cells=64,samples=2").name() == "draw=compute,table=auto,samples=2,cells=64,reach=1");
  const auto views = resident(backend, filtered(blobs(), small_scan(8)), {Precision::fast, false});
  D2vr d2vr(backend, views, region());
  const Texture found = make_found(camera().width, camera().height);
  auto o = options(VolumeMode::mip);
  o.clips.resize(7, {Vec3(0), Vec3(1, 0, 0)});
  CHECK_THROWS_WITH(d2vr.render(camera(), o, classifier(), found), "clip: 7 planes; give at most 6");
  o.clips.clear();
  o.step = 9;
  CHECK_THROWS_WITH(d2vr.render(camera(), o, classifier(), found), Catch::StartsWith("step: 9 voxels"));
  CHECK_THROWS_AS(d2vr.render(camera(8, 8), options(VolumeMode::mip), classifier(), found), Failure);
}

}  // namespace backlit::gl::d2vr_gl_test
