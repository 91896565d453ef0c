#include "views/panes/volume_pane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "model/sources/source_camera.hpp"
#include "model/values/visible_point.hpp"
#include "views/measuring.hpp"
#include "views/scan_drawing.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr double degrees_per_pixel = 0.4;

/// The point where a pixel's ray meets the oblique plane, if it lies in the volume's box.
std::optional<Vec3> hit(const CameraRays& rays, const ObliqueState& o, const VolumeGrid& grid, ImVec2 at) {
  const Vec3 origin = rays.ray_origin(at.x, at.y), direction = rays.ray_direction(at.x, at.y);
  const Vec3 normal = glm::normalize(o.normal);
  const double slope = glm::dot(direction, normal);
  if (std::abs(slope) < 1e-9) return std::nullopt;
  const double t = glm::dot(o.center - origin, normal) / slope;
  const Vec3 point = origin + t * direction;
  const bool inside =
      glm::all(glm::greaterThanEqual(point, grid.lower())) && glm::all(glm::lessThanEqual(point, grid.upper()));
  return inside && (rays.endless || t > 0) ? std::optional(point) : std::nullopt;
}

/// Draws the slice in space as many small quads, since ImGui has no perspective.
void draw_sheet(const Rect& rect, const CameraRays& rays, const CutPlane& plane, const gl::Texture& texture) {
  constexpr int cells = 24;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto id = std::bit_cast<ImTextureID>(static_cast<std::uintptr_t>(texture.id()));
  const auto corner = [&](int i, int j) {
    const double s = static_cast<double>(i) / cells, t = static_cast<double>(j) / cells;
    const Vec3 p = project(
        rays, plane.point(s * static_cast<double>(plane.width) - 0.5, t * static_cast<double>(plane.height) - 0.5));
    return std::pair(ImVec2(rect.min.x + static_cast<float>(p.x) + 0.5f, rect.min.y + static_cast<float>(p.y) + 0.5f),
                     rays.endless || p.z > 1e-6);
  };
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const auto [a, a_ok] = corner(i, j);
      const auto [b, b_ok] = corner(i + 1, j);
      const auto [c, c_ok] = corner(i + 1, j + 1);
      const auto [d, d_ok] = corner(i, j + 1);
      if (!a_ok || !b_ok || !c_ok || !d_ok) continue;
      const auto uv = [](int x, int y) { return ImVec2(static_cast<float>(x) / cells, static_cast<float>(y) / cells); };
      list.AddImageQuad(id, a, b, c, d, uv(i, j), uv(i + 1, j), uv(i + 1, j + 1), uv(i, j + 1));
    }
}

/// The input as the picture has it in which the button was pressed; pictures of one camera stand `pitch` px apart.
PointerInput within_column(PointerInput pointer, float pitch) {
  const float before = pitch * std::floor((pointer.button >= 0 ? pointer.start.x : pointer.at.x) / pitch);
  pointer.at.x -= before;
  pointer.start.x -= before;
  return pointer;
}

}  // namespace

VolumePane::VolumePane(gl::GlBackend& backend)
    : context_(backend.shared_context()), volume_(context_), finisher_(context_), d2vr_camera_("camera of D2VR") {}

CameraRays VolumePane::camera(const Frame& frame, std::int64_t width, std::int64_t height, bool wide) {
  const auto& source = frame.status.source;
  const LayoutState& layout = frame.next.layout;
  if (layout.from_source && source && !source->scan.views.empty()) {
    const Scan& scan = scan_.of(source, frame.next.geometry);
    const auto view = static_cast<std::size_t>(std::clamp<std::int64_t>(layout.view, 0, scan.view_count() - 1));
    return source_camera(scan.detector, scan.views[view], width, height);
  }
  return camera_rays(frame.next.camera, wide && source ? surroundings(frame.grid(), *source) : frame.grid(), width,
                     height);
}

void VolumePane::draw(Frame& frame, const Rect& asked, ObliqueSlice& oblique, bool wide) {
  const Rect rect{{std::floor(asked.min.x), std::floor(asked.min.y)},
                  {std::floor(asked.size.x), std::floor(asked.size.y)}};
  const PointerInput pointer = pane("3-D", rect);
  const VolumeGrid grid = frame.grid();
  if (rect.size.x < 16 || rect.size.y < 16 || grid.voxels() < 1) return;
  const bool views = frame.status.source && frame.status.source->has_views;
  const std::string picture = views && !wide ? frame.next.display.picture : "volume";
  const bool split = picture == "split";
  const std::string& compared = picture == "volume" && !wide ? frame.model.compared_by() : compare_modes()[0];
  const bool side = compared == "side";
  const Rect panel = split ? rect.column(0, 3, 2 * frame.unit) : side ? rect.column(0, 2, 2 * frame.unit) : rect;
  const auto width = static_cast<std::int64_t>(panel.size.x), height = static_cast<std::int64_t>(panel.size.y);
  take_pointer(frame, within_column(pointer, panel.size.x + 2 * frame.unit), camera(frame, width, height, wide), wide);
  const CameraRays rays = camera(frame, width, height, wide);

  if (split) return draw_split(frame, rect, wide, oblique);
  const Look now = volume_look(frame.next, frame.status, frame.grid(), rays);
  if (compared != "off") {
    draw_compared(frame, rect, now, compared);
    if (side) {
      draw_over(frame, panel, rays, oblique, wide);
      return draw_over(frame, rect.column(1, 2, 2 * frame.unit), rays, oblique, wide);
    }
  } else if (picture == "volume") {
    draw_volume(frame, rect, now);
    draw_segment_surface(frame, rect, now);
  }
  if (picture == "d2vr") draw_d2vr(frame, rect, now);
  if (picture == "difference") {
    draw_volume(frame, rect, now);
    if (update_d2vr(frame, now) && volume_.sharp()) {
      fit(difference_, "difference", GL_RGBA8, width, height);
      frame.painter.difference(volume_.shown(), d2vr_, 4, difference_);
      draw_texture(rect, difference_);
    }
  }
  draw_over(frame, rect, rays, oblique, wide);
  const auto& source = frame.status.source;
  const std::string detail = wide && source && source->list ? source->list->scanner
                             : wide                         ? fmt::format("view {}", frame.next.layout.view)
                             : compared != "off" ? fmt::format("{}, A and B: {}", frame.next.display.mode, compared)
                             : picture == "volume"
                                 ? frame.next.display.mode + frame.state_of_volume()
                                 : fmt::format("{}, {}: {}", frame.next.display.mode, picture, d2vr_detail_);
  pane_title(rect, wide ? "Scan" : "3-D", palette().label, detail);
}

void VolumePane::draw_volume(Frame& frame, const Rect& rect, const Look& now) {
  if (!frame.has_volume()) return;
  if (const auto surfaces = surface_looks(frame.next, now); !surfaces.empty())
    return draw_surfaces(frame, rect, surfaces);
  const bool sharp = volume_.update(frame.front, now);
  note_text("3-D picture", sharp ? "sharp" : "coarse");
  if (!sharp) frame.again();
  draw_texture(rect, volume_.shown());
}

void VolumePane::draw_surfaces(Frame& frame, const Rect& rect, const std::vector<SurfaceLook>& surfaces) {
  bool sharp = true;
  while (surfaces_.size() < surfaces.size()) surfaces_.push_back(std::make_unique<VolumePicture>(context_));
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    sharp = surfaces_[i]->update(frame.front, surfaces[i].look) && sharp;
    draw_texture(rect, surfaces_[i]->shown(), false, surfaces[i].opacity);
  }
  note_text("3-D picture", sharp ? "sharp" : "coarse");
  if (!sharp) frame.again();
}

void VolumePane::draw_segment_surface(Frame& frame, const Rect& rect, Look look) {
  const auto& front = frame.model.segment_front();
  if (!frame.next.segment.shown || !front.tiles || frame.status.segment_shown != frame.front.generation) return;
  if (!segment_) segment_ = std::make_unique<VolumePicture>(context_);
  constexpr double opacity = 0.6;
  look.options.mode = VolumeMode::iso;
  look.options.iso = 0;
  look.finish.surface = {26, 190, 178};  // as in slices
  look.finish.clear = true;
  const bool sharp = segment_->update(front, look);
  note_text("3-D segment", sharp ? "sharp" : "coarse");
  if (!sharp) frame.again();
  draw_texture(rect, segment_->shown(), false, opacity);
}

void VolumePane::draw_compared(Frame& frame, const Rect& rect, const Look& now, const std::string& mode) {
  if (!frame.has_volume()) return;
  if (!pinned_) pinned_ = std::make_unique<VolumePicture>(context_);
  Look look = pinned_look(frame.next, frame.status, now);
  look.finish.clear = mode == "overlay";
  const bool a_sharp = pinned_->update(frame.model.pinned_front(), look), b_sharp = volume_.update(frame.front, now);
  note_text("3-D picture", a_sharp && b_sharp ? "sharp" : "coarse");
  if (!a_sharp || !b_sharp) frame.again();
  if (mode == "side") {
    const Rect left = rect.column(0, 2, 2 * frame.unit), right = rect.column(1, 2, 2 * frame.unit);
    draw_texture(left, pinned_->shown());
    draw_texture(right, volume_.shown());
    pane_title(left, "A", palette().first_label, frame.status.pinned->label);
    return pane_title(right, "B", palette().second_label, frame.next.display.mode);
  }
  if (mode == "difference" && a_sharp && b_sharp) {
    fit(difference_, "difference", GL_RGBA8, now.rays.width, now.rays.height);
    frame.painter.difference(pinned_->shown(), volume_.shown(), 4, difference_);
    return draw_texture(rect, difference_);
  }
  draw_texture(rect, frame.shows_a() ? pinned_->shown() : volume_.shown());
  if (mode == "overlay") draw_texture(rect, pinned_->shown(), false, frame.next.pinned.opacity);
  if (mode != "wipe") return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = rect.min.x + static_cast<float>(frame.next.layout.wipe) * rect.size.x;
  list.PushClipRect(rect.min, {x, rect.max().y}, true);
  draw_texture(rect, pinned_->shown());
  list.PopClipRect();
  line(list, {x, rect.min.y}, {x, rect.max().y}, palette().label, 1.5f * frame.unit);
}

bool VolumePane::update_d2vr(Frame& frame, const Look& now) {
  if (!same_found(now, asked_) || asked_generation_ != frame.status.runs) {
    serial_ = frame.model.request_d2vr(now.rays, now.options, now.classifier);
    asked_ = now;
    asked_generation_ = frame.status.runs;
  }
  const auto& made = frame.status.d2vr;
  if (!made || !made->texture || made->texture.width() != now.rays.width || made->texture.height() != now.rays.height)
    return false;
  const bool current = made->serial == serial_;
  if (made->serial != shown_serial_ || made->refinement != shown_refinement_ || !(now.finish == shown_finish_)) {
    made->ready.wait_on_device();
    fit(d2vr_, "from projections", GL_RGBA8, now.rays.width, now.rays.height);
    d2vr_camera_.write(now.rays, frame.grid().center);
    finisher_.run(made->texture, picture_kind(now.options.mode), d2vr_camera_, now.finish, d2vr_);
    shown_serial_ = made->serial;
    shown_refinement_ = made->refinement;
    shown_finish_ = now.finish;
  }
  return current;
}

void VolumePane::draw_d2vr(Frame& frame, const Rect& rect, const Look& now) {
  const bool current = update_d2vr(frame, now);
  if (current)
    draw_texture(rect, d2vr_);
  else
    draw_volume(frame, rect, now);  // stands in until the picture is ready
  d2vr_detail_ = current ? fmt::format("{:.0f} % of the views, {:.2f} s", 100 * frame.status.d2vr->refinement,
                                       frame.status.d2vr->seconds)
                         : "rendering ... (showing volume)";
}

void VolumePane::draw_split(Frame& frame, const Rect& rect, bool wide, ObliqueSlice& oblique) {
  const float gap = 2 * frame.unit;
  const Rect left = rect.column(0, 3, gap), middle = rect.column(1, 3, gap), right = rect.column(2, 3, gap);
  const auto width = static_cast<std::int64_t>(left.size.x), height = static_cast<std::int64_t>(left.size.y);
  const Look now = volume_look(frame.next, frame.status, frame.grid(), camera(frame, width, height, wide));
  draw_volume(frame, left, now);
  draw_d2vr(frame, middle, now);
  const bool compared =
      frame.has_volume() && volume_.sharp() && frame.status.d2vr && frame.status.d2vr->serial == serial_;
  if (compared) {
    fit(difference_, "difference", GL_RGBA8, width, height);
    frame.painter.difference(volume_.shown(), d2vr_, 4, difference_);
    draw_texture(right, difference_);
  }
  for (const Rect& r : {left, middle}) draw_over(frame, r, now.rays, oblique, wide);
  pane_title(left, "Volume", palette().label, frame.next.display.mode);
  pane_title(middle, "D2VR", palette().first_label, d2vr_detail_);
  pane_title(right, "Difference", palette().second_label, compared ? "D2VR - volume, × 4" : "waiting for both images");
}

void VolumePane::draw_over(Frame& frame, const Rect& rect, const CameraRays& rays, ObliqueSlice& oblique, bool wide) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(rect.min, rect.max(), true);
  const VolumeGrid grid = frame.grid();
  const ImU32 box = (palette().lines & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 110);
  draw_box(rect, rays, grid, box, frame.unit);
  if (!wide) clip_box_.draw(frame, rect, rays);
  if (frame.next.oblique.shown && frame.next.display.picture == "volume") {
    // If the slice has its own pane, use the picture of that pane.
    if (frame.next.layout.panes == "volume" || !oblique.shown()) oblique.update(frame, ObliqueSlice::covering(frame));
    if (oblique.shown()) draw_sheet(rect, rays, oblique.plane(), *oblique.shown());
  }
  if (frame.next.layout.show_crosshair) {
    const Vec3& c = frame.next.crosshair;
    for (int a = 0; a < 3; ++a) {
      Vec3 from = c, to = c;
      from[a] = grid.lower()[a];
      to[a] = grid.upper()[a];
      const ImU32 color = palette().axis[static_cast<std::size_t>(a)];
      draw_segment(rect, rays, from, to, (color & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 90), frame.unit);
    }
  }
  draw_axes(rect, rays, frame.unit);
  if (!wide) draw_measured(frame, rect, rays);
  const auto& source = frame.status.source;
  if (source && (wide ? frame.next.layout.show_geometry : frame.next.layout.geometry_in_3d)) {
    draw_scan(rect, rays, scan_.of(source, frame.next.geometry), frame.next.layout.view, frame.unit);
    if (source->list) draw_crystals(rect, rays, source->list->ring, frame.unit);
  }
  list.PopClipRect();
}

bool VolumePane::drag_oblique(Frame& frame, const PointerInput& pointer, const CameraRays& rays) {
  ObliqueState& o = frame.next.oblique;
  if (pointer.pressed)
    holds_oblique_ =
        o.shown && pointer.button != 2 && !pointer.shift && hit(rays, o, frame.grid(), pointer.start).has_value();
  if (!holds_oblique_ || pointer.button < 0) return false;
  if (pointer.moved.x == 0 && pointer.moved.y == 0) return true;
  if (pointer.button == 1) {
    turn(o, degrees_per_pixel * pointer.moved.x, degrees_per_pixel * pointer.moved.y);
  } else {
    // Move the slice along its normal, following the pointer along the projected normal.
    const Vec3 a = project(rays, o.center), b = project(rays, o.center + glm::normalize(o.normal));
    const glm::dvec2 step(b.x - a.x, b.y - a.y), moved(pointer.moved.x, pointer.moved.y);
    const double length = glm::dot(step, step);
    const double mm = length > 1e-4 ? glm::dot(moved, step) / length : -moved.y;
    o.center += std::clamp(mm, -1e3, 1e3) * glm::normalize(o.normal);
  }
  frame.edited("oblique slice");
  return true;
}

bool VolumePane::measure(Frame& frame, const PointerInput& pointer, const CameraRays& rays) {
  const auto kind = chosen_kind(frame);
  const bool click = clicked(frame, pointer) && pointer.button == 0 && !pointer.shift && !pointer.ctrl;
  if (!kind || *kind == Measurement::Kind::region || !click || !frame.has_volume()) return false;
  Look look = volume_look(frame.next, frame.status, frame.grid(), rays);
  for (const SurfaceLook& s : surface_looks(frame.next, look))
    look.options.iso = std::min(look.options.iso, s.look.options.iso);
  const auto point = visible_point(look.rays, look.options, look.classifier, frame.grid(), pointer.at.x, pointer.at.y,
                                   [&](std::span<const Vec3> points) { return frame.model.values_at(points); });
  if (!point) return true;
  add_point(frame, *kind, *point);
  frame.again();
  return true;
}

void VolumePane::draw_measured(const Frame& frame, const Rect& rect, const CameraRays& rays) const {
  const auto screen = [&](const Vec3& point) {
    const Vec3 p = project(rays, point);
    return ImVec2(rect.min.x + static_cast<float>(p.x) + 0.5f, rect.min.y + static_cast<float>(p.y) + 0.5f);
  };
  Captions captions;
  const auto draw = [&](const Measurement& m, const std::string& text) {
    const bool before_eye =
        std::ranges::all_of(m.points, [&](const Vec3& p) { return rays.endless || project(rays, p).z > 1e-6; });
    if (before_eye && m.kind != Measurement::Kind::region) draw_measurement(m, screen, text, frame.unit, captions);
  };
  for (std::size_t i = 0; i < frame.next.measurements.size(); ++i)
    draw(frame.next.measurements[i], caption(frame, i, frame.next.measurements[i]));
  if (const auto kind = measurement_kind(frame.pending.tool)) draw({*kind, frame.pending.points}, "");
}

void VolumePane::take_pointer(Frame& frame, const PointerInput& pointer, const CameraRays& rays, bool wide) {
  Turntable& camera = frame.next.camera;
  if ((!wide && clip_box_.take_pointer(frame, pointer, rays)) || drag_oblique(frame, pointer, rays)) return;
  if (!wide && measure(frame, pointer, rays)) return;
  const bool moved = pointer.moved.x != 0 || pointer.moved.y != 0;
  if (moved && pointer.button == 0 && !pointer.shift) {
    frame.next.layout.from_source = false;
    orbit(camera, -degrees_per_pixel * pointer.moved.x / frame.unit, degrees_per_pixel * pointer.moved.y / frame.unit);
    frame.edited("camera");
  } else if (moved && (pointer.button == 2 || pointer.button == 0)) {
    pan(camera, rays, frame.grid(), pointer.moved.x, pointer.moved.y);
    frame.edited("camera");
  } else if (pointer.button == 1) {
    drag_window(frame, pointer);
  }
  if (pointer.wheel != 0) {
    camera.zoom = std::clamp(camera.zoom * std::pow(1.15, pointer.wheel), 0.05, 500.0);
    frame.edited("camera");
  }
  if (!wide) enlarge(frame, pointer, "3-d");
}

}  // namespace backlit::viewer
