#include "study/report/figures/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "study/report/selection.hpp"

namespace backlit::report {
namespace {

constexpr std::size_t styles = 8;

/// Corners of the marks' shapes, which have about equal area.
std::vector<Point> regular(int corners, double radius, double turn) {
  std::vector<Point> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * (i + turn) / corners;
    points.push_back({radius * std::sin(angle), -radius * std::cos(angle)});
  }
  return points;
}

std::vector<Point> shape_of(std::size_t shape) {
  switch (shape % styles) {
    case 0:
      return regular(20, 4, 0);  // close enough to a circle
    case 1:
      return regular(4, 5, 0.5);
    case 2:
      return regular(4, 5.2, 0);
    case 3:
      return regular(3, 5.6, 0);
    case 4:
      return regular(3, 5.6, 0.5);
    case 5: {
      constexpr double a = 1.6, b = 4.8;
      return {{-a, -b}, {a, -b}, {a, -a}, {b, -a}, {b, a},   {a, a},
              {a, b},   {-a, b}, {-a, a}, {-b, a}, {-b, -a}, {-a, -a}};
    }
    case 6:
      return regular(6, 4.6, 0);
    default:
      return regular(5, 4.8, 0);
  }
}

constexpr double legend_row = 17, legend_gap = 14, legend_mark = 14;

/// Positions of the entries of a legend; rows wrap at `width`.
std::vector<Point> legend_places(const std::vector<LegendEntry>& entries, double width) {
  std::vector<Point> places;
  Point next{0, 0};
  for (const LegendEntry& entry : entries) {
    const double taken = legend_mark + text_width(entry.text, small_text) + legend_gap;
    if (next.x > 0 && next.x + taken - legend_gap > width) next = {0, next.y + legend_row};
    places.push_back(next);
    next.x += taken;
  }
  return places;
}

double widest_tick(const Scale& scale) {
  double widest = 0;
  for (const double tick : scale.ticks) widest = std::max(widest, text_width(tick_text(tick), small_text));
  return widest;
}

}  // namespace

Palette::Palette(const StudyResult& result) {
  std::size_t others = rank_of("");
  const auto add = [&](const std::string& name) {
    if (known_.contains(name)) return;
    const std::size_t ours = rank_of(name);
    known_[name] = ours < rank_of("") ? ours : std::min(others++, styles - 1);
  };
  for (const StudyCell& cell : result.cells) add(cell.architecture);
  for (const StudyProfile& profile : result.profiles) add(profile.architecture);
}

std::size_t Palette::index(const std::string& architecture) const {
  const auto found = known_.find(architecture);
  return found == known_.end() ? std::min(rank_of(architecture), styles - 1) : found->second;
}

std::string Palette::style(const std::string& architecture) const { return fmt::format("s{}", index(architecture)); }

void draw_mark(Svg& svg, Point at, const std::string& style, std::size_t shape, bool hollow) {
  std::vector<Point> corners = shape_of(shape);
  for (Point& p : corners) p = {at.x + p.x, at.y + p.y};
  svg.polygon(corners, style + (hollow ? " mark hollow" : " mark"));
}

double legend_height(const std::vector<LegendEntry>& entries, double width) {
  return entries.empty() ? 0 : legend_places(entries, width).back().y + legend_row;
}

void draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, double width) {
  const std::vector<Point> places = legend_places(entries, width);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Point middle{places[i].x + 6, places[i].y + 8};
    if (entries[i].line)
      svg.line({middle.x - 6, middle.y}, {middle.x + 5, middle.y}, entries[i].style);
    else
      draw_mark(svg, middle, entries[i].style, entries[i].shape, false);
    svg.text({places[i].x + legend_mark, places[i].y + 12}, entries[i].text, "t");
  }
}

Plot::Plot(const PlotText& text, Scale x, Scale y, const std::vector<LegendEntry>& legend, double height, double right)
    : x_(std::move(x)),
      y_(std::move(y)),
      left_(widest_tick(y_) + 10),
      right_(plot_width - right),
      top_(legend_height(legend, plot_width - 4) + 26),
      bottom_(top_ + height),
      svg_(plot_width, bottom_ + 38, text.title) {
  draw_legend(svg_, legend, plot_width - 4);
  draw_y_axis(text.y_label);
  draw_x_axis(text.x_label);
}

void Plot::draw_y_axis(const std::string& label) {
  svg_.text({0, top_ - 10}, label, "l");
  for (const double tick : y_.ticks) {
    const double y = at(x_.low, tick).y;
    svg_.line({left_, y}, {right_, y}, "grid");
    svg_.text({left_ - 6, y + 4}, tick_text(tick), "t", Anchor::end);
  }
}

void Plot::draw_x_axis(const std::string& label) {
  svg_.line({left_, bottom_}, {right_, bottom_}, "axis");
  double taken = -1e9;
  for (const double tick : x_.ticks) {
    const std::string text = tick_text(tick);
    const double half = text_width(text, small_text) / 2;
    const double exact = at(tick, y_.low).x, x = std::min(exact, plot_width - half - 1);
    svg_.line({exact, bottom_}, {exact, bottom_ + 4}, "axis");
    if (x - half < taken + 5) continue;
    svg_.text({x, bottom_ + 16}, text, "t", Anchor::middle);
    taken = x + half;
  }
  svg_.text({right_, bottom_ + 33}, label, "l", Anchor::end);
}

Point Plot::at(double x, double y) const {
  return {left_ + x_.share(x) * (right_ - left_), bottom_ - y_.share(y) * (bottom_ - top_)};
}

void Plot::mark(double x, double y, const std::string& style, std::size_t shape, bool hollow, const std::string& tip) {
  svg_.begin("tip", tip);
  draw_mark(svg_, at(x, y), style, shape, hollow);
  svg_.end();
}

void Plot::whisker(double x, double low, double high, const std::string& style) {
  const auto inside = [&](double v) { return std::clamp(v, y_.low, y_.high); };
  svg_.line(at(x, inside(low)), at(x, inside(high)), style + " whisker");
}

void Plot::curve(const std::vector<double>& x, const std::vector<double>& y, const std::string& style) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    if (std::isfinite(x[i]) && std::isfinite(y[i])) points.push_back(at(x[i], y[i]));
  if (!points.empty()) svg_.curve(points, style);
}

}  // namespace backlit::report
