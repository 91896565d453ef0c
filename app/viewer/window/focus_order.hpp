// The order in which Tab goes through the items of panels: that in which they are drawn, group by group.
#pragma once

#include <span>
#include <string>

namespace backlit::viewer {

/// Notes the item that was just drawn: Tab stops at it, unless it is grey. Scripts find the label of the item that the
/// keyboard is at under "focus".
void note_stop(const std::string& label);

/// Takes the keyboard from the item that it is at to the next one, or back to the one before. `groups`: names of the
/// windows that take part, in order. `types`: a number or text there can be typed at once. Returns the group of the
/// item; empty, with nothing done, where none is left.
std::string focus_stop(std::span<const char* const> groups, bool back, bool types);

/// Whether Tab was pressed in this frame, without Ctrl and Alt, also while text is typed.
bool tab_pressed();
/// Ends what is being typed as Enter does, in this frame.
void enter_text();
/// Whether ImGui has the Tab key: in dialogs it completes names and goes from field to field.
void give_tab(bool to_imgui);

}  // namespace backlit::viewer
