#include <backlit/render/scan_plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <backlit/core/error.hpp>
#include <backlit/render/annotate.hpp>
#include "render/images/draw_line.hpp"
#include "render/images/text.hpp"

namespace backlit {
namespace {

using Vec2 = glm::dvec2;

constexpr Rgb path_color{181, 101, 29}, detector_color{31, 95, 168}, faint{190, 208, 228}, beam_color{228, 190, 110},
    volume_color{130, 90, 180}, axis_color{150, 150, 150};
constexpr double text_size = 14;

/// Converts millimetres to pixels of one panel.
class Panel {
 public:
  Panel(Image& image, double left, double size, const Vec3& across, const Vec3& up)
      : image_(image), left_(left), size_(size), across_(across), up_(up) {}

  void include(const Vec3& p) {
    low_ = glm::min(low_, flat(p));
    high_ = glm::max(high_, flat(p));
  }
  /// Call it after all visible points were included.
  void settle(double mm_per_pixel) { mm_per_pixel_ = mm_per_pixel; }
  double needed() const {
    const Vec2 extent = high_ - low_;
    return std::max({extent.x, extent.y, 1e-9}) / (size_ - 90);
  }

  void line(const Vec3& a, const Vec3& b, Rgb color, double width) {
    const Vec2 p = at(a), q = at(b);
    draw_line(image_, p.x, p.y, q.x, q.y, color, width);
  }
  void dot(const Vec3& p, Rgb color, double width) { line(p, p, color, width); }
  void arrow(const Vec3& from, const Vec3& to, Rgb color) {
    const Vec2 tip = at(to), direction = tip - at(from);
    if (glm::length(direction) < 1e-6) return;
    const Vec2 back = -9.0 * glm::normalize(direction), side = 0.5 * Vec2(-back.y, back.x);
    for (const double s : {-1.0, 1.0})
      draw_line(image_, tip.x, tip.y, tip.x + back.x + s * side.x, tip.y + back.y + s * side.y, color, 2);
  }
  void text(const Vec3& p, const std::string& words, Rgb color, double dy = -18) {
    const Vec2 where = at(p);
    const TextStyle style{text_size, color, Align::left};
    const double x = std::min(where.x + 7, left_ + size_ - text_width(words, style) - 4);
    draw_text(image_, std::max(left_, x), std::clamp(where.y + dy, 30.0, size_), words, style);
  }

 private:
  Vec2 flat(const Vec3& p) const { return {glm::dot(p, across_), glm::dot(p, up_)}; }
  Vec2 at(const Vec3& p) const {
    const Vec2 moved = (flat(p) - 0.5 * (low_ + high_)) / mm_per_pixel_;
    return {left_ + 0.5 * size_ + moved.x, 0.5 * size_ + 10 - moved.y};
  }

  Image& image_;
  double left_, size_, mm_per_pixel_ = 1;
  Vec3 across_, up_;
  Vec2 low_{1e300}, high_{-1e300};
};

struct Drawing {
  const Scan& scan;
  const VolumeGrid& grid;
  double reach;  ///< mm from the detector to where drawn parallel rays begin

  Vec3 source(const View& view) const {
    return view.beam == Beam::cone ? view.source : view.center - reach * view.direction;
  }
  Vec3 corner(const View& view, int i) const {
    const Detector& d = scan.detector;
    return detector_point(d, view, i & 1 ? static_cast<double>(d.columns) - 0.5 : -0.5,
                          i & 2 ? static_cast<double>(d.rows) - 0.5 : -0.5);
  }
  Vec3 ray_begin(const View& view, int i) const {
    return view.beam == Beam::parallel ? corner(view, i) - reach * view.direction : view.source;
  }
  Vec3 box(int i) const {
    const Vec3 low = grid.lower(), high = grid.upper();
    return {i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
  }

  void include(Panel& panel) const {
    const std::size_t stride = std::max<std::size_t>(1, scan.views.size() / 240);
    for (std::size_t i = 0; i < scan.views.size(); i += stride) {
      panel.include(source(scan.views[i]));
      for (int c = 0; c < 4; ++c) panel.include(corner(scan.views[i], c));
    }
    for (int c = 0; c < 4; ++c) panel.include(ray_begin(scan.views.front(), c));
    for (int i = 0; i < 8; ++i) panel.include(box(i));
  }

  void detector(Panel& panel, const View& view, Rgb color, double width) const {
    const Detector& d = scan.detector;
    constexpr int pieces = 24;
    for (const double row : {-0.5, static_cast<double>(d.rows) - 0.5})
      for (int i = 0; i < pieces; ++i) {
        const auto column = [&](int k) { return -0.5 + static_cast<double>(d.columns) * k / pieces; };
        panel.line(detector_point(d, view, column(i), row), detector_point(d, view, column(i + 1), row), color, width);
      }
    for (const int c : {0, 1}) panel.line(corner(view, c), corner(view, c + 2), color, width);
  }

  void draw(Panel& panel) const {
    const View& first = scan.views.front();
    const std::size_t some = std::max<std::size_t>(1, scan.views.size() / 12);
    for (std::size_t i = some; i < scan.views.size(); i += some) detector(panel, scan.views[i], faint, 1);
    for (int i = 0; i < 8; ++i)
      for (const int side : {1, 2, 4})
        if (!(i & side)) panel.line(box(i), box(i | side), volume_color, 1.5);
    const std::size_t stride = std::max<std::size_t>(1, scan.views.size() / 360);
    for (std::size_t i = stride; i < scan.views.size(); i += stride) {
      panel.line(source(scan.views[i - stride]), source(scan.views[i]), path_color, 2);
      if (i / stride == 1 + scan.views.size() / stride / 8)
        panel.arrow(source(scan.views[i - stride]), source(scan.views[i]), path_color);
    }
    const Vec3 from = source(first);
    for (int c = 0; c < 4; ++c) panel.line(ray_begin(first, c), corner(first, c), beam_color, 1);
    detector(panel, first, detector_color, 2.5);
    panel.dot(corner(first, 0), detector_color, 8);
    panel.text(corner(first, 0), "pixel (0, 0)", detector_color);
    panel.dot(from, path_color, 9);
    panel.text(from, "source, view 0", path_color, 5);
    panel.line({0, 0, grid.lower().z}, {0, 0, grid.upper().z}, axis_color, 2);
    panel.dot({0, 0, 0}, axis_color, 6);
  }
};

}  // namespace

Image plot_scan(const Scan& scan, const VolumeGrid& grid, std::int64_t panel_size) {
  if (scan.views.empty()) throw InputError("plot", "the scan has no views");
  const auto size = static_cast<double>(panel_size);
  Image image(2 * panel_size, panel_size + 30, paper);
  const Detector& d = scan.detector;
  const Vec3 extent = grid.upper() - grid.lower();
  const Drawing drawing{scan, grid,
                        1.2 * std::max({static_cast<double>(d.columns) * d.pixel_u,
                                        static_cast<double>(d.rows) * d.pixel_v, extent.x, extent.y})};
  Vec3 out = drawing.source(scan.views.front()) * Vec3(1, 1, 0);
  out = glm::length(out) > 0 ? glm::normalize(out) : Vec3(1, 0, 0);
  Panel above(image, 0, size, {1, 0, 0}, {0, 1, 0}), side(image, size, size, -out, {0, 0, 1});
  double mm_per_pixel = 0;
  for (Panel* panel : {&above, &side}) {
    drawing.include(*panel);
    mm_per_pixel = std::max(mm_per_pixel, panel->needed());
  }
  for (Panel* panel : {&above, &side}) {
    panel->settle(mm_per_pixel);
    drawing.draw(*panel);
  }
  const TextStyle title{text_size, ink, Align::center};
  draw_text(image, 0.5 * size, 8, "from above: x to the right, y up", title);
  draw_text(image, 1.5 * size, 8, "from the side: source of view 0 left, z up", title);
  // The usual scale bar is white and would not show on paper.
  const double length = round_length(0.3 * size * mm_per_pixel), pixels = length / mm_per_pixel;
  const double right = 2 * size - 20, bottom = static_cast<double>(image.height) - 12;
  draw_line(image, right - pixels, bottom, right, bottom, ink, 3);
  draw_text(image, right - 0.5 * pixels, bottom - 20, fmt::format("{:g} mm", length), title);
  return image;
}

}  // namespace backlit
