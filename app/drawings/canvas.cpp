#include "drawings/canvas.hpp"

#include <fmt/format.h>

#include <cmath>

#include <backlit/core/atomic_file.hpp>
#include <backlit/geometry/types.hpp>

namespace backlit::drawings {
namespace {

constexpr double margin = 12, title_height = 30;

std::string attributes(const Style& s) {
  std::string text = fmt::format("stroke=\"{}\" stroke-width=\"{:g}\" fill=\"{}\"", s.stroke, s.width, s.fill);
  if (*s.dash) text += fmt::format(" stroke-dasharray=\"{}\"", s.dash);
  if (s.opacity < 1) text += fmt::format(" opacity=\"{:g}\"", s.opacity);
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

}  // namespace

Canvas::Canvas(Vec2 low, Vec2 high, double scale, const std::string& title)
    : low_(low), high_(high), scale_(scale), title_(title) {}

Vec2 Canvas::page(Vec2 w) const {
  return {margin + (w.x - low_.x) * scale_, margin + title_height + (high_.y - w.y) * scale_};
}

void Canvas::line(const std::vector<Vec2>& points, const Style& style, bool closed) {
  std::string list;
  for (Vec2 p : points) {
    p = page(p);
    list += fmt::format("{:.2f},{:.2f} ", p.x, p.y);
  }
  body_ += fmt::format("<poly{} points=\"{}\" stroke-linejoin=\"round\" {}/>\n", closed ? "gon" : "line", list,
                       attributes(style));
}

void Canvas::head(Vec2 from, Vec2 to, const char* color) {
  const Vec2 a = page(from), b = page(to), along = glm::normalize(b - a), across(-along.y, along.x);
  const Vec2 left = b - 10.0 * along + 4.0 * across, right = b - 10.0 * along - 4.0 * across;
  body_ += fmt::format("<polygon points=\"{:.2f},{:.2f} {:.2f},{:.2f} {:.2f},{:.2f}\" fill=\"{}\"/>\n", b.x, b.y,
                       left.x, left.y, right.x, right.y, color);
}

void Canvas::arrow(Vec2 from, Vec2 to, const Style& style) {
  line({from, to - glm::normalize(to - from) * (6 / scale_)}, style);
  head(from, to, style.stroke);
}

void Canvas::circle(Vec2 center, double radius, const Style& style) {
  const Vec2 c = page(center);
  body_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" {}/>\n", c.x, c.y, radius * scale_,
                       attributes(style));
}

void Canvas::dot(Vec2 at, const char* color, double pixels) { circle(at, pixels / scale_, {color, 0, color}); }

void Canvas::arc(Vec2 center, double radius, double from_deg, double to_deg, const Style& style, bool arrow_head) {
  std::vector<Vec2> points;
  for (int i = 0; i <= 60; ++i) {
    const double a = (from_deg + (to_deg - from_deg) * i / 60) * radians_per_degree;
    points.push_back(center + radius * Vec2(std::cos(a), std::sin(a)));
  }
  line(points, style);
  if (arrow_head) head(points[56], points[60], style.stroke);
}

void Canvas::dimension(Vec2 from, Vec2 to, const std::string& words, Vec2 side) {
  line({from, to}, thin);
  head(to, from, thin.stroke);
  head(from, to, thin.stroke);
  text(0.5 * (from + to), words, side, "middle", "#555");
}

void Canvas::text(Vec2 at, const std::string& words, Vec2 shift, const char* anchor, const char* color, double size) {
  const Vec2 p = page(at);
  body_ += fmt::format(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" font-size=\"{:g}\" fill=\"{}\" stroke=\"#fff\" "
      "stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\">{}</text>\n",
      p.x + shift.x, p.y - shift.y + 0.35 * size, anchor, size, color, escaped(words));
}

std::string Canvas::svg() const {
  const Vec2 size = (high_ - low_) * scale_ + Vec2(2 * margin, 2 * margin + title_height);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "font-family=\"DejaVu Sans, Verdana, sans-serif\">\n<title>{2}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"{3:.0f}\" y=\"{4:.0f}\" font-size=\"16\" font-weight=\"bold\" fill=\"#222\">{2}</text>\n{5}</svg>\n",
      size.x, size.y, escaped(title_), margin, margin + 14, body_);
}

void Canvas::write(const std::filesystem::path& file) const { write_text(file, svg()); }

}  // namespace backlit::drawings
