// Rows and sections of panels.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include <backlit/core/parameter.hpp>
#include "frame.hpp"

namespace backlit::viewer {

/// A collapsible group; open at first unless `closed`.
bool section(const char* title, bool closed = false);
/// Draws a grey name on the left and places the next widget on the right. `help` appears when the pointer rests on the
/// name.
void row(const std::string& name, const std::string& help = "");
/// A line with a grey name and a value; scripts can expect the value by that name.
void fact(const std::string& name, const std::string& value);
/// 1234567 -> "1 234 567".
std::string grouped(std::int64_t);
/// Name of a parameter for users: "center_shift" -> "rotation axis".
std::string spoken(const std::string& parameter);
/// Text of the engine for display; names of parameters in `backquotes` are replaced.
std::string in_words(const std::string& text);
/// The same as a sentence: with a capital letter and a full stop.
std::string sentence(const std::string& text);
/// The text as far as it fits into `width` px, with dots where it is cut.
std::string elided(const std::string& text, float width);
/// Whether a text holds all of the words, in whatever case.
bool holds_words(const std::string& text, const std::string& words);

/// Meaning of a parameter's value 0, or of its choice "auto".
struct Zero {
  std::string text{};  ///< shown instead of 0: "off", "automatic (640)"; empty: 0 is an ordinary value
  double value = 0;    ///< value at which dragging starts
};
/// The number that is being typed into the row of a parameter. It counts once it is complete.
std::optional<double> typed_into(const std::string& parameter);
/// A row with a widget for a parameter, chosen by its type, range and choices. `speed`: change for each pixel of
/// dragging. Without a meaning of 0 the last word of its help is taken: "; 0: never". Returns whether it was changed;
/// then call Frame::edited().
bool parameter_row(const Parameter&, double speed = 0.01, const char* name = nullptr, const Zero& = {});
/// Like parameter_row(), and calls Frame::edited().
void edit_row(Frame&, const Parameter&, double speed = 0.01, const char* name = nullptr, const Zero& = {});
/// The same for a value of the volume, in the volume's unit.
void value_row(Frame&, Parameter, double speed, const Zero& = {});
/// A path to type, or to choose from the file list: the button runs the action, which asks for a file.
void path_row(Frame&, const Parameter&, const Action&);
/// The parameter of that name; the list must have it.
const Parameter& of(const Parameters&, const std::string& name);

/// A button that stays pressed while `on`.
bool toggle_button(const char* label, bool on, const char* help, ImVec2 size = {0, 0});
/// A square of a colour (#c05030), which opens a chooser; the id begins with ##.
bool color_button(const char* id, std::string& color, const std::string& help);
void tooltip(const std::string& text);
/// The same of a field that is dragged or typed into: not meanwhile.
void field_tooltip(const std::string& text);
/// How a number is typed; for tooltips.
inline constexpr const char* how_to_type = "Drag; Ctrl + click, or Tab and Enter, to type a value.";
/// Grey text that wraps.
void quiet_text(const std::string&);
/// Text that wraps, in the colour of warnings; scripts can expect "warning".
void warning(const std::string&);
/// Registers the last item for Tab, and for scripts that click by name; see window/focus_order.hpp and
/// window/synthetic_input.hpp.
void name_item(const std::string& label);

}  // namespace backlit::viewer
