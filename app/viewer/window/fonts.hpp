// The letters of the window. Fonts are pictures of the letters that were asked for: those of other scripts are added
// when a text that holds them is to be shown.
#pragma once

#include <imgui.h>

#include <string>

namespace backlit::viewer {

/// DejaVu Sans or what else there is, `pixels` high, with what it lacks from fonts for other scripts; ImGui's own,
/// which looks worse, where there is none.
void load_fonts(float pixels);
ImFont* bold_font();
ImFont* small_font();

/// A text in UTF-8 that is going to be shown.
void want_letters(const std::string& text);
/// Whether letters have been wanted that were not when fonts were loaded.
bool want_fonts();
/// Which package to install for letters that no font on this computer has; empty where none are missing. Such letters
/// are shown as boxes.
const std::string& missing_letters();

}  // namespace backlit::viewer
