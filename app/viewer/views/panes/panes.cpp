#include "views/panes/panes.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/render/value_classes.hpp>

namespace backlit::viewer {
namespace {

/// Whether a volume is so thin that panes which look along it would stay empty.
bool is_sheet(const VolumeGrid& grid) {
  const Vec3 extent = grid.upper() - grid.lower();
  return extent.z < 0.02 * std::max(extent.x, extent.y);
}

/// Two columns, or rows, whose border can be dragged. `usual`: share of the first while nobody has dragged it.
std::array<Rect, 2> divided(Frame& frame, const Rect& all, bool columns, double usual = 0.5) {
  LayoutState& layout = frame.next.layout;
  double& share = columns ? layout.column_share : layout.row_share;
  if (splitter(columns ? "column splitter" : "row splitter", all, columns, usual, share, frame.unit))
    frame.edited(columns ? "column_share" : "row_share");
  const double now = share > 0 ? share : usual;
  const float gap = 2 * frame.unit;
  return columns ? all.columns(now, gap) : all.rows(now, gap);
}

/// Four panes, row by row.
std::array<Rect, 4> quarters(Frame& frame, const Rect& all) {
  const auto [left, right] = divided(frame, all, true);
  const auto rows = divided(frame, all, false);
  const auto cell = [](const Rect& column, const Rect& row) {
    return Rect{{column.min.x, row.min.y}, {column.size.x, row.size.y}};
  };
  return {cell(left, rows[0]), cell(right, rows[0]), cell(left, rows[1]), cell(right, rows[1])};
}

}  // namespace

Panes::Panes(gl::GlBackend& backend)
    : slices_{OrthogonalPane(backend, Axis::x), OrthogonalPane(backend, Axis::y), OrthogonalPane(backend, Axis::z)},
      oblique_(backend),
      volume_(backend) {}

void Panes::draw(Frame& frame, const Rect& all) { draw_layout(frame, draw_strip(frame, all)); }

Rect Panes::draw_strip(Frame& frame, const Rect& all) {
  const LayoutState& layout = frame.next.layout;
  const auto& source = frame.status.source;
  const bool candidates = layout.strip == "candidates";
  if (layout.strip == "off" || !source || !source->has_views || source->arriving) return all;
  if (candidates && layout.panes == "centers") return all;  // which shows candidates itself
  constexpr int pictures = 7;
  const float em = ImGui::GetFontSize(), gap = 2 * frame.unit;
  const float wanted = candidates ? all.size.x / pictures : 0.3f * all.size.y;
  const float height = std::floor(std::clamp(wanted, 5 * em, std::max(5 * em, 0.35f * all.size.y)));
  if (all.size.y < 2.5f * height) return all;
  const Rect rest{all.min, {all.size.x, all.size.y - height - gap}},
      strip{{all.min.x, all.max().y - height}, {all.size.x, height}};
  if (candidates) {
    const GeometryParameter& selected = geometry_parameter(layout.selected_number);
    candidates_.draw(frame, strip, {&selected, selected.step * layout.step_scale, pictures, 1});
  } else {
    corrections_.draw(frame, strip, layout.strip == "view");
  }
  return rest;
}

void Panes::draw_layout(Frame& frame, const Rect& all) {
  const std::string& panes = frame.next.layout.panes;
  if (panes == "volume") return volume_.draw(frame, all, oblique_, false);
  if (panes == "projections") return projections_.draw(frame, all);
  if (panes == "geometry") return volume_.draw(frame, all, oblique_, true);
  if (panes == "centers")
    return candidates_.draw(frame, all, {&geometry_parameter("center_shift"), frame.next.layout.center_step, 3, 3});
  if (draw_large(frame, all)) return;
  if (panes == "slices") return draw_slices(frame, all);
  if (frame.next.display.picture == "split" || frame.next.oblique.shown) return draw_four_and_more(frame, all);
  if (is_flat(frame.grid())) return draw_flat(frame, all);
  draw_four(frame, all);
}

bool Panes::draw_large(Frame& frame, const Rect& all) {
  const std::string& large = frame.next.layout.large;
  if (large == "axial") return axial_.draw(frame, all), true;
  if (large == "coronal") return coronal_.draw(frame, all), true;
  if (large == "sagittal") return sagittal_.draw(frame, all), true;
  if (large == "oblique" && frame.next.oblique.shown) return oblique_.draw(frame, all), true;
  if (large == "3-d") return volume_.draw(frame, all, oblique_, false), true;
  return false;
}

/// One large pane and two small ones: beside it in a wide window, below it in a tall one.
void Panes::draw_slices(Frame& frame, const Rect& all) {
  if (frame.next.oblique.shown) {
    const auto [first, second, third, fourth] = quarters(frame, all);
    axial_.draw(frame, first);
    coronal_.draw(frame, second);
    sagittal_.draw(frame, third);
    return oblique_.draw(frame, fourth);
  }
  const bool wide = all.size.x > all.size.y;
  const double across = wide ? all.size.y / all.size.x : all.size.x / all.size.y;
  const auto [large, rest] = divided(frame, all, wide, std::clamp(across, 0.5, 0.72));
  const auto [second, third] = divided(frame, rest, !wide);
  axial_.draw(frame, large);
  coronal_.draw(frame, second);
  sagittal_.draw(frame, third);
}

void Panes::draw_four(Frame& frame, const Rect& all) {
  const auto [first, second, third, fourth] = quarters(frame, all);
  axial_.draw(frame, first);
  coronal_.draw(frame, second);
  sagittal_.draw(frame, third);
  volume_.draw(frame, fourth, oblique_, false);
}

/// The slices above, of a sheet the axial one; below them the wide split picture, or the oblique slice and the volume.
void Panes::draw_four_and_more(Frame& frame, const Rect& all) {
  const float gap = 2 * frame.unit;
  const auto [upper, lower] = divided(frame, all, false);
  if (is_sheet(frame.grid())) {
    axial_.draw(frame, upper);
  } else {
    axial_.draw(frame, upper.column(0, 3, gap));
    coronal_.draw(frame, upper.column(1, 3, gap));
    sagittal_.draw(frame, upper.column(2, 3, gap));
  }
  if (frame.next.display.picture == "split") return volume_.draw(frame, lower, oblique_, false);
  const auto [left, right] = divided(frame, lower, true);
  oblique_.draw(frame, left);
  volume_.draw(frame, right, oblique_, false);
}

/// Two of the slices are only lines, or cannot be seen at all.
void Panes::draw_flat(Frame& frame, const Rect& all) {
  const auto [left, right] = divided(frame, all, true, 0.6);
  if (is_sheet(frame.grid())) {
    axial_.draw(frame, left);
    return volume_.draw(frame, right, oblique_, false);
  }
  const auto [upper, lower] = divided(frame, right, false, 0.64);
  const float gap = 2 * frame.unit;
  axial_.draw(frame, left);
  volume_.draw(frame, upper, oblique_, false);
  coronal_.draw(frame, lower.row(0, 2, gap));
  sagittal_.draw(frame, lower.row(1, 2, gap));
}

}  // namespace backlit::viewer
