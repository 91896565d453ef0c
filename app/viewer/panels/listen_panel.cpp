#include "panels/notice.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {

void listen_panel(Frame& frame) {
  const std::string& address = frame.status.asks_to_listen;
  if (address.empty()) return;
  const Notice notice(frame, "listen", false, 36, palette().accent);
  ImGui::TextWrapped("This session wants to listen for views at %s. Other programs could then send a scan.",
                     address.c_str());
  if (ImGui::Button("Listen")) frame.act("watch", {address});
  name_item("Listen");
  ImGui::SameLine();
  if (ImGui::Button("Do not listen")) frame.act("watch", {"off"});
  name_item("Do not listen");
}

}  // namespace backlit::viewer
