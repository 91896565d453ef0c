#include "window/shortcuts.hpp"

#define GLFW_INCLUDE_NONE  // GLEW declares OpenGL
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <map>

#include <backlit/core/error.hpp>

namespace backlit::viewer {
namespace {

int key_of(const std::string& name) {
  static const std::map<std::string, int> named{
      {"Space", GLFW_KEY_SPACE},         {"Escape", GLFW_KEY_ESCAPE},  {"Return", GLFW_KEY_ENTER},
      {"Enter", GLFW_KEY_ENTER},         {"Tab", GLFW_KEY_TAB},        {"Delete", GLFW_KEY_DELETE},
      {"Backspace", GLFW_KEY_BACKSPACE}, {"PageUp", GLFW_KEY_PAGE_UP}, {"PageDown", GLFW_KEY_PAGE_DOWN},
      {"Home", GLFW_KEY_HOME},           {"End", GLFW_KEY_END},        {"Left", GLFW_KEY_LEFT},
      {"Right", GLFW_KEY_RIGHT},         {"Up", GLFW_KEY_UP},          {"Down", GLFW_KEY_DOWN},
      {"Plus", GLFW_KEY_EQUAL},          {"Minus", GLFW_KEY_MINUS}};
  if (const auto found = named.find(name); found != named.end()) return found->second;
  if (name.size() == 1 && ((name[0] >= 'A' && name[0] <= 'Z') || (name[0] >= '0' && name[0] <= '9'))) return name[0];
  if (name.size() >= 2 && name[0] == 'F' && name.find_first_not_of("0123456789", 1) == std::string::npos) {
    const int n = std::stoi(name.substr(1, 2));
    if (n >= 1 && n <= 12) return GLFW_KEY_F1 + n - 1;
  }
  throw InputError("key", "there is no key '" + name + "'", "as in Ctrl+O, F1, Space");
}

}  // namespace

Shortcut parse_shortcut(const std::string& text) {
  Shortcut s;
  std::string rest = text;
  for (std::size_t plus; (plus = rest.find('+')) != std::string::npos && plus + 1 < rest.size();) {
    const std::string modifier = rest.substr(0, plus);
    if (modifier != "Ctrl" && modifier != "Shift" && modifier != "Alt")
      throw InputError("key", "there is no modifier '" + modifier + "'", "use Ctrl, Shift or Alt");
    (modifier == "Ctrl" ? s.ctrl : modifier == "Shift" ? s.shift : s.alt) = true;
    rest = rest.substr(plus + 1);
  }
  s.key = key_of(rest);
  return s;
}

bool pressed(const Shortcut& s) {
  const ImGuiIO& io = ImGui::GetIO();
  return !io.WantTextInput && io.KeyCtrl == s.ctrl && io.KeyShift == s.shift && io.KeyAlt == s.alt &&
         ImGui::IsKeyPressed(s.key);
}

bool is_function_key(const Shortcut& s) { return s.key >= GLFW_KEY_F1 && s.key <= GLFW_KEY_F12; }

bool window_shown(const char* name) {
  const ImGuiWindow* const window = ImGui::FindWindowByName(name);
  return window && window->WasActive;
}

void focus_window(const char* name) {
  ImGui::SetWindowFocus(name);
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGuiWindow* const window = ImGui::FindWindowByName(name);
  if (window->NavLastIds[0] == 0) ImGui::NavInitWindow(window, true);
  g.NavDisableHighlight = false;  // seen at once, and not only once it moves
  g.NavDisableMouseHover = true;
}

void open_menu(const char* title) {
  if (ImGui::GetTopMostPopupModal()) return;  // a dialog would be closed unseen
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  ImGui::OpenPopup(title);
  ImGui::GetCurrentContext()->NavDisableHighlight = false;  // Space presses the first item, too
}

bool popup_open() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); }
void close_popups() { ImGui::ClosePopupsExceptModals(); }

void map_keys() {
  constexpr std::pair<ImGuiKey, int> keys[] = {{ImGuiKey_Tab, GLFW_KEY_TAB},
                                               {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                                               {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                                               {ImGuiKey_UpArrow, GLFW_KEY_UP},
                                               {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                                               {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
                                               {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
                                               {ImGuiKey_Home, GLFW_KEY_HOME},
                                               {ImGuiKey_End, GLFW_KEY_END},
                                               {ImGuiKey_Insert, GLFW_KEY_INSERT},
                                               {ImGuiKey_Delete, GLFW_KEY_DELETE},
                                               {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                                               {ImGuiKey_Space, GLFW_KEY_SPACE},
                                               {ImGuiKey_Enter, GLFW_KEY_ENTER},
                                               {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                                               {ImGuiKey_KeyPadEnter, GLFW_KEY_KP_ENTER},
                                               {ImGuiKey_A, GLFW_KEY_A},
                                               {ImGuiKey_C, GLFW_KEY_C},
                                               {ImGuiKey_V, GLFW_KEY_V},
                                               {ImGuiKey_X, GLFW_KEY_X},
                                               {ImGuiKey_Y, GLFW_KEY_Y},
                                               {ImGuiKey_Z, GLFW_KEY_Z}};
  for (const auto& [key, code] : keys) ImGui::GetIO().KeyMap[key] = code;
}

}  // namespace backlit::viewer
