// Keys as the action table writes them: "Ctrl+O", "F1", "Space".
#pragma once

#include <string>

namespace backlit::viewer {

struct Shortcut {
  int key = -1;  ///< GLFW's
  bool ctrl = false, shift = false;
};

/// Throws InputError for a key that it does not know.
Shortcut parse_shortcut(const std::string&);
/// Whether it was pressed in this frame, with just these modifiers. False while text is being typed.
bool pressed(const Shortcut&);

/// Whether a menu or a list of choices is open; and closes them.
bool popup_open();
void close_popups();

/// Tells ImGui which keys are which; with a window GLFW's backend does so, too.
void map_keys();

}  // namespace backlit::viewer
