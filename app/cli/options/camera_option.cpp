#include "options/camera_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <backlit/core/error.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/io/scans/scan_file.hpp>

namespace backlit::cli {

void CameraOption::add_flags(CLI::App& app) {
  const auto flag = [&](const char* name, auto& target, const char* help, const char* type) {
    app.add_option(name, target, help)->type_name(type)->group("Camera")->each([this](const std::string&) {
      asked_ = true;
    });
  };
  flag("--azimuth", turntable.azimuth, "where the camera stands: 0 on +x, 90 on +y (default -60)", "deg");
  flag("--elevation", turntable.elevation, "elevation towards +z, -90 to 90 (default 20)", "deg");
  flag("--fov", turntable.fov, "angle of the shorter side; 0: orthographic (default 30)", "deg");
  flag("--zoom", turntable.zoom, "1: the whole volume; magnifies (default 1)", "NUMBER");
  flag("--look-at", look_at, "the point in the middle of the picture, mm (default: the volume's middle)", "X,Y,Z");
  flag("--from-view", from_view, "look from the source of this view of --scan, from 0, at its detector", "INDEX");
  flag("--scan", scan, "scan for --from-view", "SCAN");
  flag("--frames", frames,
       "number of pictures over a full turn, or over the scan's views: an animated PNG, or a sequence where IMAGE has "
       "#### "
       "for "
       "the number (default 1)",
       "N");
  flag("--fps", fps, "frames a second of an animated PNG (default 20)", "NUMBER");
}

bool CameraOption::asked() const { return asked_; }

void CameraOption::open(const std::string& input) {
  if (frames < 1 || frames > 100000) throw InputError("--frames", fmt::format("{}", frames), "give 1 to 100000");
  if (!(fps >= 0.1 && fps <= 1000)) throw InputError("--fps", fmt::format("{}", fps), "give 0.1 to 1000");
  if (!look_at.empty()) {
    if (from_view) throw InputError("--look-at", "--from-view already sets the direction", "keep one of them");
    target_ = parse_point(look_at, "--look-at");
  }
  if (!from_view) {
    if (!scan.empty()) throw InputError("--scan", "it needs --from-view", "add --from-view, or leave it out");
    return;
  }
  if (scan.empty() && !is_scan(input))
    throw InputError("--from-view", "a volume has no views", "name the scan with --scan");
  views_ = load_scan_geometry(scan.empty() ? input : scan).scan;
  if (*from_view < 0 || *from_view >= views_.view_count())
    throw InputError("--from-view", fmt::format("{} of {} views", *from_view, views_.view_count()),
                     "views are counted from 0");
}

CameraRays CameraOption::rays(std::int64_t frame, const VolumeGrid& grid, std::int64_t size) const {
  if (from_view) {
    const std::int64_t n = views_.view_count(), view = (*from_view + frame * n / frames) % n;
    const View& v = views_.views[static_cast<std::size_t>(view)];
    const auto [width, height] = picture_size(views_.detector, v, size);
    return camera_rays(views_.detector, v, width, height);
  }
  Turntable t = turntable;
  if (target_) t.offset = *target_ - grid.center;
  if (frame > 0) orbit(t, 360 * static_cast<double>(frame) / static_cast<double>(frames), 0);
  const std::int64_t side = size > 0 ? size : 512;
  return camera_rays(t, grid, side, side);
}

}  // namespace backlit::cli
