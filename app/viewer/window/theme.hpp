// Colours and sizes of everything that is not a picture.
#pragma once

#include <imgui.h>

#include <array>
#include <string>

namespace backlit::viewer {

/// What ImGui's style does not name.
struct Palette {
  ImU32 pane;                 ///< behind pictures
  ImU32 label;                ///< text over pictures
  ImU32 faint;                ///< lines and text that stay behind
  ImU32 lines;                ///< over pictures, that stay behind
  ImU32 first_label;          ///< text over pictures that tells them apart
  ImU32 second_label;         ///< ... and of the other one
  ImU32 accent;               ///< what is chosen, the curve of a plot
  ImU32 second;               ///< the second curve
  ImU32 good, bad;            ///< finished; failed
  ImU32 tool;                 ///< measurements
  std::array<ImU32, 3> axis;  ///< slices across x, y and z
};

const Palette& palette();

/// "dark" or "light"; `scale` multiplies all sizes.
void apply_theme(const std::string& name, float scale);

}  // namespace backlit::viewer
