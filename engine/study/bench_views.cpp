#include "study/bench_views.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "render/gl/slicer.hpp"
#include "render/point_reconstruction.hpp"

namespace backlit {
namespace {

constexpr double water = 0.02;       // 1/mm
constexpr std::int64_t frames = 20;  // between two waits for the device
constexpr std::int64_t sample_size = 2000;

gl::GlBackend& gl_backend(Backend& backend) {
  if (auto* gl = dynamic_cast<gl::GlBackend*>(&backend)) return *gl;
  throw Unsupported(backend.name(), "only the gl backend draws from views", "add --backend gl");
}

gl::ResidentViews resident(gl::GlBackend& backend, const BenchCase& c, const BenchData& data,
                           const gl::ResidentOptions& options) {
  const ArrayPtr array = backend.make_array(shape_of(c.scan.detector, c.scan.view_count()));
  backend.upload(data.views.span(), *array);
  gl::ResidentViews views(backend, c.scan, options);
  views.load(gl::as_gl(*array));
  return views;
}

CutPlane oblique(const VolumeGrid& grid) {
  CutPlane plane = oriented_plane({0.3, -0.2, 1}, {0, 1, 0}, "bench");
  plane.center = grid.center;
  plane.pixel = (grid.upper() - grid.lower()).x / static_cast<double>(plane.width);
  return plane;
}

/// HU against double precision, at random pixels.
double slice_error(const BenchCase& c, const BenchData& data, const CutPlane& plane,
                   const std::vector<float>& picture) {
  const PointReconstruction exact(c.scan, data.views.span());
  std::vector<float> random(sample_size);
  fill_random(random);
  return 1000 / water *
         std::sqrt(parallel_sum(
                       sample_size,
                       [&](std::int64_t begin, std::int64_t end) {
                         double sum = 0;
                         for (std::int64_t n = begin; n < end; ++n) {
                           const double share = 0.5 * (1 + static_cast<double>(random[static_cast<std::size_t>(n)]));
                           const auto pixel =
                               static_cast<std::int64_t>(share * static_cast<double>(picture.size() - 1));
                           const double value = exact.value(plane.point(static_cast<double>(pixel % plane.width),
                                                                        static_cast<double>(pixel / plane.width)));
                           sum += std::pow(value - static_cast<double>(picture[static_cast<std::size_t>(pixel)]), 2);
                         }
                         return sum;
                       },
                       100) /
                   static_cast<double>(sample_size));
}

}  // namespace

BenchRow bench_slice(Backend& any, const BenchCase& c, const CtOptions& options, const BenchData& data,
                     std::int64_t repeats) {
  gl::GlBackend& backend = gl_backend(any);
  const auto variant = gl::SliceVariant::parse(options.variant);
  const gl::ResidentViews views = resident(backend, c, data, {options.precision, false});
  gl::ViewSlicer slicer(backend, views, variant);
  const CutPlane plane = oblique(c.grid);
  const gl::Texture target("slice", GL_TEXTURE_2D, GL_R32F, plane.width, plane.height);
  BenchRow row{c.name, "slice", fmt::format("{},{}", variant.name(), name(options.precision)), {}, 0, "GUPS", {}};
  row.seconds = time_repeatedly(
      [&] {
        for (std::int64_t n = 0; n < frames; ++n) slicer.render(plane, target);
      },
      [&] { backend.finish(); }, repeats, 0.2);
  for (double* t : {&row.seconds.median, &row.seconds.min, &row.seconds.max}) *t /= static_cast<double>(frames);
  row.rate = static_cast<double>(plane.width * plane.height * c.scan.view_count()) / 1e9 / row.seconds.median;
  if (!data.middle.voxels.empty()) {
    std::vector<float> picture(static_cast<std::size_t>(plane.width * plane.height));
    glGetTextureImage(target.id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(4 * picture.size()), picture.data());
    row.rmse = slice_error(c, data, plane, picture);
  }
  return row;
}

}  // namespace backlit
