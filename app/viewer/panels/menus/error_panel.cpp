#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {

void error_panel(Frame& frame) {
  if (frame.status.errors.empty()) return;
  const ImGuiIO& io = ImGui::GetIO();
  const float width = std::min(0.6f * io.DisplaySize.x, 52 * ImGui::GetFontSize());
  ImGui::SetNextWindowPos({0.5f * io.DisplaySize.x, io.DisplaySize.y - 3 * ImGui::GetFontSize()}, ImGuiCond_Always,
                          {0.5f, 1});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.5f * frame.unit);
  ImGui::PushStyleColor(ImGuiCol_Border, palette().bad);
  const auto flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
  ImGui::Begin("errors", nullptr, flags);
  const auto& errors = frame.status.errors;
  const std::size_t shown = std::min<std::size_t>(errors.size(), 4);
  for (std::size_t i = errors.size() - shown; i < errors.size(); ++i) ImGui::TextWrapped("%s", errors[i].c_str());
  if (errors.size() > shown) ImGui::TextDisabled("and %d before", static_cast<int>(errors.size() - shown));
  if (ImGui::Button("Dismiss")) frame.act("dismiss");
  name_item("Dismiss");
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace backlit::viewer
