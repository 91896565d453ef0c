// The text of an SVG picture inside a page, whose style sheet gives its classes their looks.
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
  /// Pixels of the view box; the page scales it. `label` is what a screen reader says.
  Svg(double width, double height, const std::string& label);

  void line(Point from, Point to, const std::string& style);
  void curve(const std::vector<Point>&, const std::string& style);
  void polygon(const std::vector<Point>&, const std::string& style);
  void rectangle(Point corner, double width, double height, const std::string& style);
  void text(Point, const std::string&, const std::string& style, Anchor = Anchor::start);
  /// What is drawn until end() belongs together; `tip` shows where a mouse rests on it.
  void begin(const std::string& style, const std::string& tip = {});
  void end();

  double width() const { return width_; }
  double height() const { return height_; }
  std::string finish() const;

 private:
  double width_, height_;
  std::string body_;
};

/// How wide a text is at most in usual sans serif fonts of `size` pixels: browsers choose the font, so it is measured
/// generously.
double text_width(const std::string&, double size);
/// Cut with "…" where it is wider than that.
std::string shortened(const std::string&, double width, double size);

}  // namespace backlit::report
