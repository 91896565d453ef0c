// Rows and sections of which panels are made.
#pragma once

#include <imgui.h>

#include <string>

#include <backlit/core/parameter.hpp>
#include "frame.hpp"

namespace backlit::viewer {

/// A collapsible group; open at first unless `closed`.
bool section(const char* title, bool closed = false);
/// Puts a quiet name on the left and the next widget on the right; `help` appears when the pointer rests on the name.
void row(const std::string& name, const std::string& help = "");
/// A line of quiet name and plain value, which scripts can expect by that name.
void fact(const std::string& name, const std::string& value);
/// 1234567 -> "1 234 567".
std::string grouped(std::int64_t);
/// "center_shift" -> "center shift".
std::string spoken(const std::string& parameter);
/// Text of the engine, in which names of parameters stand in `backquotes`, as it is shown.
std::string in_words(const std::string& text);

/// A widget for an engine's parameter, by its type, range and choices, in a row of its own. `speed`: change a pixel of
/// dragging. Returns whether it was changed; call Frame::edited() then.
bool parameter_row(const Parameter&, double speed = 0.01, const char* name = nullptr);
/// The same, and says so to the frame.
void edit_row(Frame&, const Parameter&, double speed = 0.01, const char* name = nullptr);
/// The parameter of that name; the list must have it.
const Parameter& of(const Parameters&, const std::string& name);

/// A button that stays pressed while `on`.
bool toggle_button(const char* label, bool on, const char* help, ImVec2 size = {0, 0});
void tooltip(const std::string& text);
/// Text that wraps, in the colour of quiet things.
void quiet_text(const std::string&);
/// Registers the last item for scripts that click by name; see window/synthetic_hands.hpp.
void name_item(const std::string& label);

}  // namespace backlit::viewer
