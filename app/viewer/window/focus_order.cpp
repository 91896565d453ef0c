#include "window/focus_order.hpp"

#define GLFW_INCLUDE_NONE  // GLEW declares OpenGL
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "window/synthetic_input.hpp"

namespace backlit::viewer {
namespace {

struct Stop {
  ImGuiID id;
  ImGuiWindow* window;
  ImRect place;
  bool takes_text;
};
std::vector<Stop> drawn, being_drawn;  // of the last frame, of this one
int frame = -1;

}  // namespace

void note_stop(const std::string& label) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (std::exchange(frame, g.FrameCount) != g.FrameCount) {
    drawn = std::move(being_drawn);
    being_drawn.clear();
  }
  const ImGuiLastItemData& item = g.LastItemData;
  if (item.ID == 0 || (item.InFlags & (ImGuiItemFlags_Disabled | ImGuiItemFlags_NoNav)) != 0) return;
  if (item.ID == g.NavId && !g.NavDisableHighlight) note_text("focus", label);
  const bool again = std::ranges::any_of(being_drawn, [&](const Stop& s) { return s.id == item.ID; });
  if (again) return;  // it has several labels
  being_drawn.push_back({item.ID, g.CurrentWindow, item.Rect, (item.InFlags & ImGuiItemFlags_Inputable) != 0});
}

std::string focus_stop(std::span<const char* const> groups, bool back, bool types) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  std::vector<std::pair<const char*, Stop>> order;
  const std::vector<Stop>& whole = frame == g.FrameCount ? drawn : being_drawn;  // nothing is drawn in this frame yet
  for (const char* group : groups)
    for (const Stop& s : whole)
      if (std::string_view(s.window->RootWindow->Name) == group) order.emplace_back(group, s);
  const auto at = std::ranges::find_if(order, [&](const auto& s) { return s.second.id == g.NavId; });
  auto next = at;
  if (at == order.end())
    next = back && !order.empty() ? order.end() - 1 : order.begin();
  else if (back)
    next = at == order.begin() ? order.end() : at - 1;
  else
    ++next;
  if (next == order.end()) return "";
  const auto& [group, stop] = *next;
  ImGui::FocusWindow(stop.window);
  ImGui::SetFocusID(stop.id, stop.window);
  stop.window->NavRectRel[0] = ImGui::WindowRectAbsToRel(stop.window, stop.place);
  ImGui::ScrollToRect(stop.window, stop.place, ImGuiScrollFlags_KeepVisibleEdgeY);
  g.NavDisableHighlight = false;
  g.NavDisableMouseHover = true;
  if (types && stop.takes_text) {
    g.NavNextActivateId = stop.id;
    g.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
  }
  return group;
}

bool tab_pressed() {
  const ImGuiIO& io = ImGui::GetIO();
  return !io.KeyCtrl && !io.KeyAlt && ImGui::IsKeyPressed(GLFW_KEY_TAB);
}

void enter_text() { ImGui::GetIO().KeysDownDuration[GLFW_KEY_ENTER] = 0; }

void give_tab(bool to_imgui) { ImGui::GetIO().KeyMap[ImGuiKey_Tab] = to_imgui ? GLFW_KEY_TAB : -1; }

}  // namespace backlit::viewer
