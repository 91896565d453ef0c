#include "study/report/figures/svg.hpp"

#include <fmt/format.h>

#include <string_view>

#include "study/report/table.hpp"

namespace backlit::report {
namespace {

std::string points_text(const std::vector<Point>& points) {
  std::string text;
  for (const Point& p : points) text += fmt::format("{}{:.1f},{:.1f}", text.empty() ? "" : " ", p.x, p.y);
  return text;
}

/// Width of a character relative to the font size. Continuation bytes of a character have no width.
double width_of(char c) {
  constexpr std::string_view narrow = "iljtfr.,:;|'!()[] ", wide = "mwMW%@";
  const auto code = static_cast<unsigned char>(c);
  if ((code & 0xc0) == 0x80) return 0;
  if (narrow.find(c) != std::string_view::npos) return 0.38;
  if (wide.find(c) != std::string_view::npos) return 0.96;
  if (c >= 'A' && c <= 'Z') return 0.72;
  return c >= '0' && c <= '9' ? 0.64 : 0.62;
}

}  // namespace

Svg::Svg(double width, double height, const std::string& label) : width_(width), height_(height) {
  body_ = fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n", width, height,
                      escaped(label));
}

void Svg::line(Point a, Point b, const std::string& style) {
  body_ += fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", style, a.x,
                       a.y, b.x, b.y);
}

void Svg::curve(const std::vector<Point>& points, const std::string& style) {
  body_ += fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", style, points_text(points));
}

void Svg::polygon(const std::vector<Point>& points, const std::string& style) {
  body_ += fmt::format("<polygon class=\"{}\" points=\"{}\"/>\n", style, points_text(points));
}

void Svg::rectangle(Point corner, double width, double height, const std::string& style) {
  body_ += fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", style,
                       corner.x, corner.y, width, height);
}

void Svg::text(Point at, const std::string& text, const std::string& style, Anchor anchor) {
  const char* where = anchor == Anchor::middle ? " text-anchor=\"middle\""
                      : anchor == Anchor::end  ? " text-anchor=\"end\""
                                               : "";
  body_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", style, at.x, at.y, where,
                       escaped(text));
}

void Svg::begin(const std::string& style, const std::string& tip) {
  body_ += fmt::format("<g class=\"{}\">", style);
  if (!tip.empty()) body_ += "<title>" + escaped(tip) + "</title>";
}

void Svg::end() { body_ += "</g>\n"; }

std::string Svg::finish() const { return body_ + "</svg>\n"; }

double text_width(const std::string& text, double size) {
  double width = 0;
  for (const char c : text) width += width_of(c);
  return width * size;
}

std::string shortened(const std::string& text, double width, double size) {
  if (text_width(text, size) <= width) return text;
  std::string kept;
  double used = text_width("…", size);
  for (std::size_t i = 0; i < text.size(); ++i) {
    used += width_of(text[i]) * size;
    if (used > width && (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) break;
    kept += text[i];
  }
  while (!kept.empty() && (kept.back() == ' ' || kept.back() == ',')) kept.pop_back();
  return kept + "…";
}

}  // namespace backlit::report
