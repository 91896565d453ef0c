#include <algorithm>
#include <array>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace backlit::viewer {
namespace {

struct Layout {
  const char* panes;
  const char* label;
  const char* help;
};
constexpr std::array layouts{Layout{"four", "Slices + 3-D", "three slices and the 3-D view  [F2]"},
                             Layout{"slices", "Slices", "the three slices, large  [F3]"},
                             Layout{"volume", "3-D", "the 3-D view alone  [F4]"},
                             Layout{"projections", "Projections", "measured, reprojected, difference  [F6]"},
                             Layout{"geometry", "Scan", "source, detector and rays  [F7]"}};

void slider_of_views(Frame& frame) {
  const auto& source = frame.status.source;
  if (!source || source->scan.views.empty()) return;
  ImGui::SameLine(0, 1.5f * ImGui::GetFontSize());
  ImGui::SetNextItemWidth(
      std::max(4 * ImGui::GetFontSize(), ImGui::GetContentRegionAvail().x - 8.6f * ImGui::GetFontSize()));
  const std::int64_t low = 0, high = source->scan.view_count() - 1;
  if (ImGui::SliderScalar("##view", ImGuiDataType_S64, &frame.next.layout.view, &low, &high, "view %lld"))
    frame.edited("view");
  name_item("view");
  ImGui::SameLine();
  if (toggle_button("From the source", frame.next.layout.from_source,
                    "the camera looks from the source of this view  [S]")) {
    frame.next.layout.from_source = !frame.next.layout.from_source;
    frame.edited("source camera");
  }
}

}  // namespace

void tool_bar(Frame& frame) {
  bool first = true;
  for (const Layout& l : layouts) {
    if (!first) ImGui::SameLine(0, 3);
    first = false;
    if (!toggle_button(l.label, frame.next.layout.panes == l.panes, l.help)) continue;
    frame.next.layout.panes = l.panes;
    frame.edited("layout");
  }
  ImGui::SameLine(0, 1.5f * ImGui::GetFontSize());
  if (toggle_button("Oblique", frame.next.oblique.shown, "a slice anywhere, from the projections  [O]"))
    frame.act("toggle oblique");
  ImGui::SameLine(0, 3);
  const bool d2vr = frame.next.display.picture == "d2vr", split = frame.next.display.picture == "split";
  ImGui::BeginDisabled(!frame.status.source || !frame.status.source->has_views);
  if (toggle_button("D2VR", d2vr, "render straight from the projections, without a volume"))
    frame.act("picture", {d2vr ? "volume" : "d2vr"});
  ImGui::SameLine(0, 3);
  if (toggle_button("Split", split, "volume | D2VR | difference, with one camera"))
    frame.act("picture", {split ? "volume" : "split"});
  ImGui::EndDisabled();
  const std::string& panes = frame.next.layout.panes;
  if (panes == "projections" || panes == "geometry" || frame.next.layout.from_source) slider_of_views(frame);
}

}  // namespace backlit::viewer
