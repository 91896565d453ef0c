// Draws docs/images/geometry/*.svg with the engine's own geometry, so the drawings agree with the computation.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include <backlit/core/error.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/trajectory.hpp>
#include "drawings/canvas.hpp"
#include "geometry/make_view_map.hpp"

namespace backlit::drawings {
namespace {

Detector panel(std::int64_t columns, std::int64_t rows, double pixel) {
  Detector d;
  d.columns = columns;
  d.rows = rows;
  d.pixel_u = d.pixel_v = pixel;
  return d;
}

Vec2 above(const Vec3& a) { return {a.x, a.y}; }
Vec2 side(const Vec3& a) { return {a.x, a.z}; }

/// Axonometric: x to the lower left, y to the right, z up.
Vec2 space(const Vec3& a) { return {a.y - 0.55 * a.x, a.z - 0.3 * a.x - 0.08 * a.y}; }

template <class Flatten>
std::vector<Vec2> detector_row(const Detector& d, const View& view, Flatten&& flatten, double row) {
  std::vector<Vec2> points;
  const double last = static_cast<double>(d.columns) - 0.5;
  for (int i = 0; i <= 60; ++i) points.push_back(flatten(detector_point(d, view, -0.5 + (last + 0.5) * i / 60, row)));
  return points;
}

/// The detector's outline in space.
std::vector<Vec2> outline(const Detector& d, const View& view) {
  auto points = detector_row(d, view, space, -0.5);
  const auto back = detector_row(d, view, space, static_cast<double>(d.rows) - 0.5);
  points.insert(points.end(), back.rbegin(), back.rend());
  return points;
}

/// One tick between every two columns, across the detector.
void ticks(Canvas& c, const Detector& d, const View& view) {
  for (std::int64_t i = 0; i <= d.columns; ++i) {
    const Vec2 at = above(detector_point(d, view, static_cast<double>(i) - 0.5, 0));
    const Vec2 away = glm::normalize(at - above(view.source));
    c.line({at - 4.0 * away, at + 4.0 * away}, {"#1f5fa8", 1.2});
  }
}

void world_axes(Canvas& c, double length, const char* right, const char* up) {
  c.arrow({0, 0}, {length, 0}, thin);
  c.arrow({0, 0}, {0, length}, thin);
  c.text({length, 0}, right, {6, -2}, "start", "#888");
  c.text({0, length}, up, {0, 10}, "middle", "#888");
}

Canvas circular_above() {
  const Detector d = panel(11, 1, 16);
  const View view = circular_views(d, {35}, 150, 240)[0];
  const Vec2 s = above(view.source), m = above(view.center);
  Canvas c({-185, -155}, {215, 170}, 2, "Circular scan from above (looking down the rotation axis)");
  c.circle({0, 0}, 150, dashed);
  auto cone = detector_row(d, view, above, 0);
  c.line({s, cone.front(), cone.back()}, beam, true);
  c.circle({0, 0}, 36, object);
  world_axes(c, 75, "x", "y");
  c.line({s, m}, ray);
  c.line(cone, detector);
  ticks(c, d, view);
  c.arrow(m, m + 3.0 * above(view.u), vector_u);
  c.arc({0, 0}, 55, 0, 35, solid, true);
  c.text({0, 0}, "φ", {118, 34}, "middle");
  const Vec2 off = 98.0 * glm::normalize(Vec2(s.y, -s.x));
  c.dimension(s + off, off, "R = source to axis", {68, -22});
  c.dimension(s - off, m - off, "L = source to detector", {-80, 30});
  c.dot(s);
  c.text(s, "source S = R (cos φ, sin φ, 0)", {-46, 22});
  c.dot({0, 0});
  c.text({0, -36}, "axis: +z, towards you", {0, -14}, "middle");
  c.dot(m, "#1f5fa8", 4.5);
  c.text(m, "D", {-18, -10}, "middle", "#1f5fa8");
  c.text(m + 1.5 * above(view.u), "3 u", {-14, -6}, "end", "#c0392b");
  c.text(above(detector_point(d, view, 0, 0)), "column 0", {14, -2}, "start", "#1f5fa8");
  c.text(above(detector_point(d, view, 10, 0)), "column 10", {-12, 10}, "end", "#1f5fa8");
  c.text({150 * std::cos(2.0), 150 * std::sin(2.0)}, "path of the source", {-8, 14}, "end", "#888");
  return c;
}

Canvas circular_side() {
  const Detector d = panel(11, 9, 16);
  const View view = circular_views(d, {0}, 150, 240)[0];
  const Vec2 s = side(view.source), m = side(view.center);
  Canvas c({-175, -95}, {205, 115}, 2, "Circular scan from the side (φ = 0)");
  const Vec2 bottom = side(detector_point(d, view, 5, -0.5)), top = side(detector_point(d, view, 5, 8.5));
  c.line({s, bottom, top}, beam, true);
  c.line({{-22, -20}, {22, -20}, {22, 20}, {-22, 20}}, object, true);
  c.line({{0, -85}, {0, 95}}, dashed);
  c.text({0, 95}, "rotation axis, +z", {0, 10}, "middle", "#888");
  c.line({s, m}, ray);
  c.line({bottom, top}, detector);
  for (int row = 0; row <= 9; ++row) {
    const Vec2 at = side(detector_point(d, view, 5, row - 0.5));
    c.line({at - Vec2(4, 0), at + Vec2(4, 0)}, {"#1f5fa8", 1.2});
  }
  c.arrow(m + Vec2(9, 0), m + Vec2(9, 0) + 2.0 * side(view.v), vector_v);
  c.text(m + 2.0 * side(view.v), "2 v", {28, 0}, "start", "#1e8449");
  c.text(bottom, "row 0", {14, 10}, "start", "#1f5fa8");
  c.text(top, "row 8", {14, -10}, "start", "#1f5fa8");
  const Vec3 p(14, 0, 12);
  const auto image = project_point(make_view_map(d, view), p.x, p.y, p.z);
  const Vec2 hit = side(detector_point(d, view, image.column, image.row));
  c.line({s, hit}, ray);
  c.dot(side(p), "#8e6bb8");
  c.text(side(p), "x", {2, 14}, "middle", "#5b3f85");
  c.dot(hit, "#d08a00");
  c.text(hit, fmt::format("row {:.2f}", image.row), {-14, 14}, "end", "#a86f00");
  c.dimension({s.x, -45}, {p.x, -45}, fmt::format("depth w = e·(x − S) = {:.0f} mm", image.depth), {14, -14});
  c.line({{p.x, -45}, side(p)}, dashed);
  c.arrow({s.x - 8, 14}, {s.x - 48, 14}, solid);
  c.text({s.x - 28, 14}, "e", {0, 12}, "middle");
  c.dimension({s.x, -72}, {0, -72}, "R", {0, -12});
  c.dimension({s.x, -88}, {m.x, -88}, "L", {-170, 12});
  c.dot(s);
  c.text(s, "S", {14, 0});
  c.dot(m, "#1f5fa8", 4.5);
  c.text(m, "D", {-16, 0}, "end", "#1f5fa8");
  return c;
}

Canvas offset_detector() {
  const Detector d = panel(11, 1, 16);
  DetectorPlacement place;
  place.offset_u = 2.5;
  const View ideal = circular_views(d, {0}, 150, 240)[0], view = circular_views(d, {0}, 150, 240, place)[0];
  const Vec2 s = above(view.source), d0 = above(ideal.center), m = above(view.center);
  Canvas c({-215, -135}, {185, 95}, 2, "Offset detector: offset_px = [2.5, 0]");
  const auto line = detector_row(d, view, above, 0);
  c.line({s, line.front(), line.back()}, beam, true);
  c.circle({0, 0}, 36, object);
  c.line(detector_row(d, ideal, above, 0), {"#9db9d8", 4, "none", "6 5"});
  c.line({s, d0}, ray);
  c.line(line, detector);
  ticks(c, d, view);
  c.dot({0, 0});
  c.text({0, 0}, "axis", {10, -14});
  c.dot(s);
  c.text(s, "S", {12, 0});
  c.dot(d0, "#d08a00", 4.5);
  const auto axis = project_point(make_view_map(d, view), 0.0, 0.0, 0.0);
  c.text(d0, fmt::format("center_px = {:g}", axis.column), {-14, 12}, "end", "#a86f00");
  c.text(d0, "= (columns−1)/2 + 2.5", {-14, -8}, "end", "#a86f00");
  c.dot(m, "#1f5fa8", 4.5);
  c.text(m, "D = D₀ − 2.5 u", {-14, 6}, "end", "#1f5fa8");
  c.text(m, "column 5", {-14, -14}, "end", "#1f5fa8");
  c.arrow(above(detector_point(d, view, 8, 0)) + Vec2(16, 0), above(detector_point(d, view, 10, 0)) + Vec2(16, 0),
          vector_u);
  c.text(above(detector_point(d, view, 9, 0)), "u", {46, 0}, "start", "#c0392b");
  return c;
}

Canvas curved() {
  Detector d = panel(15, 1, 14);
  d.shape = Detector::Shape::curved;
  DetectorPlacement place;
  place.offset_u = 3;
  const View ideal = circular_views(d, {0}, 120, 200)[0], view = circular_views(d, {0}, 120, 200, place)[0];
  const Vec2 s = above(view.source), m = above(view.center);
  Canvas c({-175, -165}, {205, 130}, 2, "Curved detector, focused on the source, offset_px = [3, 0]");
  c.circle(s, 200, {"#ccc", 1, "none", "3 5"});
  const auto line = detector_row(d, view, above, 0);
  std::vector<Vec2> fan = line;
  fan.push_back(s);
  c.line(fan, beam, true);
  c.circle({0, 0}, 32, object);
  c.line(detector_row(d, ideal, above, 0), {"#9db9d8", 4, "none", "6 5"});
  const auto axis = project_point(make_view_map(d, view), 0.0, 0.0, 0.0);
  const Vec2 straight = above(detector_point(d, view, axis.column, 0));
  c.line({s, straight}, ray);
  c.line({s, m}, {"#1f5fa8", 1, "none", "5 4"});
  c.line(line, detector);
  ticks(c, d, view);
  c.arc(s, 70, 180, 180 + 3 * 14 / 200.0 / radians_per_degree, solid, true);
  c.text(s, "γ = 3 |u| / radius", {-36, 18}, "end");
  c.dot({0, 0});
  c.text({0, 0}, "axis", {6, 16});
  c.dot(s);
  c.text(s, "S, and the axis", {10, 10});
  c.text(s, "of the cylinder", {10, -10});
  c.dot(straight, "#d08a00", 4.5);
  c.text(straight, fmt::format("column {:g}", axis.column), {-12, 14}, "end", "#a86f00");
  c.dot(m, "#1f5fa8", 4.5);
  c.text(m, "D, column 7", {-16, 6}, "end", "#1f5fa8");
  c.arrow(m, m + 2.0 * above(view.u), vector_u);
  c.text(m + 1.5 * above(view.u), "2 u", {-16, 4}, "end", "#c0392b");
  c.dimension(s + Vec2(0, -8), above(detector_point(d, view, 1, 0)), "radius", {30, -22});
  return c;
}

void frame_in_space(Canvas& c, double x, double y, double z) {
  for (const auto& [end, name] : {std::pair{Vec3(x, 0, 0), "x"}, {Vec3(0, y, 0), "y"}, {Vec3(0, 0, z), "z"}}) {
    c.arrow(space(Vec3(0)), space(end), thin);
    c.text(space(end), name, {8, 6}, "start", "#888");
  }
}

void source_and_detector(Canvas& c, const Detector& d, const View& view) {
  const double right = static_cast<double>(d.columns) - 0.5, top = static_cast<double>(d.rows) - 0.5;
  for (double column : {-0.5, right})
    for (double row : {-0.5, top}) c.line({space(view.source), space(detector_point(d, view, column, row))}, ray);
  c.line(outline(d, view), {"#1f5fa8", 2, "#bcd4ee", "", 0.85}, true);
  c.arrow(space(view.center), space(view.center + 5.0 * view.u), vector_u);
  c.arrow(space(view.center), space(view.center + 4.0 * view.v), vector_v);
  c.text(space(view.center + 5.0 * view.u), "u", {0, -14}, "middle", "#c0392b");
  c.text(space(view.center + 4.0 * view.v), "v", {-10, 4}, "end", "#1e8449");
  c.dot(space(view.center), "#1f5fa8", 4);
  c.text(space(view.center), "D", {-8, -12}, "end", "#1f5fa8");
  c.dot(space(view.source));
  c.text(space(view.source), "S", {6, 14});
}

Canvas helical() {
  const Detector d = panel(20, 12, 6);
  std::vector<double> angles;
  for (int i = 0; i <= 270; ++i) angles.push_back(4.0 * i);  // three turns
  const auto views = helical_views(d, angles, 110, 190, 55, -82.5);
  Canvas c({-150, -130}, {170, 155}, 1.9, "Helical scan: z = start_z + pitch (φ − φ₀) / 360");
  std::vector<Vec2> path;
  for (const View& view : views) path.push_back(space(view.source));
  frame_in_space(c, 90, 90, 140);
  c.line(path, {"#b5651d", 1.8});
  source_and_detector(c, d, views[144]);
  c.dot(path.front(), "#b5651d");
  c.text(path.front(), "first view, z = start_z", {-12, -12}, "end", "#b5651d");
  c.dot(path.back(), "#b5651d");
  c.text(path.back(), "last view", {10, 0}, "start", "#b5651d");
  const Vec3 beside(0, 12, 0), a = views[116].source + beside, b = views[206].source + beside;  // one turn apart
  c.dimension(space(a), space(b), "pitch", {30, 0});
  return c;
}

Canvas laminographic() {
  const Detector d = panel(18, 18, 6);
  const double elevation = 35;
  const View view = laminographic_views(d, {150}, 130, 220, elevation)[0];
  std::vector<Vec2> path, plate;
  for (int i = 0; i <= 120; ++i) {
    const double a = 2 * pi * i / 120;
    path.push_back(space(laminographic_views(d, {3.0 * i}, 130, 220, elevation)[0].source));
    plate.push_back(space({38 * std::cos(a), 38 * std::sin(a), 0}));
  }
  Canvas c({-190, -115}, {190, 120}, 1.9, "Laminography: the rays are raised out of the plane of rotation");
  c.line(path, {"#b5651d", 1.4, "none", "6 4"});
  c.line(plate, object, true);
  frame_in_space(c, 90, 90, 110);
  source_and_detector(c, d, view);
  c.line({space(view.source), space(view.center)}, dashed);
  const Vec3 foot(view.source.x, view.source.y, 0);
  c.line({space(Vec3(0)), space(foot)}, dashed);
  c.line({space(foot), space(view.source)}, dashed);
  std::vector<Vec2> angle;
  for (int i = 0; i <= 30; ++i)
    angle.push_back(space(0.45 * laminographic_views(d, {150}, 130, 220, elevation * i / 30)[0].source));
  c.line(angle);
  c.text(angle[15], "elevation", {8, -4});
  c.text(path[104], "path of the source", {0, 14}, "middle", "#b5651d");
  return c;
}

Canvas voxel_grid() {
  const VolumeGrid g{{6, 4, 1}, {24, 24, 24}, {0, 0, 0}};
  Canvas c({-85, -72}, {135, 82}, 3, "Voxels i,j of a slice of 6 × 4, centred on the origin");
  for (int i = 0; i <= 6; ++i)
    c.line({above(g.lower()) + Vec2(24.0 * i, 0), above(g.lower()) + Vec2(24.0 * i, 96)}, thin);
  for (int j = 0; j <= 4; ++j)
    c.line({above(g.lower()) + Vec2(0, 24.0 * j), above(g.lower()) + Vec2(144, 24.0 * j)}, thin);
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 6; ++i) {
      const Vec2 at = above(g.voxel_center(i, j, 0));
      c.dot(at, "#8e6bb8", 3);
      c.text(at, fmt::format("{},{}", i, j), {0, -16}, "middle", "#5b3f85", 12);
    }
  c.arrow({0, 0}, {92, 0}, solid);
  c.arrow({0, 0}, {0, 68}, solid);
  c.text({92, 0}, "+x, index i", {6, 0});
  c.text({0, 68}, "+y, index j", {0, 12}, "middle");
  c.dot({0, 0});
  const Vec3 first = g.first_voxel();
  c.text(above(first), fmt::format("first voxel ({:g}, {:g}) mm", first.x, first.y), {-30, -58}, "start", "#5b3f85");
  c.dimension({g.upper().x - 24, -56}, {g.upper().x, -56}, "spacing", {0, -14});
  return c;
}

Canvas pixel_grid() {
  const Detector d = panel(6, 4, 24);
  const View view = circular_views(d, {90}, 100, 200)[0];
  // Seen from the source: u to the right, v up.
  const auto flat = [&](double column, double row) {
    const Vec3 p = detector_point(d, view, column, row) - view.center;
    return Vec2(glm::dot(p, glm::normalize(view.u)), glm::dot(p, glm::normalize(view.v)));
  };
  Canvas c({-78, -65}, {110, 66}, 3, "Pixels: a detector of 6 columns and 4 rows");
  for (int i = 0; i <= 6; ++i) c.line({flat(i - 0.5, -0.5), flat(i - 0.5, 3.5)}, thin);
  for (int j = 0; j <= 4; ++j) c.line({flat(-0.5, j - 0.5), flat(5.5, j - 0.5)}, thin);
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 6; ++column) {
      c.dot(flat(column, row), "#1f5fa8", 3);
      c.text(flat(column, row), fmt::format("{}", row * 6 + column), {0, -16}, "middle", "#1f5fa8", 12);
    }
  const Vec2 middle = flat(d.middle_column(), d.middle_row());
  c.dot(middle, "#222", 4);
  c.text(middle, "D = (2.5, 1.5)", {8, -14});
  c.arrow(middle, middle + Vec2(24, 0), vector_u);
  c.text(middle + Vec2(24, 0), "u", {8, 10}, "start", "#c0392b");
  c.arrow(middle, middle + Vec2(0, 24), vector_v);
  c.text(middle + Vec2(0, 24), "v", {10, -6}, "start", "#1e8449");
  c.text(flat(-0.5, -0.5), "corner: column −0.5, row −0.5", {0, -18}, "start", "#555");
  c.text(flat(5.5, 0), "row 0", {10, 0});
  c.text(flat(5.5, 3), "row 3", {10, 0});
  c.text(flat(0, 3.5), "column 0", {0, 12}, "middle");
  c.text(flat(5, 3.5), "column 5", {0, 12}, "middle");
  return c;
}

}  // namespace

void write_all(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  circular_above().write(folder / "circular_above.svg");
  circular_side().write(folder / "circular_side.svg");
  offset_detector().write(folder / "offset_detector.svg");
  curved().write(folder / "curved_detector.svg");
  helical().write(folder / "helical.svg");
  laminographic().write(folder / "laminographic.svg");
  voxel_grid().write(folder / "voxel_grid.svg");
  pixel_grid().write(folder / "pixel_grid.svg");
}

}  // namespace backlit::drawings

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: geometry_drawings FOLDER\n", stderr);
    return 2;
  }
  try {
    backlit::drawings::write_all(arguments[1]);
  } catch (const backlit::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return e.exit_code();
  }
}
