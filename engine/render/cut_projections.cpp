#include <backlit/core/error.hpp>
#include <backlit/render/renderer.hpp>
#include "render/gl/slicer.hpp"
#include "render/point_reconstruction.hpp"

namespace backlit {
namespace {

/// All views, filtered, in host memory.
std::vector<float> filtered_views(Backend& backend, ProjectionSource& source, ProjectionFilter& filter,
                                  const Watch& watch) {
  const Detector& d = filter.scan().detector;
  const std::int64_t total = filter.scan().view_count();
  std::vector<float> all(static_cast<std::size_t>(total * d.pixels()));
  std::vector<float> raw(static_cast<std::size_t>(source.scan().detector.pixels()));
  const ArrayPtr one = backend.make_array(shape_of(d, 1));
  watch.begin("filter", total, "views");
  for (std::int64_t view = 0; view < total; ++view) {
    source.read(view, 1, raw);
    filter.run(view, raw, *one);
    backend.download(*one, std::span(all).subspan(static_cast<std::size_t>(view * d.pixels()),
                                                  static_cast<std::size_t>(d.pixels())));
    watch.advance(1);
  }
  watch.end();
  return all;
}

}  // namespace

void cut_projections(Backend& backend, ProjectionSource& source, const FilterOptions& options, const CutPlane& cut,
                     std::span<float> values, const Watch& watch) {
  auto* const gl = dynamic_cast<gl::GlBackend*>(&backend.innermost());
  if (!gl && backend.name() != "cpu")
    throw Unsupported(backend.name(), "slices from projections run on gl and cpu", "choose gl or cpu");
  const auto filter = backend.make_filter(source.scan(), options);
  if (!gl) {
    const auto views = filtered_views(backend, source, *filter, watch);
    return cut_views(PointReconstruction(filter->scan(), views), cut, values);
  }
  const auto views = gl::load_resident_views(*gl, source, *filter, {Precision::exact, false}, watch);
  const gl::Texture target("slice", GL_TEXTURE_2D, GL_R32F, cut.width, cut.height);
  gl::ViewSlicer(*gl, views).render(cut, target);
  glGetTextureImage(target.id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(4 * values.size()), values.data());
  gl->context().check("slice");
}

}  // namespace backlit
