#include "panels/notice.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {

void error_panel(Frame& frame) {
  if (frame.status.errors.empty()) return;
  const Notice notice(frame, "errors", true, 52, palette().bad);
  const auto& errors = frame.status.errors;
  const std::size_t shown = std::min<std::size_t>(errors.size(), 4);
  for (std::size_t i = errors.size() - shown; i < errors.size(); ++i) ImGui::TextWrapped("%s", errors[i].c_str());
  if (errors.size() > shown) ImGui::TextDisabled("and %d before", static_cast<int>(errors.size() - shown));
  if (ImGui::Button("Dismiss")) frame.act("dismiss");
  name_item("Dismiss");
}

}  // namespace backlit::viewer
