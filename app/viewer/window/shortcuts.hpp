// Keys in the notation of the action table: "Ctrl+O", "F1", "Space".
#pragma once

#include <string>

namespace backlit::viewer {

struct Shortcut {
  int key = -1;  ///< GLFW key code
  bool ctrl = false, shift = false, alt = false;
};

/// Throws InputError for an unknown key.
Shortcut parse_shortcut(const std::string&);
/// Whether the shortcut was pressed in this frame with exactly these modifiers. False while text is being typed.
bool pressed(const Shortcut&);

bool is_function_key(const Shortcut&);

/// Whether a window of ImGui was drawn in the last frame.
bool window_shown(const char* name);
/// Makes the keyboard move in a window: its first item, or the one that it was at, is marked.
void focus_window(const char* name);

/// Opens a menu of the bar that is being drawn, for the keyboard. A dialog stays: then nothing is opened.
void open_menu(const char* title);

/// popup_open(): whether a menu or a list of choices is open. close_popups() closes them.
bool popup_open();
void close_popups();

/// Sets ImGui's key map; with a window, GLFW's backend does so too.
void map_keys();

}  // namespace backlit::viewer
