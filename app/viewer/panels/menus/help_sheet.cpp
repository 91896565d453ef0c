#include <array>
#include <utility>

#include <backlit/version.hpp>
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
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

void line(const char* key, const char* text) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, palette().accent);
  ImGui::TextUnformatted(key);
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  ImGui::TextWrapped("%s", text);
}

bool begin_table(const char* id) {
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_RowBg)) return false;
  ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, 13 * ImGui::GetFontSize());
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
  return true;
}

void about() {
  ImGui::TextWrapped("Backlit %s: tomographic reconstruction that is watched and steered.", version());
  ImGui::Spacing();
  ImGui::TextWrapped(
      "1. Open a scan (Ctrl+O), or drop it here. Counts are corrected and the rotation axis is found.\n"
      "2. Look: the wheel turns slices over, a drag with the right button sets the window, W chooses one.\n"
      "3. Compare rotation centres with F8, correct rings under Corrections, choose another method under Method.\n"
      "4. P keeps the volume as A beside the next one. Measure; segment; save the session with Ctrl+S.");
  ImGui::Spacing();
  ImGui::TextWrapped("Manual: docs/viewer.md. License: Apache 2.0.");
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
    if (ImGui::BeginTabItem("Mouse and keys")) {
      if (begin_table("pointer")) {
        for (const auto& [key, text] : pointer_help) line(key, text);
        for (const ActionInfo& info : action_table())
          if (!info.shortcut.empty()) line(info.shortcut.c_str(), info.help.c_str());
        ImGui::EndTable();
      }
      ImGui::EndTabItem();
    }
    if (ImGui::BeginTabItem("Script commands")) {
      if (begin_table("commands")) {
        for (const ActionInfo& info : action_table())
          line((info.name + " " + info.arguments).c_str(), info.help.c_str());
        ImGui::EndTable();
      }
      ImGui::EndTabItem();
    }
    if (ImGui::BeginTabItem("About")) {
      about();
      ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
  }
  ImGui::End();
  (void)frame;
}

}  // namespace backlit::viewer
