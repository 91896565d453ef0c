#include "views/look.hpp"

#include <algorithm>
#include <map>

#include <backlit/core/error.hpp>

namespace backlit::viewer {
namespace {

/// Files are read once.
const TransferFunction& shipped(const std::string& name) {
  static std::map<std::string, TransferFunction> known;
  const auto found = known.find(name);
  return found != known.end() ? found->second : known.emplace(name, load_transfer_function(name)).first->second;
}

bool same(const std::vector<RenderPlane>& a, const std::vector<RenderPlane>& b) {
  return std::ranges::equal(
      a, b, [](const RenderPlane& p, const RenderPlane& q) { return p.point == q.point && p.normal == q.normal; });
}

double largest_side(const VolumeGrid& grid) {
  const Vec3 extent = grid.upper() - grid.lower();
  return std::max({extent.x, extent.y, extent.z});
}

/// Line integrals: as dark as a body of two thirds of the box at the window's upper end.
Window integral_window(const DisplayState& d, const VolumeGrid& grid) {
  return {0, std::max(d.high, 1e-12) * 0.66 * largest_side(grid)};
}

}  // namespace

bool same_rays(const CameraRays& a, const CameraRays& b) {
  return a.width == b.width && a.height == b.height && a.origin == b.origin && a.origin_x == b.origin_x &&
         a.origin_y == b.origin_y && a.direction == b.direction && a.direction_x == b.direction_x &&
         a.direction_y == b.direction_y && a.endless == b.endless;
}

bool same_found(const Look& a, const Look& b) {
  const auto &p = a.options, &q = b.options;
  return same_rays(a.rays, b.rays) && p.mode == q.mode && p.step == q.step &&
         (p.mode != VolumeMode::iso || p.iso == q.iso) && p.shaded == q.shaded && p.crop_low == q.crop_low &&
         p.crop_high == q.crop_high && same(p.clips, q.clips) &&
         (p.mode != VolumeMode::dvr || a.classifier == b.classifier);
}

ValueScale value_scale(const DisplayState& d, const VolumeGrid& grid) {
  return {{d.low, d.high > d.low ? d.high : d.low + 1e-12}, d.water, largest_side(grid)};
}

TransferFunction transfer_function(const DisplayState& d, const VolumeGrid& grid) {
  if (d.transfer == "custom") return parse_transfer_function(d.transfer_text, "transfer function");
  return shipped(d.transfer == "auto" ? suitable_transfer_function(value_scale(d, grid)) : d.transfer);
}

double iso_value(const DisplayState& d) { return d.iso != 0 ? d.iso : suitable_iso({d.low, d.high}); }

Look look_of(const ViewState& state, const VolumeGrid& grid, const CameraRays& rays, Rgb background) {
  const DisplayState& d = state.display;
  Look look;
  look.rays = rays;
  look.options.mode = volume_mode_from(d.mode);
  look.options.step = d.step;
  look.options.iso = iso_value(d);
  look.options.shaded = d.shaded;
  if (d.crop) {
    look.options.crop_low = glm::min(d.crop_low, d.crop_high);
    look.options.crop_high = glm::max(d.crop_low, d.crop_high);
  }
  look.options.clips = state.clips;
  if (look.options.clips.size() > VolumeRenderOptions::max_clips)
    look.options.clips.resize(VolumeRenderOptions::max_clips);
  if (look.options.mode == VolumeMode::dvr) {
    const ValueScale scale = value_scale(d, grid);
    look.classifier = Classifier(transfer_function(d, grid), scale);
  }
  look.finish.window = look.options.mode == VolumeMode::drr ? integral_window(d, grid) : value_scale(d, grid).window;
  look.finish.map = d.map;
  look.finish.background = background;
  return look;
}

CutPlane oblique_plane(const ObliqueState& o, double pixel, std::int64_t width, std::int64_t height) {
  CutPlane plane = oriented_plane(o.normal, o.up, "oblique slice");
  plane.center = o.center;
  plane.pixel = pixel;
  plane.width = width;
  plane.height = height;
  return plane;
}

}  // namespace backlit::viewer
