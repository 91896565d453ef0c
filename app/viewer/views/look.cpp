#include "views/look.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <backlit/core/error.hpp>
#include "model/values/materials.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

/// Each file is read once.
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

Rgb background() {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(palette().pane);
  const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(255 * v)); };
  return {byte(c.x), byte(c.y), byte(c.z)};
}

/// A transfer function by shares of a window, over what most of the volume holds up to its brightest.
TransferFunction over_activity(TransferFunction f, const Histogram& h) {
  const double low = h.percentile(50), high = std::max({h.percentile(99.5), h.hot, low + 1e-12});
  return in_values(std::move(f), {{low, high}});
}

/// Window of line integrals: the upper end is that of a body of two thirds of the box with the window's upper value.
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
         (p.mode != VolumeMode::iso || p.iso == q.iso) && p.shaded == q.shaded &&
         p.gradient_opacity == q.gradient_opacity && p.shadows == q.shadows && p.occlusion == q.occlusion &&
         p.light_cells == q.light_cells && p.crop_low == q.crop_low && p.crop_high == q.crop_high &&
         same(p.clips, q.clips) && (p.mode != VolumeMode::dvr || a.classifier == b.classifier);
}

TransferFunction transfer_function(const DisplayState& d, const Status& status) {
  if (d.transfer == "custom") return parse_transfer_function(d.transfer_text, "transfer function");
  if (d.transfer != "auto") return shipped(d.transfer);
  if (!status.histogram) return fitting_transfer_function({}, status.grid);
  TransferFunction f = status.source && status.source->list
                           ? over_activity(shipped("pet-hot"), *status.histogram)
                           : fitting_transfer_function(status.histogram->classes, status.grid);
  if (status.histogram->hot > 0) {  // a few voxels are to be seen
    const Vec3& voxel = status.grid.spacing;
    f.depth_in_percent = false;
    f.depth = 0.4 * std::min({voxel.x, voxel.y, voxel.z});
  }
  return f;
}

double iso_value(const DisplayState& d, const Status& status) {
  if (d.iso != 0) return d.iso;
  return status.histogram ? fitting_iso(status.histogram->classes) : 0.5 * (d.low + d.high);
}

Look look_of(const ViewState& state, const Status& status, const VolumeGrid& grid, const CameraRays& rays,
             Rgb background) {
  const DisplayState& d = state.display;
  Look look;
  look.rays = rays;
  look.options.mode = volume_mode_from(d.mode);
  look.options.step = d.step;
  look.options.iso = iso_value(d, status);
  constexpr std::int64_t fewest = 4;  // slices; with fewer, gradients show only the volume's faces and noise
  const bool thick = *std::ranges::min_element(grid.size) >= fewest;
  look.options.shaded = d.shaded && thick;
  look.options.gradient_opacity = thick ? d.gradient_opacity : 0;
  look.options.shadows = d.shadows;
  look.options.occlusion = d.occlusion;
  if (d.crop) {
    look.options.crop_low = glm::min(d.crop_low, d.crop_high);
    look.options.crop_high = glm::max(d.crop_low, d.crop_high);
  }
  look.options.clips = state.clips;
  if (look.options.clips.size() > VolumeRenderOptions::max_clips)
    look.options.clips.resize(VolumeRenderOptions::max_clips);
  if (look.options.mode == VolumeMode::dvr) {
    const ValueScale scale = value_scale(d, largest_side(grid));
    const bool materials = d.materials && !state.materials.empty();
    look.classifier = Classifier(materials ? material_function(state.materials) : transfer_function(d, status), scale);
  }
  look.finish.window =
      look.options.mode == VolumeMode::drr ? integral_window(d, grid) : value_scale(d, largest_side(grid)).window;
  look.finish.map = d.map;
  look.finish.background = background;
  look.finish.surface = color_from(d.iso_color, "iso_color");
  return look;
}

Look volume_look(const ViewState& state, const Status& status, const VolumeGrid& grid, const CameraRays& rays) {
  Look look = look_of(state, status, grid, rays, background());
  if (state.oblique.shown && look.options.clips.size() < VolumeRenderOptions::max_clips) {
    const ObliqueState& o = state.oblique;
    const double towards = glm::dot(rays.middle_direction(), o.normal);
    look.options.clips.push_back({o.center, towards < 0 ? o.normal : -o.normal});
  }
  return look;
}

std::vector<SurfaceLook> surface_looks(const ViewState& state, const Look& base) {
  const DisplayState& d = state.display;
  if (base.options.mode != VolumeMode::iso || (state.surfaces.empty() && d.iso_opacity >= 1)) return {};
  std::vector<SurfaceLook> all{{base, d.iso_opacity}};
  for (const IsoSurface& surface : state.surfaces) {
    all.push_back({base, surface.opacity});
    all.back().look.options.iso = surface.value;
    all.back().look.finish.surface = color_from(surface.color, "surface");
  }
  for (SurfaceLook& s : all) s.look.finish.clear = true;
  std::ranges::sort(all, std::greater{}, [](const SurfaceLook& s) { return s.look.options.iso; });
  return all;
}

Window pinned_window(const ViewState& state, const Status& status) {
  const PinnedState& p = state.pinned;
  const DisplayState& d = state.display;
  if (p.low < p.high) return {p.low, p.high};
  if (!status.pinned || !status.pinned->histogram) return {d.low, d.high};
  const Histogram& a = *status.pinned->histogram;
  const Window own{a.percentile(0.1), std::max(a.bright(), a.percentile(0.1) + 1e-12)};
  constexpr double alike = 4;
  const double ratio = own.high / (d.high > 0 ? d.high : 1e-30);
  const bool same_kind = ratio > 1 / alike && ratio < alike;
  return same_kind && state.layout.compare != "overlay" ? Window{d.low, d.high} : own;
}

std::string pinned_map(const ViewState& state) {
  if (state.pinned.map != "same") return state.pinned.map;
  return state.layout.compare == "overlay" ? "heat" : state.display.map;
}

Look pinned_look(const ViewState& state, const Status& status, Look look) {
  const Window window = pinned_window(state, status);
  const bool own = window.low != state.display.low || window.high != state.display.high;
  look.finish.window = look.options.mode == VolumeMode::drr ? look.finish.window : window;
  look.finish.map = pinned_map(state);
  if (!status.pinned) return look;
  const VolumeGrid& grid = status.pinned->grid;
  // Samples at the border of a map of thickness lie between 0 and the thickness there: the largest one is right.
  if (status.pinned->computed) {
    look.options.mode = VolumeMode::mip;
    look.finish.window = window;
  }
  if (own && status.pinned->histogram) {
    const ValueClasses& classes = status.pinned->histogram->classes;
    if (state.display.iso == 0) look.options.iso = fitting_iso(classes);
    if (state.display.transfer == "auto" && look.options.mode == VolumeMode::dvr) {
      const TransferFunction f = state.layout.compare == "overlay"
                                     ? over_activity(shipped("pet-hot"), *status.pinned->histogram)
                                     : fitting_transfer_function(classes, grid);
      look.classifier = Classifier(f, {window, state.display.water, largest_side(grid), state.display.air});
    }
  }
  const RigidMotion motion = motion_of(state.pinned, grid);
  if (motion.identity()) return look;
  // The camera, the box and the planes as A sees them where it came from.
  CameraRays& rays = look.rays;
  rays.origin = motion.undo(rays.origin);
  for (Vec3* v : {&rays.origin_x, &rays.origin_y, &rays.direction, &rays.direction_x, &rays.direction_y, &rays.light})
    *v = motion.undo_direction(*v);
  VolumeRenderOptions& options = look.options;
  if (state.display.crop) {
    for (int a = 0; a < 3; ++a)
      for (const double side : {-1.0, 1.0}) {
        if (options.clips.size() >= VolumeRenderOptions::max_clips) break;
        Vec3 normal(0);
        normal[a] = side;
        options.clips.push_back({side < 0 ? options.crop_low : options.crop_high, normal});
      }
    options.crop_low = VolumeRenderOptions{}.crop_low;
    options.crop_high = VolumeRenderOptions{}.crop_high;
  }
  for (RenderPlane& plane : options.clips) {
    plane.point = motion.undo(plane.point);
    plane.normal = motion.undo_direction(plane.normal);
  }
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
