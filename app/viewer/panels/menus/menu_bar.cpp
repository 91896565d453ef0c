#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/shortcuts.hpp"

namespace backlit::viewer {
namespace {

/// "save session" -> "Save session".
std::string capitalized(std::string name) {
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

/// Title of an item without the word that its menu shows already, as "look front" in View/Camera.
std::string title(const ActionInfo& info) {
  if (!info.title.empty()) return info.title;
  const std::string word = "look ";
  return capitalized(info.name.starts_with(word) ? info.name.substr(word.size()) : info.name);
}

void item(Frame& frame, const ActionInfo& info) {
  std::string name = title(info);
  const bool enabled = possible(frame.model, info.name);
  if (info.name == "undo" || info.name == "redo") {
    const History& history = frame.model.history();
    if (enabled) name.append(" ").append(spoken(info.name == "undo" ? history.undo_name() : history.redo_name()));
  }
  const bool on = info.checked && info.checked(frame.model);
  if (ImGui::MenuItem(name.c_str(), info.shortcut.c_str(), on, enabled)) frame.act(info.name);
  name_item(title(info));
  name_item(capitalized(info.name));  // name for scripts
  tooltip(info.help);
}

void recent_menu(Frame& frame) {
  const bool open = ImGui::BeginMenu("Open recent", !frame.model.recent().empty());
  name_item("Open recent");
  if (!open) return;
  int number = 0;
  for (const std::string& path : frame.model.recent()) {
    ++number;
    const std::string name = std::filesystem::path(path).filename().string();
    if (ImGui::MenuItem(fmt::format("{}##{}", name, path).c_str())) frame.act("recent", {std::to_string(number)});
    name_item("recent " + std::to_string(number));
    tooltip(path);
  }
  ImGui::EndMenu();
}

/// Layouts that the user saved, and the field that saves the present one.
void own_layouts(Frame& frame) {
  const auto& own = frame.next.layouts;
  ImGui::Separator();
  for (const NamedLayout& l : own) {
    const bool now = named_layout(frame.next, l.name) == l;
    if (ImGui::MenuItem((l.name + "##own").c_str(), nullptr, now)) frame.act("layout use", {l.name});
    name_item("layout " + l.name);
  }
  const bool saves = ImGui::BeginMenu("Save layout as");
  name_item("Save layout as");
  if (saves) {
    static std::string name;
    if (!ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();  // a click on the menu takes the keyboard
    ImGui::SetNextItemWidth(12 * ImGui::GetFontSize());
    const bool entered =
        ImGui::InputTextWithHint("##name", "a name, then Enter", &name, ImGuiInputTextFlags_EnterReturnsTrue);
    name_item("name of the layout");
    if (entered && !name.empty()) {
      frame.act("layout save", {std::exchange(name, "")});
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndMenu();
  }
  const bool forgets = ImGui::BeginMenu("Forget layout", !own.empty());
  name_item("Forget layout");
  if (!forgets) return;
  for (const NamedLayout& l : own) {
    if (ImGui::MenuItem((l.name + "##forget").c_str())) frame.act("layout forget", {l.name});
    name_item("forget " + l.name);
  }
  ImGui::EndMenu();
}

/// Items of a menu such as "File", and of its submenus such as "File/Export".
void items_of(Frame& frame, const std::string& menu) {
  std::vector<std::string> within;
  for (const ActionInfo& info : action_table()) {
    if (info.menu.starts_with(menu + "/") && std::ranges::count(within, info.menu) == 0) within.push_back(info.menu);
    if (info.menu != menu || info.least > 0 || info.name == "quit") continue;
    item(frame, info);
    if (info.name == "open") recent_menu(frame);
  }
  for (const std::string& path : within) {
    const std::string name = path.substr(menu.size() + 1);
    const bool open = ImGui::BeginMenu(name.c_str(), name != "Export" || frame.has_volume());
    name_item(name);
    if (!open) continue;
    items_of(frame, path);
    if (path == "View/Layout") own_layouts(frame);
    ImGui::EndMenu();
  }
}

/// Alt and a menu's first letter open it for the arrow keys.
void open_by_key(const char* menu) {
  if (pressed({.key = menu[0], .alt = true})) open_menu(menu);
}

/// Underlines the first letter of the menu's title, the last item, while Alt is held.
void show_key(const char* menu) {
  if (!ImGui::GetIO().KeyAlt) return;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float all = ImGui::CalcTextSize(menu).x, letter = ImGui::CalcTextSize(menu, menu + 1).x;
  const float x = 0.5f * (low.x + high.x - all), y = high.y - 0.15f * ImGui::GetFontSize();
  ImGui::GetWindowDrawList()->AddLine({x, y}, {x + letter, y}, ImGui::GetColorU32(ImGuiCol_Text));
}

}  // namespace

void menu_bar(Frame& frame) {
  if (!ImGui::BeginMainMenuBar()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 1);  // of submenus
  for (const char* menu : {"File", "Edit", "View", "Reconstruction", "Tools", "Help"}) {
    open_by_key(menu);
    const bool open = ImGui::BeginMenu(menu);
    name_item(menu);
    if (!open) show_key(menu);
    if (!open) continue;
    items_of(frame, menu);
    if (std::string_view(menu) == "File") {
      ImGui::Separator();
      item(frame, action_info("quit"));
    }
    ImGui::EndMenu();
  }
  ImGui::PopStyleVar();
  const auto& source = frame.status.source;
  if (source) {
    const bool demo = source->path.starts_with("demo:");
    const std::string name =
        demo ? "example: " + source->path.substr(5) : std::filesystem::path(source->path).filename().string();
    const float width = ImGui::CalcTextSize(name.c_str()).x, all = ImGui::GetWindowWidth();
    const float middle = std::max(0.5f * (all - width), ImGui::GetCursorPosX() + ImGui::GetFontSize());
    if (middle + width < all) {
      ImGui::SetCursorPosX(middle);
      ImGui::TextDisabled("%s", name.c_str());
    }
  }
  ImGui::EndMainMenuBar();
}

}  // namespace backlit::viewer
