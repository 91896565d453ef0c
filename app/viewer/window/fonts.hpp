// Fonts of the window. A font texture holds only the requested letters: letters of other scripts are added when a text
// needs them.
#pragma once

#include <imgui.h>

#include <string>

namespace backlit::viewer {

/// Loads DejaVu Sans or a similar font, `pixels` high; missing letters come from fonts for other scripts. Uses ImGui's
/// own font, which looks worse, if there is none.
void load_fonts(float pixels);
ImFont* bold_font();
ImFont* small_font();

/// Requests the letters of a text in UTF-8 that will be shown.
void want_letters(const std::string& text);
/// Whether letters were requested that the loaded fonts lack.
bool want_fonts();
/// Advice on the package to install for letters that no font on this computer has; empty if none are missing. Such
/// letters appear as boxes.
const std::string& missing_letters();

}  // namespace backlit::viewer
