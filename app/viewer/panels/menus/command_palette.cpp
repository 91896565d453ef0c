#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr const char* id = "command palette";

bool matches(const ActionInfo& info, const std::string& words) {
  return holds_words(info.name + " " + info.title + " " + info.help, words);
}

/// What Enter does with a text that no row of the list holds: the command's usage, or why it is none.
std::string explained(const std::string& text) {
  constexpr const char* place = "command";
  try {
    const auto action = parse_action(text, place);
    if (!action) return "No command holds these words.";
    const ActionInfo& info = action_info(action->name);
    return fmt::format("Enter: {} {}\n{}", info.name, info.arguments, info.help);
  } catch (const InputError& error) {
    const std::string words = error.what(), begin = std::string(place).append(": ");
    return words.starts_with(begin) ? words.substr(begin.size()) : words;
  }
}

}  // namespace

void CommandPalette::ask() {
  wanted_ = true;
  text_.clear();
  chosen_ = 0;
}

/// Runs the typed command with its arguments. Otherwise runs the chosen action, or types its name if it needs
/// arguments.
void CommandPalette::accept(Frame& frame, const std::vector<const ActionInfo*>& found) {
  try {
    if (const auto action = parse_action(text_, "command")) {
      frame.act(action->name, action->arguments);
      return ImGui::CloseCurrentPopup();
    }
  } catch (const InputError&) {  // not a command: search words
  }
  if (found.empty()) {
    fresh_ = true;  // Enter has taken the keys from the field
    return;
  }
  const ActionInfo& info = *found[static_cast<std::size_t>(chosen_)];
  if (info.least == 0) {
    frame.act(info.name);
    return ImGui::CloseCurrentPopup();
  }
  text_ = info.name + " ";
  fresh_ = true;
}

void CommandPalette::draw(Frame& frame) {
  if (std::exchange(wanted_, false)) {
    ImGui::OpenPopup(id);
    fresh_ = true;
  }
  const ImGuiIO& io = ImGui::GetIO();
  const float width = std::min(0.8f * io.DisplaySize.x, 40 * ImGui::GetFontSize());
  ImGui::SetNextWindowPos({0.5f * (io.DisplaySize.x - width), 0.12f * io.DisplaySize.y});
  ImGui::SetNextWindowSize({width, std::min(0.7f * io.DisplaySize.y, 26 * ImGui::GetFontSize())});
  if (!ImGui::BeginPopup(id)) return;
  if (std::exchange(fresh_, false)) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  const bool entered = ImGui::InputTextWithHint("##command", "a command, or words that find one", &text_,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  name_item("command");
  std::vector<const ActionInfo*> found;
  for (const ActionInfo& info : action_table())
    if (matches(info, text_)) found.push_back(&info);
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  chosen_ += (pressed(ImGuiKey_DownArrow) ? 1 : 0) - (pressed(ImGuiKey_UpArrow) ? 1 : 0);
  chosen_ = std::clamp(chosen_, 0, std::max(0, static_cast<int>(found.size()) - 1));
  ImGui::BeginChild("commands");
  if (found.empty()) {
    const std::string words = explained(text_);
    note_text("no rows", words);
    quiet_text(words);
  }
  for (int i = 0; i < static_cast<int>(found.size()); ++i) {
    const ActionInfo& info = *found[static_cast<std::size_t>(i)];
    if (ImGui::Selectable(("##" + info.name).c_str(), i == chosen_)) {
      chosen_ = i;
      accept(frame, found);
    }
    if (i == chosen_) ImGui::SetScrollHereY();
    const std::string usage = info.name + " " + info.arguments,
                      help = info.shortcut.empty() ? info.help : fmt::format("{}   {}", info.help, info.shortcut);
    tooltip(fmt::format("{}\n{}", usage, help));
    ImGui::SameLine();
    const float column = 0.42f * width, gap = ImGui::GetFontSize();
    ImGui::TextUnformatted(elided(usage, column - ImGui::GetCursorPosX() - gap).c_str());
    ImGui::SameLine(column);
    ImGui::TextDisabled("%s", elided(help, ImGui::GetContentRegionAvail().x).c_str());
  }
  ImGui::EndChild();
  if (entered) accept(frame, found);
  if (pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace backlit::viewer
