// A small window over the others that says or asks something, with a coloured border.
#pragma once

#include <imgui.h>

#include <algorithm>

#include "frame.hpp"

namespace backlit::viewer {

class Notice {
 public:
  /// In the middle of the screen, or at its lower edge. `lines`: its width, in heights of the text.
  Notice(Frame& frame, const char* id, bool below, float lines, ImU32 border) : frame_(frame), below_(below) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float em = ImGui::GetFontSize();
    ImGui::SetNextWindowPos({0.5f * screen.x, below ? screen.y - 3 * em - frame.notices : 0.4f * screen.y},
                            ImGuiCond_Always, {0.5f, below ? 1.0f : 0.5f});
    ImGui::SetNextWindowSize({std::min(0.8f * screen.x, lines * em), 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.5f * frame.unit);
    ImGui::PushStyleColor(ImGuiCol_Border, border);
    ImGui::Begin(id, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  }
  Notice(const Notice&) = delete;
  Notice& operator=(const Notice&) = delete;
  ~Notice() {
    if (below_) frame_.notices += ImGui::GetWindowHeight() + 0.5f * ImGui::GetFontSize();
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
  }

 private:
  Frame& frame_;
  bool below_;
};

}  // namespace backlit::viewer
