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

}  // namespace backlit::viewer
