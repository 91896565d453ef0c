#include "options/plane_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "open_session.hpp"
#include "render/gl/slicer.hpp"
#include "render/point_reconstruction.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

/// Filters all views and downloads them as one block of host memory.
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

Plane empty(const CutPlane& cut) {
  return {cut.width, cut.height, cut.pixel, cut.pixel,
          std::vector<float>(static_cast<std::size_t>(cut.width * cut.height))};
}

void cut_on(Backend& backend, ProjectionSource& source, ProjectionFilter& filter, const CutPlane& cut, Plane& picture,
            const Watch& watch) {
  auto* gl = dynamic_cast<gl::GlBackend*>(&backend.innermost());
  if (!gl) {
    const auto views = filtered_views(backend, source, filter, watch);
    return cut_views(PointReconstruction(filter.scan(), views), cut, picture.values);
  }
  const auto views = gl::load_resident_views(*gl, source, filter, {Precision::exact, false}, watch);
  const gl::Texture target("slice", GL_TEXTURE_2D, GL_R32F, cut.width, cut.height);
  gl::ViewSlicer(*gl, views).render(cut, target);
  glGetTextureImage(target.id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(4 * picture.values.size()),
                    picture.values.data());
  gl->context().check("slice");
}

}  // namespace

void PlaneOption::add_flags(CLI::App& app) {
  app.add_option("--plane", plane,
                 "cut anywhere: \"z=12.5\", or \"center=X,Y,Z normal=X,Y,Z up=X,Y,Z\" in mm; of a scan it is computed "
                 "from the projections, without a volume")
      ->type_name("PLANE")
      ->group("Plane");
  app.add_option("--pixel", pixel, "side of a pixel of the plane (default: a voxel's)")
      ->type_name("mm")
      ->check(CLI::PositiveNumber)
      ->group("Plane");
}

CutPlane PlaneOption::apply(const VolumeGrid& box, std::int64_t size) const {
  CutPlane cut = parse_plane(plane, "--plane", box.center);
  const Vec3 extent = box.upper() - box.lower();
  // The size of the box along the picture's axes.
  const double across = glm::dot(glm::abs(cut.right), extent), along = glm::dot(glm::abs(cut.up), extent);
  cut.pixel = pixel > 0 ? pixel : std::min({box.spacing.x, box.spacing.y, box.spacing.z});
  if (size > 0 && !(pixel > 0)) cut.pixel = std::max(across, along) / static_cast<double>(size);
  const auto pixels = [&](double mm) { return std::max(1.0, std::round(std::min(mm / cut.pixel, 1e9))); };
  cut.width = size > 0 && pixel > 0 ? size : static_cast<std::int64_t>(pixels(across));
  cut.height = size > 0 && pixel > 0 ? size : static_cast<std::int64_t>(pixels(along));
  cut.check("--pixel");
  return cut;
}

Plane cut_volume(const std::filesystem::path& file, const PlaneOption& option, std::int64_t size) {
  const Volume volume = load_volume(file);
  const CutPlane cut = option.apply(volume.grid, size);
  Plane picture = empty(cut);
  backlit::cut_volume(volume, cut, picture.values);
  return picture;
}

Plane cut_scan(const std::filesystem::path& file, const PlaneOption& option, std::int64_t size,
               const FilterOptions& filter_options, const DeviceOptions& device, const Console& console) {
  const Session session = open_session(file, {}, console);
  ProjectionSource& source = *session.projections();
  const CutPlane cut = option.apply(session.grid(), size);
  Plane picture = empty(cut);
  TerminalProgress bar(console.quiet);
  const auto backend = start_backend(device, console, [&](Backend& candidate) {
    if (candidate.name() != "gl" && candidate.name() != "cpu")
      throw Unsupported(candidate.name(), "slices from projections run on gl and cpu", "add --backend gl");
    const auto filter = candidate.make_filter(source.scan(), filter_options);
    cut_on(candidate, source, *filter, cut, picture, Watch(bar, interrupt()));
  });
  warn_of_repairs(session.report(), console);
  return picture;
}

}  // namespace backlit::cli
