#include <backlit/render/line_plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <backlit/core/error.hpp>
#include "render/images/draw_line.hpp"
#include "render/images/text.hpp"

namespace backlit {
namespace {

constexpr Rgb grid_color{222, 222, 222};
constexpr double size = 14;  // px, of text
constexpr std::array<Rgb, 8> curve_colors{{{31, 95, 168},
                                           {200, 70, 30},
                                           {50, 130, 60},
                                           {130, 60, 150},
                                           {170, 130, 20},
                                           {90, 90, 90},
                                           {20, 160, 170},
                                           {210, 60, 130}}};

/// From values to pixels along one side of the picture.
struct Axis {
  double low, high;  ///< values at its ends
  double from, to;   ///< pixels
  bool logarithmic;

  double at(double value) const {
    const auto scaled = [&](double v) { return logarithmic ? std::log10(v) : v; };
    const double share = (scaled(value) - scaled(low)) / (scaled(high) - scaled(low));
    return from + share * (to - from);
  }
};

/// Draws a line of text that runs upwards and is centred at (x, y): drawn level in an image of its own, then turned.
void draw_upwards(Image& image, double x, double y, const std::string& text) {
  const TextStyle style{size, ink, Align::left};
  Image level(static_cast<std::int64_t>(text_width(text, style)) + 2, static_cast<std::int64_t>(1.3 * size), paper);
  draw_text(level, 0, 0, text, style);
  const auto left = static_cast<std::int64_t>(x), bottom = static_cast<std::int64_t>(y) + level.width / 2;
  for (std::int64_t j = 0; j < level.height; ++j)
    for (std::int64_t i = 0; i < level.width; ++i) image.blend(left + j, bottom - i, level.at(i, j), 1);
}

double round_step(double span) {
  const double decade = std::pow(10.0, std::floor(std::log10(span / 4)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade * 6 >= span) return factor * decade;
  return 10 * decade;
}

void draw_axes(Image& image, const Axis& x, const Axis& y, const PlotText& text) {
  const TextStyle below{size, ink, Align::center}, left{size, ink, Align::right};
  for (const double tick : round_ticks(x.low, x.high, x.logarithmic)) {
    draw_line(image, x.at(tick), y.from, x.at(tick), y.to, grid_color, 1);
    draw_text(image, x.at(tick), y.from + 0.5 * size, fmt::format("{:g}", tick), below);
  }
  for (const double tick : round_ticks(y.low, y.high, y.logarithmic)) {
    draw_line(image, x.from, y.at(tick), x.to, y.at(tick), grid_color, 1);
    draw_text(image, x.from - 0.6 * size, y.at(tick) - 0.4 * size, fmt::format("{:g}", tick), left);
  }
  draw_line(image, x.from, y.from, x.to, y.from, ink, 1);
  draw_line(image, x.from, y.from, x.from, y.to, ink, 1);
  draw_text(image, (x.from + x.to) / 2, y.from + 2 * size, text.x_label, below);
  draw_upwards(image, 0.5 * size, (y.from + y.to) / 2, text.y_label);
  draw_text(image, (x.from + x.to) / 2, 0.8 * size, text.title, {1.15 * size, ink, Align::center});
}

using Points = std::vector<std::pair<double, double>>;

void draw_curve(Image& image, const Points& points, const Axis& across, const Axis& up, Rgb color) {
  for (std::size_t i = 1; i < points.size(); ++i)
    draw_line(image, across.at(points[i - 1].first), up.at(points[i - 1].second), across.at(points[i].first),
              up.at(points[i].second), color, 2);
  for (const auto& [x, y] : points)
    if (points.size() <= 60) draw_line(image, across.at(x), up.at(y), across.at(x), up.at(y), color, 6);
}

struct Box {
  double left, top, width, height;
  bool holds(double x, double y) const { return x >= left && x <= left + width && y >= top && y <= top + height; }
};

/// The corner where the list of names hides the least of the curves. Of equals, the top ones come first.
Box emptiest_corner(const std::vector<Points>& curves, const Axis& across, const Axis& up, double width,
                    double height) {
  const double right = across.to - width - 0.4 * size, bottom = up.from - height - 0.4 * size;
  Box best{};
  std::int64_t fewest = -1;
  for (const auto& [left, top] : {std::pair{across.from + 0.6 * size, up.to + 0.4 * size},
                                  {right, up.to + 0.4 * size},
                                  {right, bottom},
                                  {across.from + 0.6 * size, bottom}}) {
    const Box box{left, top, width, height};
    std::int64_t hidden = 0;
    for (const Points& points : curves)
      for (std::size_t i = 1; i < points.size(); ++i)
        for (int part = 0; part < 16; ++part) {
          const double share = part / 16.0, rest = 1 - share;
          hidden += box.holds(across.at(rest * points[i - 1].first + share * points[i].first),
                              up.at(rest * points[i - 1].second + share * points[i].second));
        }
    if (fewest >= 0 && hidden >= fewest) continue;
    fewest = hidden;
    best = box;
  }
  return best;
}

void draw_names(Image& image, std::span<const Curve> curves, const std::vector<Points>& points, const Axis& across,
                const Axis& up) {
  double width = 0, lines = 0;
  for (const Curve& curve : curves) {
    if (curve.name.empty()) continue;
    width = std::max(width, text_width(curve.name, {0.9 * size, ink, Align::left}));
    ++lines;
  }
  if (lines == 0) return;
  const Box box = emptiest_corner(points, across, up, width, 1.2 * size * lines);
  for (auto y = static_cast<std::int64_t>(box.top); y < static_cast<std::int64_t>(box.top + box.height); ++y)
    for (auto x = static_cast<std::int64_t>(box.left) - 2; x < static_cast<std::int64_t>(box.left + width) + 2; ++x)
      image.blend(x, y, paper, 0.7);
  double line = box.top;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (curves[i].name.empty()) continue;
    draw_text(image, box.left, line, curves[i].name, {0.9 * size, curve_colors[i % curve_colors.size()], Align::left});
    line += 1.2 * size;
  }
}

/// Least and greatest value of a list, made to differ where they are equal.
std::pair<double, double> range_of(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  const double apart = *most > *least ? *most - *least : std::max(1e-9, 0.1 * std::abs(*most));
  return {*least, *least + apart};
}

/// The points of each curve that are finite and above `floor`. Throws InputError when there is none.
std::vector<Points> drawable(std::span<const Curve> curves, double floor) {
  std::vector<Points> kept;
  bool any = false;
  for (const Curve& curve : curves) {
    Points& points = kept.emplace_back();
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i)
      if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]) && curve.x[i] > floor && curve.y[i] > floor)
        points.emplace_back(curve.x[i], curve.y[i]);
    any = any || !points.empty();
  }
  if (!any) throw InputError("plot", "there is no finite value", "there is nothing to draw");
  return kept;
}

std::pair<std::vector<double>, std::vector<double>> values_of(const std::vector<Points>& curves) {
  std::vector<double> xs, ys;
  for (const Points& points : curves)
    for (const auto& [x, y] : points) {
      xs.push_back(x);
      ys.push_back(y);
    }
  return {xs, ys};
}

/// A picture of the plot: axes of these ranges, curves and their names.
Image draw_plot(std::span<const Curve> curves, const std::vector<Points>& points, const PlotText& text, Axis across,
                Axis up, std::int64_t width, std::int64_t height) {
  across.from = 6.2 * size;
  across.to = static_cast<double>(width) - 1.5 * size;
  up.from = static_cast<double>(height) - 3.6 * size;
  up.to = 2.8 * size;
  Image image(width, height, paper);
  draw_axes(image, across, up, text);
  for (std::size_t i = 0; i < points.size(); ++i)
    draw_curve(image, points[i], across, up, curve_colors[i % curve_colors.size()]);
  draw_names(image, curves, points, across, up);
  return image;
}

}  // namespace

std::vector<double> round_ticks(double low, double high, bool logarithmic) {
  std::vector<double> ticks;
  if (logarithmic) {
    const bool decades = high >= 300 * low;
    for (double decade = std::pow(10.0, std::floor(std::log10(low))); decade <= high * (1 + 1e-9); decade *= 10)
      for (const double factor : {1.0, 2.0, 5.0})
        if ((factor == 1 || !decades) && factor * decade >= low * (1 - 1e-9) && factor * decade <= high * (1 + 1e-9))
          ticks.push_back(factor * decade);
    return ticks;
  }
  const double step = round_step(high - low);
  for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n)
    ticks.push_back(n * step + 0.0);  // not -0
  return ticks;
}

Image plot_logarithmic(std::span<const double> x, std::span<const double> y, const PlotText& text, std::int64_t width,
                       std::int64_t height) {
  Points points;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    if (std::isfinite(x[i]) && std::isfinite(y[i]) && y[i] > 0) points.emplace_back(x[i], y[i]);
  if (points.empty()) throw InputError("plot", "no value is larger than 0", "there is nothing to draw");
  const auto [left, right] = std::ranges::minmax_element(points);
  const auto [least, most] = std::ranges::minmax_element(points, {}, [](const auto& point) { return point.second; });
  // A mark at least at each end of the scale.
  const double low = std::pow(10.0, std::floor(std::log10(least->second) * 3 - 1e-9) / 3);
  const double high = std::max(std::pow(10.0, std::ceil(std::log10(most->second) * 3 + 1e-9) / 3), 2.2 * low);
  const double widest = right->first > left->first ? right->first : left->first + 1;
  const Axis across{left->first, widest, 6.2 * size, static_cast<double>(width) - 1.5 * size, false};
  const Axis up{low, high, static_cast<double>(height) - 3.6 * size, 2.8 * size, true};
  Image image(width, height, paper);
  draw_axes(image, across, up, text);
  draw_curve(image, points, across, up, curve_colors[0]);
  return image;
}

Image plot_curves(std::span<const Curve> curves, const PlotText& text, bool from_zero, std::int64_t width,
                  std::int64_t height) {
  const std::vector<Points> kept = drawable(curves, -std::numeric_limits<double>::infinity());
  auto [xs, ys] = values_of(kept);
  if (from_zero) ys.push_back(0);
  const auto [left, right] = range_of(xs);
  const auto [low, high] = range_of(ys);
  const double room = 0.04 * (high - low);
  return draw_plot(curves, kept, text, {left, right, 0, 0, false},
                   {from_zero && low == 0 ? 0 : low - room, high + room, 0, 0, false}, width, height);
}

Image plot_curves_logarithmic(std::span<const Curve> curves, const PlotText& text, std::int64_t width,
                              std::int64_t height) {
  const std::vector<Points> kept = drawable(curves, 0);
  const auto axis = [](const std::vector<double>& values) {
    const auto [least, most] = std::ranges::minmax_element(values);
    return Axis{0.9 * *least, std::max(1.1 * *most, 2.2 * *least), 0, 0, true};
  };
  const auto [xs, ys] = values_of(kept);
  return draw_plot(curves, kept, text, axis(xs), axis(ys), width, height);
}

}  // namespace backlit
