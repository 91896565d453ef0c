#include <backlit/render/contact_sheet.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/render/annotate.hpp>
#include <backlit/render/plane.hpp>
#include "render/images/text.hpp"

namespace backlit {
namespace {

constexpr Rgb background{24, 24, 28};
constexpr Rgb bright{235, 235, 235};
constexpr Rgb soft{170, 170, 170};

/// One column of the sheet: a volume, its window and its colours.
struct Column {
  std::string title, remark;
  const Volume* volume;
  Window window;
  const Colormap* map;
};

struct Row {
  const char* name;
  Axis axis;
};
constexpr std::array<Row, 3> all_rows{{{"Axial", Axis::z}, {"Coronal", Axis::y}, {"Sagittal", Axis::x}}};

Volume difference(const Volume& a, const Volume& b) {
  if (a.grid.size != b.grid.size)
    throw InputError("truth",
                     fmt::format("{} x {} x {} voxels, the volume has {} x {} x {}", b.grid.size[0], b.grid.size[1],
                                 b.grid.size[2], a.grid.size[0], a.grid.size[1], a.grid.size[2]),
                     "both must have the same grid");
  Volume d(a.grid);
  parallel_chunks(d.values.size(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) d.values[i] = a.values[i] - b.values[i];
  });
  return d;
}

double root_mean_square(const Volume& v) {
  const double squares = parallel_sum(v.values.size(), [&](std::int64_t begin, std::int64_t end) {
    double s = 0;
    for (std::int64_t i = begin; i < end; ++i) s += static_cast<double>(v.values[i]) * v.values[i];
    return s;
  });
  return std::sqrt(squares / static_cast<double>(v.values.size()));
}

std::vector<Column> columns_of(const Volume& volume, const Volume* truth, const Volume& error, const SheetOptions& o) {
  const Colormap& gray = colormap("gray");
  const Window wide = o.window.value_or(percentile_window(volume.values.span(), 0.1, 99.9));
  std::vector<Column> list{{"Reconstruction", "", &volume, wide, &gray}};
  if (o.narrow) list.push_back({"Reconstruction", "narrow window", &volume, *o.narrow, &gray});
  if (!truth) return list;
  const Window shown = o.narrow.value_or(wide);
  list.push_back({"Truth", o.narrow ? "narrow window" : "", truth, shown, &gray});
  const double reach = (shown.high - shown.low) / 2;
  list.push_back({"Difference",
                  fmt::format("RMSE {:.3g} {}", root_mean_square(error), o.unit),
                  &error,
                  {-reach, reach},
                  &colormap("difference")});
  return list;
}

/// Pixel measures of the page; everything follows from the text size and the panels.
struct Page {
  double text, mm_per_pixel;
  std::int64_t margin, gap, head, foot, label, panel_width;
  std::vector<Row> rows;
  std::vector<std::int64_t> panel_height;  ///< height of each row's panels
};

Page layout(const VolumeGrid& grid, const SheetOptions& o) {
  const Vec3 extent = grid.upper() - grid.lower();
  Page p{};
  p.mm_per_pixel = std::max({extent.x, extent.y, extent.z}) / static_cast<double>(o.panel);
  const auto px = [&](double mm) { return std::max<std::int64_t>(1, std::llround(mm / p.mm_per_pixel)); };
  p.text = std::clamp(static_cast<double>(o.panel) / 17, 11.0, 40.0);
  const auto em = static_cast<std::int64_t>(p.text);
  p.margin = em;
  p.gap = std::max<std::int64_t>(2, em / 2);
  p.head = 3 * em;
  p.foot = 5 * em / 2;
  p.label = 7 * em;
  p.panel_width = std::max({px(extent.x), px(extent.y), 12 * em});
  const std::int64_t least = 5 * em / 2;  // two lines of text stand beside each row
  const auto add_rows = [&](std::int64_t thinnest) {
    for (const Row& row : all_rows) {
      const std::int64_t width = px(row.axis == Axis::x ? extent.y : extent.x);
      const std::int64_t height = px(row.axis == Axis::z ? extent.y : extent.z);
      if (std::min(width, height) < thinnest) continue;
      p.rows.push_back(row);
      p.panel_height.push_back(std::max(height, least));
    }
  };
  add_rows(em);
  if (p.rows.empty()) add_rows(0);
  return p;
}

}  // namespace

Image contact_sheet(const Volume& volume, const Volume* truth, const SheetOptions& o) {
  const Volume error = truth ? difference(volume, *truth) : Volume();
  const auto columns = columns_of(volume, truth, error, o);
  const Page p = layout(volume.grid, o);
  const auto count = static_cast<std::int64_t>(columns.size());
  const std::int64_t top = p.margin + (o.title.empty() ? 0 : 2 * static_cast<std::int64_t>(p.text)) + p.head;
  std::int64_t bottom = top;
  for (const auto h : p.panel_height) bottom += h + p.gap;
  Image page(2 * p.margin + p.label + count * p.panel_width + (count - 1) * p.gap, bottom + p.foot + p.margin,
             background);
  if (!o.title.empty())
    draw_text(page, static_cast<double>(p.margin), static_cast<double>(p.margin), o.title, {1.2 * p.text, bright});

  const Vec3 at = o.position.value_or(volume.grid.center);
  std::int64_t x = p.margin + p.label;
  for (const auto& column : columns) {
    const double middle = static_cast<double>(x) + static_cast<double>(p.panel_width) / 2;
    const double head = static_cast<double>(top - p.head);
    draw_text(page, middle, head, column.title, {p.text, bright, Align::center});
    draw_text(page, middle, head + 1.35 * p.text, column.remark, {p.text, soft, Align::center});
    std::int64_t y = top;
    for (std::size_t r = 0; r < p.rows.size(); ++r) {
      const Plane plane = extract_slice(*column.volume, p.rows[r].axis, at[static_cast<int>(p.rows[r].axis)]);
      const Image picture = colorize(plane, column.window, *column.map, p.mm_per_pixel);
      page.fill(x, y, p.panel_width, p.panel_height[r], column.map->at(column.map->stops.size() == 2 ? 0 : 0.5));
      page.paste(picture, x + (p.panel_width - picture.width) / 2, y + (p.panel_height[r] - picture.height) / 2);
      y += p.panel_height[r] + p.gap;
    }
    draw_color_bar(page, x + 1, bottom + p.gap, p.panel_width - 2, static_cast<std::int64_t>(0.7 * p.text),
                   column.window, *column.map, o.unit, 0.9 * p.text);
    x += p.panel_width + p.gap;
  }

  std::int64_t y = top;
  for (std::size_t r = 0; r < p.rows.size(); ++r) {
    const int a = static_cast<int>(p.rows[r].axis);
    const double middle = static_cast<double>(y) + static_cast<double>(p.panel_height[r]) / 2;
    draw_text(page, static_cast<double>(p.margin), middle - 1.2 * p.text, p.rows[r].name, {p.text, bright});
    draw_text(page, static_cast<double>(p.margin), middle + 0.2 * p.text,
              fmt::format("{} {:.4g} {}", "xyz"[a], at[a], o.length_unit), {0.85 * p.text, soft});
    y += p.panel_height[r] + p.gap;
  }
  draw_scale_bar(page, p.margin + p.label + p.panel_width - p.gap, top + p.panel_height[0] - p.gap, p.panel_width,
                 p.mm_per_pixel, 0.9 * p.text, o.length_unit);
  return page;
}

}  // namespace backlit
