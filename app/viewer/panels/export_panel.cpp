#include <fmt/format.h>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {

void export_panel(Frame& frame) {
  const std::int64_t done = frame.status.pictures_written, all = frame.status.pictures_wanted;
  if (all == 0) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * screen.x, screen.y - 3 * ImGui::GetFontSize()}, ImGuiCond_Always, {0.5f, 1});
  ImGui::SetNextWindowSize({std::min(0.8f * screen.x, 26 * ImGui::GetFontSize()), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.5f * frame.unit);
  ImGui::PushStyleColor(ImGuiCol_Border, palette().accent);
  const auto flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
  ImGui::Begin("pictures", nullptr, flags);
  const std::string text = fmt::format("Writing pictures: {} of {}", done, all);
  note_text("pictures", text);
  ImGui::ProgressBar(static_cast<float>(done) / static_cast<float>(all), {-8 * ImGui::GetFontSize(), 0}, text.c_str());
  ImGui::SameLine();
  if (ImGui::Button("Cancel export", {-1, 0})) frame.act("cancel export");
  name_item("Cancel export");
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace backlit::viewer
