// A rectangle of the window that shows a picture and takes mouse input.
#pragma once

#include <imgui.h>

#include <array>
#include <optional>
#include <string>

#include "gl/handles.hpp"

namespace backlit::viewer {

struct Rect {
  ImVec2 min{0, 0}, size{0, 0};
  ImVec2 max() const { return {min.x + size.x, min.y + size.y}; }
  /// Column `i` of `n` equal columns with a gap between them; row() does the same for rows.
  Rect column(int i, int n, float gap) const;
  Rect row(int i, int n, float gap) const;
  /// Two columns or rows with a gap between them; the first takes `share` of the whole.
  std::array<Rect, 2> columns(double share, float gap) const;
  std::array<Rect, 2> rows(double share, float gap) const;
};

/// Mouse input in a pane. Positions are px from the pane's top left corner, pixel centres at integers.
struct PointerInput {
  bool hovered = false;
  bool pressed = false;   ///< a button went down in this frame
  bool released = false;  ///< ... or up, after a press in this pane
  bool double_clicked = false;
  int button = -1;  ///< pressed in this pane and held, or just released: 0 left, 1 right, 2 middle; -1: none
  ImVec2 at{0, 0}, start{0, 0}, moved{0, 0};  ///< now, at the press, since the last frame
  float wheel = 0;
  bool ctrl = false, shift = false, alt = false;
};

/// Fills the pane and returns its mouse input. Call it inside an ImGui window.
PointerInput pane(const char* id, const Rect&);
/// The gap between two parts of `all`, which can be dragged; a double click makes it automatic. `share`: see
/// Rect::columns(); 0: automatic, then `usual`. Call it before pane() of the parts. Returns whether the share changed.
bool splitter(const char* id, const Rect& all, bool columns, double usual, double& share, float unit);
/// A texture with row 0 at the top over the whole pane; `flipped`: row 0 at the bottom.
void draw_texture(const Rect&, const gl::Texture&, bool flipped = false, double opacity = 1);
/// Name in its colour, and what is shown, at the top left.
void pane_title(const Rect&, const std::string& name, ImU32 color, const std::string& detail);
/// A dark plate behind text of this width that will be written at `at`; returns the plate.
Rect plate(ImDrawList&, ImVec2 at, float width);
/// Text with a dark halo, readable over any picture.
void label(ImDrawList&, ImVec2 at, const std::string& text, ImU32 color, float align = 0);
/// Line with a dark halo.
void line(ImDrawList&, ImVec2 from, ImVec2 to, ImU32 color, float width);
/// A bar of a round length at the bottom right.
void scale_bar(const Rect&, double mm_per_pixel, const std::string& unit = "mm");

}  // namespace backlit::viewer
