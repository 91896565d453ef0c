// The keyboard: shortcuts, and its way through the items of the panels.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <utility>

#include "application.hpp"
#include "window/focus_order.hpp"
#include "window/shortcuts.hpp"

namespace backlit::viewer {
namespace {

/// Windows of the panels, in the order in which the keyboard goes through them.
constexpr std::array focus_groups{"run", "all", "left", "tools", "right", "start"};

}  // namespace

void Application::focus_next() {
  const auto now = std::ranges::find(focus_groups, focus_);
  for (auto next = focus_.empty() ? focus_groups.begin() : now + 1; next != focus_groups.end(); ++next) {
    if (!window_shown(*next)) continue;
    focus_ = *next;
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    return focus_window(*next);
  }
  focus_views();
}

/// Whether Tab was pressed, and took the keyboard from one item of the panels to the next. What is being typed counts
/// as after Enter, and what follows can be typed, too.
bool Application::focus_by_tab() {
  if (const int pending = std::exchange(tab_pending_, 0); pending != 0) focus_item(pending < 0, true);
  if (!tab_pressed()) return false;
  const bool back = ImGui::GetIO().KeyShift;
  if (ImGui::GetIO().WantTextInput) {
    enter_text();
    tab_pending_ = back ? -1 : 1;
    busy_frames_ = 3;
  } else {
    focus_item(back, false);
  }
  return true;
}

void Application::focus_item(bool back, bool types) {
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  focus_ = focus_stop(focus_groups, back, types);
  if (focus_.empty()) focus_views();
}

void Application::focus_views() {
  focus_.clear();
  ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  ImGui::SetWindowFocus(nullptr);
}

void Application::take_shortcuts() {
  if (files_.shown() || import_.shown() || commands_.wanted()) return;
  if (focus_.empty() && !popup_open())  // a menu that the keyboard opened is closed
    ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  const bool escape = pressed(parse_shortcut("Escape"));
  if (popup_open()) {  // the menu takes the keys
    if (escape) close_popups();
    return;
  }
  if (model_.status().question && escape) {
    model_.try_apply({"answer", {"no"}});
    return;
  }
  if (help_ && escape) {
    help_ = false;
    return;
  }
  if (!help_ && focus_by_tab()) return;
  if (!focus_.empty() && escape && !ImGui::GetIO().WantTextInput) return focus_views();
  if (escape && model_.state().layout.tool != "crosshair" && !ImGui::GetIO().WantTextInput) {
    model_.try_apply({"set", {"tool", "crosshair"}});
    return;
  }
  if (escape && model_.status().calibrating && !ImGui::GetIO().WantTextInput) {
    model_.try_apply({"cancel calibration"});
    return;
  }
  for (const ActionInfo& info : action_table())
    for (const std::string& shortcut : {info.shortcut, info.also}) {
      if (shortcut.empty()) continue;
      const Shortcut keys = parse_shortcut(shortcut);
      const bool panels_take_it = !focus_.empty() && !keys.ctrl && !is_function_key(keys);
      if (panels_take_it || !pressed(keys)) continue;
      model_.try_apply({info.name});
      if (files_.shown() || import_.shown() || commands_.wanted()) return;  // what follows is typed into the dialog
    }
}

}  // namespace backlit::viewer
