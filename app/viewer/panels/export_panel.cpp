#include <fmt/format.h>

#include "panels/notice.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {

void export_panel(Frame& frame) {
  const std::int64_t done = frame.status.pictures_written, all = frame.status.pictures_wanted;
  if (all == 0) return;
  const Notice notice(frame, "pictures", true, 26, palette().accent);
  const std::string text = fmt::format("Writing pictures: {} of {}", done, all);
  note_text("pictures", text);
  ImGui::ProgressBar(static_cast<float>(done) / static_cast<float>(all), {-8 * ImGui::GetFontSize(), 0}, text.c_str());
  ImGui::SameLine();
  if (ImGui::Button("Cancel export", {-1, 0})) frame.act("cancel export");
  name_item("Cancel export");
}

}  // namespace backlit::viewer
