// Drawing and texts of measurements.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>

#include "frame.hpp"
#include "views/panes/pane.hpp"

namespace backlit::viewer {

/// The kind that a tool makes; empty for the crosshair.
std::optional<Measurement::Kind> measurement_kind(const std::string& tool);
/// The kind that the chosen tool makes. Choosing another tool drops an unfinished measurement.
std::optional<Measurement::Kind> chosen_kind(Frame&);
/// Adds a point to the unfinished measurement. The last point finishes it.
void add_point(Frame&, Measurement::Kind, const Vec3& point);
/// Whether the button was released where it was pressed.
bool clicked(const Frame&, const PointerInput&);
/// "12.34 mm", "56.2 µm", "45.0°".
std::string short_result(const Frame&, const Measurement&);
/// What is written beside it: "2: 14.20 mm", "2: bone, 14.20 mm", or the words of a note.
std::string caption(const Frame&, std::size_t index, const Measurement&);
/// The texts of the measurements in one picture, none of which lies over another.
class Captions {
 public:
  /// Writes the text near `at`, below others that are there already, within the picture's clip rectangle.
  void write(ImDrawList&, ImVec2 at, const std::string& text);

 private:
  std::vector<Rect> taken_;
};
/// Lines, handles and text; `screen` takes mm to px. Fewer points than the kind has: what there is.
void draw_measurement(const Measurement&, const std::function<ImVec2(const Vec3&)>& screen, const std::string& text,
                      float unit, Captions&);

}  // namespace backlit::viewer
