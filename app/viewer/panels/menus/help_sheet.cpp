#include <imgui.h>
#include <imgui_stdlib.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <backlit/version.hpp>
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr std::array pointer_help{
    std::pair{"left drag", "slice: move the crosshair · 3-D: turn · oblique: turn"},
    std::pair{"right drag", "window: across for its width, up and down for its level"},
    std::pair{"middle drag, Shift + left", "move the picture"},
    std::pair{"wheel", "slice: next slice (Shift: ten) · 3-D: zoom · projections: next view"},
    std::pair{"Ctrl + wheel", "zoom slices"},
    std::pair{"Ctrl + left drag", "window from the values in a rectangle"},
    std::pair{"double click", "one pane alone, and all again"},
    std::pair{"drag the gap between panes", "their sizes; a double click there makes them automatic"},
    std::pair{"drag a point of a measurement", "moves it"},
    std::pair{"drag the oblique slice in 3-D", "left: along its normal · right: turn it"},
};

/// Rows of the sheet that hold the words searched for.
class Rows {
 public:
  explicit Rows(std::string words) : words_(std::move(words)) {}
  /// The rows that follow have this title, if one of them is shown.
  void group(std::string title) { title_ = std::move(title); }
  void line(const std::string& key, const std::string& text) {
    if (!holds_words(key + " " + text, words_)) return;
    if (const std::string title = std::exchange(title_, ""); !title.empty()) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::Spacing();
      ImGui::TextDisabled("%s", title.c_str());
    }
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, palette().accent);
    ImGui::TextWrapped("%s", key.c_str());
    ImGui::PopStyleColor();
    ImGui::TableNextColumn();
    ImGui::TextWrapped("%s", text.c_str());
    ++shown_;
  }
  ~Rows() { note_text("help rows", std::to_string(shown_)); }

 private:
  int shown_ = 0;
  std::string words_, title_;
};

/// The rows scroll below the words to look for. Call ImGui::EndChild() after them.
bool begin_table(const char* id) {
  ImGui::BeginChild(id);
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_RowBg)) return false;
  ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, 16 * ImGui::GetFontSize());
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
  return true;
}

struct Step {
  const char* what;
  const char* button;
  Action action;
};
/// A whole piece of work on an example; each step can be done from here.
const std::vector<Step>& first_steps() {
  static const std::vector<Step> steps{
      {"Open a scan: Ctrl+O, or drop it here. Counts are corrected, and the rotation axis is found. This example is "
       "simulated.",
       "Open the example",
       {"open", {"demo:spheres"}}},
      {"Look. The wheel turns slices over, a drag with the right button sets the window, W chooses one. In 3-D a drag "
       "turns, the wheel zooms.",
       "Auto window",
       {"window"}},
      {"Check the rotation axis: a click in one of nine pictures takes it. Calibration finds the rest of the geometry.",
       "Compare centres",
       {"layout centers"}},
      {"Correct rings and noise under Corrections; type a number after Ctrl + click. P keeps this volume as A, to "
       "compare it with the next.",
       "Keep as A",
       {"pin"}},
      {"Choose a method and its parameters under Method. The volume follows.", "Iterate (CGLS)", {"method", {"cgls"}}},
      {"Measure a distance: two clicks in a slice. Escape ends the tool.", "Measure", {"set", {"tool", "distance"}}},
      {"Save all of it as a session, and the volume under File > Export.", "Save session", {"save session"}}};
  return steps;
}

void first_steps_tab(Frame& frame) {
  int number = 0;
  for (const Step& step : first_steps()) {
    ImGui::Spacing();
    ImGui::TextWrapped("%d. %s", ++number, step.what);
    ImGui::BeginDisabled(!possible(frame.model, step.action.name));
    if (ImGui::Button(step.button)) frame.act(step.action.name, step.action.arguments);
    ImGui::EndDisabled();
    name_item(step.button);
  }
}

void about(Frame& frame) {
  ImGui::TextWrapped("Backlit %s: tomographic reconstruction that is watched and steered. License: Apache 2.0.",
                     version());
  ImGui::Spacing();
  const std::string page = manual_page().string();
  ImGui::TextWrapped("The manual: %s", page.empty() ? "docs/viewer.md of the sources" : page.c_str());
  ImGui::BeginDisabled(page.empty());
  if (ImGui::Button("Open the manual")) frame.act("manual");
  ImGui::EndDisabled();
  name_item("Open the manual");
}

/// Keys by the menus in which their actions are; those in none come last.
void keys(Rows& rows) {
  if (!begin_table("pointer")) return ImGui::EndChild();
  rows.group("Mouse");
  for (const auto& [key, text] : pointer_help) rows.line(key, text);
  rows.group("Panels and menus by keyboard");
  rows.line("Tab, Shift+Tab", "next or previous item of the panels; after a typed number it goes on to the next field");
  rows.line("arrows", "the item's neighbours");
  rows.line("Space, Enter, Escape", "press the item, type its number, back to the views");
  rows.line("Alt+F, Alt+E, ...", "a menu, by its first letter");
  for (const std::string menu : {"File", "Edit", "View", "Reconstruction", "Tools", "Help", ""}) {
    rows.group(menu.empty() ? "More keys" : menu);
    for (const ActionInfo& info : action_table())
      if (!info.shortcut.empty() && info.menu.substr(0, info.menu.find('/')) == menu)
        rows.line(info.shortcut + (info.also.empty() ? "" : ", " + info.also), info.help);
  }
  ImGui::EndTable();
  ImGui::EndChild();
}

void commands(Rows& rows) {
  if (!begin_table("commands")) return ImGui::EndChild();
  for (const ActionInfo& info : action_table()) rows.line(info.name + " " + info.arguments, info.help);
  ImGui::EndTable();
  ImGui::EndChild();
}

}  // namespace

void help_sheet(Frame& frame, bool& open) {
  if (!open) return;
  const ImGuiIO& io = ImGui::GetIO();
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({0.5f * io.DisplaySize.x, 0.5f * io.DisplaySize.y}, ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(0.9f * io.DisplaySize.x, 52 * em), std::min(0.86f * io.DisplaySize.y, 46 * em)},
                           ImGuiCond_Appearing);
  if (ImGui::Begin("Keys and commands", &open, ImGuiWindowFlags_NoCollapse) && ImGui::BeginTabBar("help")) {
    static std::string words;
    const auto look_for = [] {
      ImGui::SetNextItemWidth(-1);
      ImGui::InputTextWithHint("##words", "words to look for", &words);
      name_item("words to look for");
    };
    const bool pressed_keys = ImGui::BeginTabItem("Mouse and keys");
    name_item("Mouse and keys");
    if (pressed_keys) {
      look_for();
      Rows rows(words);
      keys(rows);
      ImGui::EndTabItem();
    }
    const bool all = ImGui::BeginTabItem("Script commands");
    name_item("Script commands");
    if (all) {
      look_for();
      Rows rows(words);
      commands(rows);
      ImGui::EndTabItem();
    }
    const bool steps = ImGui::BeginTabItem("First steps");
    name_item("First steps");
    if (steps) {
      first_steps_tab(frame);
      ImGui::EndTabItem();
    }
    const bool about_it = ImGui::BeginTabItem("About");
    name_item("About");
    if (about_it) {
      about(frame);
      ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
  }
  ImGui::End();
}

}  // namespace backlit::viewer
