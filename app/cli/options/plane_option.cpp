#include "options/plane_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/render/renderer.hpp>
#include "open_session.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

Plane empty(const CutPlane& cut) {
  return {cut.width, cut.height, cut.pixel, cut.pixel,
          std::vector<float>(static_cast<std::size_t>(cut.width * cut.height))};
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
  return divided_plane(parse_plane(plane, "--plane", box.center), box, pixel, size, "--pixel");
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
    cut_projections(candidate, source, filter_options, cut, picture.values, Watch(bar, interrupt()));
  });
  warn_of_repairs(session.report(), console);
  return picture;
}

}  // namespace backlit::cli
