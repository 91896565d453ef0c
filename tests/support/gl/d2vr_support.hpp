// Scenes and helpers for tests of rendering from projections.
#pragma once

#include <vector>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/fdk_filter.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "render/gl/d2vr.hpp"
#include "render/gl/finisher.hpp"
#include "support/gl/gl_support.hpp"

namespace backlit::gl::test_scene {

inline constexpr double iso = 0.5;

/// A smooth phantom, so that a small scan resolves it: two blobs and a small one in front of them.
inline Phantom blobs() {
  const auto blob = [](const Vec3& center, const Vec3& sigma, double value) {
    Body body;
    body.shape = Body::Shape::gaussian;
    body.center = center;
    body.half = sigma;
    body.value = value;
    return body;
  };
  return {"blobs",
          {blob({-5, 2, 1}, {6, 5, 4}, 1), blob({8, -3, -2}, {4, 6, 5}, 0.9), blob({2, -12, 4}, {2.5, 2.5, 2.5}, 0.8)}};
}

inline Scan small_scan(std::int64_t views = 48, std::int64_t columns = 72) {
  const double pixel = 72 * 1.2 / static_cast<double>(columns);
  const Detector d{columns, columns * 5 / 6, pixel, pixel};
  return {d, circular_views(d, equal_angles(views), 120, 180)};
}

inline VolumeGrid region(double spacing = 0.8) {
  const auto n = static_cast<std::int64_t>(std::llround(44 / spacing));
  return {{n, n, n * 3 / 4}, Vec3(spacing), Vec3(0.5, -1, 0)};
}

inline Projections filtered(const Phantom& phantom, const Scan& scan, int supersample = 1) {
  Projections p(scan);
  project_phantom(phantom, scan, 0, scan.view_count(), supersample, p.values.span());
  FdkFilter(scan, {}).run(0, p.values.span());
  return p;
}

inline ResidentViews resident(GlBackend& backend, const Projections& p, const ResidentOptions& options) {
  ResidentViews r(backend, p.scan, options);
  GlArray array(test_context(), "filtered", shape_of(p.scan.detector, p.scan.view_count()));
  array.upload(p.values.span());
  r.load(array);
  return r;
}

/// FDK of filtered views.
inline ArrayPtr fdk(GlBackend& backend, const Projections& filtered, const VolumeGrid& grid) {
  const auto ct = backend.make_ct(grid, filtered.scan, {.weighting = Weighting::fdk});
  const auto y = ct->make_range(filtered.scan.view_count());
  ArrayPtr x = ct->make_domain();
  backend.upload(filtered.values.span(), *y);
  ct->back(*y, *x, ct->all(), Write::overwrite);
  return x;
}

inline CameraRays camera(std::int64_t width = 39, std::int64_t height = 33) {
  return camera_rays(Turntable{-60, 25, 30, 2, Vec3(0)}, region(), width, height);
}

/// The transfer function of the tests: transparent below 0.3, with rising opacity above.
inline Classifier classifier() {
  TransferFunction f;
  f.depth = 4;
  f.points = {{0, Vec3(0), 0}, {0.3, Vec3(0.2, 0.4, 1), 0}, {0.6, Vec3(1, 0.5, 0.1), 0.5}, {1, Vec3(1), 0.95}};
  return Classifier(f, {});
}

inline std::vector<glm::dvec4> render(D2vr& d2vr, const CameraRays& rays, const VolumeRenderOptions& o,
                                      std::int64_t stride = 1) {
  const Texture found = make_found(rays.width, rays.height);
  d2vr.render(rays, o, classifier(), found, stride);
  const auto values = read_found(found);
  std::vector<glm::dvec4> picture;
  for (std::size_t i = 0; i < values.size(); i += 4)
    picture.emplace_back(values[i], values[i + 1], values[i + 2], values[i + 3]);
  return picture;
}

inline VolumeRenderOptions options(VolumeMode mode) {
  VolumeRenderOptions o;
  o.mode = mode;
  o.iso = iso;
  return o;
}

}  // namespace backlit::gl::test_scene
