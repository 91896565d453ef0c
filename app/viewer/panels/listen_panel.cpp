#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {

void listen_panel(Frame& frame) {
  const std::string& address = frame.status.asks_to_listen;
  if (address.empty()) return;
  const ImGuiIO& io = ImGui::GetIO();
  ImGui::SetNextWindowPos({0.5f * io.DisplaySize.x, 0.4f * io.DisplaySize.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(0.8f * io.DisplaySize.x, 36 * ImGui::GetFontSize()), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.5f * frame.unit);
  ImGui::PushStyleColor(ImGuiCol_Border, palette().accent);
  const auto flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
  ImGui::Begin("listen", nullptr, flags);
  ImGui::TextWrapped("This session wants to listen for views at %s. Other programs could then send a scan.",
                     address.c_str());
  if (ImGui::Button("Listen")) frame.act("watch", {address});
  name_item("Listen");
  ImGui::SameLine();
  if (ImGui::Button("Do not listen")) frame.act("watch", {"off"});
  name_item("Do not listen");
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace backlit::viewer
