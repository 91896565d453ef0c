// A small SVG canvas: world points in, millimetres scaled to the page, y up.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <glm/glm.hpp>

namespace backlit::drawings {

using Vec2 = glm::dvec2;

struct Style {
  const char* stroke = "#222";
  double width = 1.4;
  const char* fill = "none";
  const char* dash = "";  ///< SVG's stroke-dasharray
  double opacity = 1;
};

inline constexpr Style solid{};
inline constexpr Style thin{"#888", 1};
inline constexpr Style dashed{"#888", 1, "none", "5 4"};
inline constexpr Style ray{"#d08a00", 1.2};
inline constexpr Style beam{"none", 0, "#f6c344", "", 0.25};
inline constexpr Style detector{"#1f5fa8", 4};
inline constexpr Style vector_u{"#c0392b", 2.2};
inline constexpr Style vector_v{"#1e8449", 2.2};
inline constexpr Style object{"#8e6bb8", 1.2, "#e9e0f4"};

class Canvas {
 public:
  /// Shows the world's rectangle from `low` to `high`, `scale` pixels a unit, a title above it.
  Canvas(Vec2 low, Vec2 high, double scale, const std::string& title);

  void line(const std::vector<Vec2>& points, const Style& = solid, bool closed = false);
  void arrow(Vec2 from, Vec2 to, const Style& = solid);
  void circle(Vec2 center, double radius, const Style& = solid);  ///< radius in world units
  void dot(Vec2 at, const char* color = "#222", double pixels = 3.5);
  void arc(Vec2 center, double radius, double from_deg, double to_deg, const Style& = solid, bool arrow_head = false);
  /// A dimension line with a text beside its middle; `side` pixels moves the text off the line.
  void dimension(Vec2 from, Vec2 to, const std::string& text, Vec2 side);
  /// Text whose anchor ("start", "middle", "end") is at `at` moved by `shift` pixels (x right, y up).
  void text(Vec2 at, const std::string&, Vec2 shift = {0, 0}, const char* anchor = "start", const char* color = "#222",
            double size = 14);

  std::string svg() const;
  void write(const std::filesystem::path&) const;

 private:
  Vec2 page(Vec2 world) const;
  void head(Vec2 from, Vec2 to, const char* color);

  Vec2 low_, high_;
  double scale_;
  std::string title_, body_;
};

}  // namespace backlit::drawings
