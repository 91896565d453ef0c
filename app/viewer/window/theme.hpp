// Colours and sizes of all parts of the window except pictures.
#pragma once

#include <imgui.h>

#include <array>
#include <string>

namespace backlit::viewer {

/// Colours that ImGui's style lacks.
struct Palette {
  ImU32 pane;                 ///< behind pictures
  ImU32 label;                ///< text over pictures
  ImU32 faint;                ///< background lines and text
  ImU32 lines;                ///< background lines over pictures
  ImU32 first_label;          ///< text over the first of two pictures
  ImU32 second_label;         ///< text over the second of two pictures
  ImU32 accent;               ///< selection, the curve of a plot
  ImU32 second;               ///< the second curve
  ImU32 good, bad;            ///< finished; failed
  ImU32 tool;                 ///< measurements
  std::array<ImU32, 3> axis;  ///< slices across x, y and z: red, green, blue
};

const Palette& palette();

/// "dark" or "light"; `scale` multiplies all sizes.
void apply_theme(const std::string& name, float scale);

}  // namespace backlit::viewer
