// The text of an SVG picture in a page; the page's style sheet defines its classes.
#pragma once

#include <string>
#include <vector>

namespace backlit::report {

struct Point {
  double x, y;
};

enum class Anchor { start, middle, end };

class Svg {
 public:
  /// Size in pixels of the view box; the page scales it. `label` is for screen readers.
  Svg(double width, double height, const std::string& label);

  void line(Point from, Point to, const std::string& style);
  void curve(const std::vector<Point>&, const std::string& style);
  void polygon(const std::vector<Point>&, const std::string& style);
  void rectangle(Point corner, double width, double height, const std::string& style);
  void text(Point, const std::string&, const std::string& style, Anchor = Anchor::start);
  /// Groups all shapes until end(); `tip` is their tooltip.
  void begin(const std::string& style, const std::string& tip = {});
  void end();

  double width() const { return width_; }
  double height() const { return height_; }
  std::string finish() const;

 private:
  double width_, height_;
  std::string body_;
};

/// Upper estimate of the width of a text in usual sans serif fonts of `size` pixels; the browser chooses the font.
double text_width(const std::string&, double size);
/// Cuts the text with "…" if it is wider than `width`.
std::string shortened(const std::string&, double width, double size);

}  // namespace backlit::report
