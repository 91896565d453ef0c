#include "views/scan_drawing.hpp"

#include <algorithm>
#include <array>

#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr double in_front = 1e-3;

ImU32 faded(ImU32 color, unsigned alpha) { return (color & ~IM_COL32_A_MASK) | (alpha << IM_COL32_A_SHIFT); }

ImVec2 screen(const Rect& rect, const Vec3& p) {
  return {rect.min.x + static_cast<float>(p.x) + 0.5f, rect.min.y + static_cast<float>(p.y) + 0.5f};
}

/// Start of the rays; for parallel beams a point far in front of the detector.
Vec3 source_of(const View& view, double distance) {
  return view.beam == Beam::cone ? view.source : view.center - distance * view.direction;
}

std::array<Vec3, 4> detector_corners(const Detector& d, const View& view) {
  const double c = static_cast<double>(d.columns) - 0.5, r = static_cast<double>(d.rows) - 0.5;
  return {detector_point(d, view, -0.5, -0.5), detector_point(d, view, c, -0.5), detector_point(d, view, c, r),
          detector_point(d, view, -0.5, r)};
}

/// mm from the middle of the detector to the drawn start of parallel rays.
double parallel_reach(const Detector& d) {
  return 1.2 * std::max(static_cast<double>(d.columns) * d.pixel_u, static_cast<double>(d.rows) * d.pixel_v);
}

/// Draws the detector's edge; along the rows it is an arc if the detector is curved.
void draw_detector(const Rect& rect, const CameraRays& rays, const Detector& d, const View& view, ImU32 color,
                   float width) {
  const double right = static_cast<double>(d.columns) - 0.5, top = static_cast<double>(d.rows) - 0.5;
  const int pieces = d.shape == Detector::Shape::curved ? 24 : 1;
  const auto at = [&](int i, double row) {
    return detector_point(d, view, -0.5 + static_cast<double>(d.columns) * i / pieces, row);
  };
  for (const double row : {-0.5, top})
    for (int i = 0; i < pieces; ++i) draw_segment(rect, rays, at(i, row), at(i + 1, row), color, width);
  for (const double column : {-0.5, right})
    draw_segment(rect, rays, detector_point(d, view, column, -0.5), detector_point(d, view, column, top), color, width);
}

}  // namespace

VolumeGrid surroundings(const VolumeGrid& grid, const SourceInfo& source) {
  Vec3 low = grid.lower(), high = grid.upper();
  const auto include = [&](const Vec3& p) {
    low = glm::min(low, p);
    high = glm::max(high, p);
  };
  if (source.list)
    for (const Vec3f& crystal : source.list->ring) include(Vec3(crystal));
  const Scan& scan = source.scan;
  for (const View& view : scan.views) {
    include(source_of(view, parallel_reach(scan.detector)));
    for (const Vec3& corner : detector_corners(scan.detector, view)) include(corner);
  }
  return {{1, 1, 1}, high - low, 0.5 * (low + high)};
}

void draw_segment(const Rect& rect, const CameraRays& rays, const Vec3& from, const Vec3& to, ImU32 color,
                  float width) {
  Vec3 a = project(rays, from), b = project(rays, to);
  if (!rays.endless) {
    if (a.z < in_front && b.z < in_front) return;
    // Cut the segment at the eye: depth is linear along it.
    if (a.z < in_front) a = project(rays, from + (in_front - a.z) / (b.z - a.z) * (to - from));
    if (b.z < in_front) b = project(rays, to + (in_front - b.z) / (a.z - b.z) * (from - to));
  }
  ImGui::GetWindowDrawList()->AddLine(screen(rect, a), screen(rect, b), color, width);
}

void draw_box(const Rect& rect, const CameraRays& rays, const VolumeGrid& grid, ImU32 color, float width) {
  const Vec3 low = grid.lower(), high = grid.upper();
  const auto corner = [&](int i) {
    return Vec3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
  };
  for (int i = 0; i < 8; ++i)
    for (const int axis : {1, 2, 4})
      if (!(i & axis)) draw_segment(rect, rays, corner(i), corner(i | axis), color, width);
}

void draw_scan(const Rect& rect, const CameraRays& rays, const Scan& scan, std::int64_t index, float unit) {
  if (scan.views.empty()) return;
  const View& view = scan.views[static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, scan.view_count() - 1))];
  const double reach = parallel_reach(scan.detector);
  const Vec3 source = source_of(view, reach);
  const auto corners = detector_corners(scan.detector, view);
  const ImU32 track = faded(palette().lines, 130), beam = faded(palette().tool, 90), frame = palette().second_label;

  const std::size_t stride = std::max<std::size_t>(1, scan.views.size() / 240);
  for (std::size_t i = stride; i < scan.views.size(); i += stride)
    draw_segment(rect, rays, source_of(scan.views[i - stride], reach), source_of(scan.views[i], reach), track, unit);
  // The rest after the last full step, and the step that closes a circle.
  if (scan.views.size() > 2) {
    const Vec3 first = source_of(scan.views.front(), reach), last = source_of(scan.views.back(), reach),
               before = source_of(scan.views[scan.views.size() - 2], reach),
               drawn = source_of(scan.views[(scan.views.size() - 1) / stride * stride], reach);
    draw_segment(rect, rays, drawn, last, track, unit);
    if (glm::distance(first, last) < 1.5 * glm::distance(last, before))
      draw_segment(rect, rays, last, first, track, unit);
  }

  const Vec3 shift = view.beam == Beam::parallel ? -reach * view.direction : Vec3(0);
  for (const Vec3& corner : corners)
    draw_segment(rect, rays, view.beam == Beam::parallel ? corner + shift : source, corner, beam, unit);
  draw_detector(rect, rays, scan.detector, view, frame, 2 * unit);
  draw_segment(rect, rays, source, view.center, faded(palette().tool, 170), unit);
  const Vec3 at = project(rays, source);
  if (!rays.endless && at.z < in_front) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddCircleFilled(screen(rect, at), 5 * unit, palette().tool);
  label(list, {screen(rect, at).x + 8 * unit, screen(rect, at).y - 8 * unit}, "source", palette().tool);
}

void draw_crystals(const Rect& rect, const CameraRays& rays, std::span<const Vec3f> crystals, float unit) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  double near = 1e300, far = -1e300;
  std::vector<Vec3> places;
  for (const Vec3f& c : crystals) {
    places.push_back(project(rays, Vec3(c)));
    near = std::min(near, places.back().z);
    far = std::max(far, places.back().z);
  }
  for (const Vec3& p : places) {
    if (!rays.endless && p.z < in_front) continue;
    const double depth = far > near ? (p.z - near) / (far - near) : 0;  // far crystals are fainter
    const ImVec2 at = screen(rect, p);
    const float half = 1.1f * unit;
    list.AddRectFilled({at.x - half, at.y - half}, {at.x + half, at.y + half},
                       faded(palette().second_label, static_cast<unsigned>(220 - 165 * depth)));
  }
}

void draw_axes(const Rect& rect, const CameraRays& rays, float unit) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = 26 * unit;
  const ImVec2 origin{rect.min.x + 1.7f * size, rect.max().y - 1.7f * size};
  const Vec3 right = rays.right(), up = rays.up();
  for (int a = 0; a < 3; ++a) {
    Vec3 axis(0);
    axis[a] = 1;
    const ImVec2 tip{origin.x + size * static_cast<float>(glm::dot(axis, right)),
                     origin.y - size * static_cast<float>(glm::dot(axis, up))};
    const ImU32 color = palette().axis[static_cast<std::size_t>(a)];
    line(list, origin, tip, color, 1.5f * unit);
    const char* names[] = {"x", "y", "z"};
    const ImVec2 beyond{origin.x + 1.28f * (tip.x - origin.x), origin.y + 1.28f * (tip.y - origin.y)};
    label(list, {beyond.x, beyond.y - 0.5f * ImGui::GetFontSize()}, names[a], color, 0.5f);
  }
}

}  // namespace backlit::viewer
