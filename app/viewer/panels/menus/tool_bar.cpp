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
constexpr std::array layouts{
    Layout{"four", "Slices + 3-D", "Three slices and the 3-D view  [F2]"},
    Layout{"slices", "Slices", "Three slices, the axial one large  [F3]"},
    Layout{"volume", "3-D", "Only the 3-D view  [F4]"},
    Layout{"projections", "Projections", "Measured projection, reprojection, difference, sinogram  [F6]"},
    Layout{"geometry", "Scan", "Source, detector and rays  [F7]"},
    Layout{"centers", "Centres", "The slice for several rotation centres; a click takes one  [F8]"}};

/// Places widgets side by side, and starts a new row at the end of the window.
class Flow {
 public:
  /// Prepares the place of the next widget, `width` wide and `gap` after the previous one.
  void next(float width, float gap) {
    const float left = ImGui::GetWindowContentRegionMax().x - end_ - gap;
    if (rows_ == 0 || left < width) {
      ++rows_;
      end_ = ImGui::GetCursorPosX();
    } else {
      ImGui::SameLine(0, gap);
      end_ += gap;
    }
    end_ += width;
  }
  float left() const { return ImGui::GetWindowContentRegionMax().x - end_; }
  int rows() const { return rows_; }

 private:
  float end_ = 0;
  int rows_ = 0;
};

float width_of(const char* label) { return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x; }

void slider_of_views(Frame& frame, Flow& flow, float gap) {
  const auto& source = frame.status.source;
  if (!source || source->scan.views.empty()) return;
  const char* const label = "View from source";
  const float between = ImGui::GetStyle().ItemSpacing.x, button = width_of(label);
  const float least = 7 * ImGui::GetFontSize(), beside = flow.left() - gap - between - button;
  flow.next(least + between + button, gap);  // slider and button in one row
  const float free = beside >= least ? beside : ImGui::GetContentRegionAvail().x - between - button;
  ImGui::SetNextItemWidth(std::max(least, free));
  const std::int64_t low = 0, high = source->scan.view_count() - 1;
  if (ImGui::SliderScalar("##view", ImGuiDataType_S64, &frame.next.layout.view, &low, &high, "view %lld"))
    frame.edited("view");
  name_item("view");
  field_tooltip(how_to_type);
  ImGui::SameLine();
  if (toggle_button(label, frame.next.layout.from_source, "Look from the source of this view  [S]")) {
    frame.next.layout.from_source = !frame.next.layout.from_source;
    frame.edited("source camera");
  }
}

void slider_of_steps(Frame& frame, Flow& flow, float gap) {
  const float least = 9 * ImGui::GetFontSize();
  flow.next(least, gap);
  ImGui::SetNextItemWidth(std::max(least, std::min(flow.left(), 2 * least)));
  const double low = 0.05, high = 20;
  if (ImGui::SliderScalar("##step", ImGuiDataType_Double, &frame.next.layout.center_step, &low, &high, "%.2f px apart",
                          ImGuiSliderFlags_Logarithmic))
    frame.edited("center_step");
  name_item("center_step");
  field_tooltip(how_to_type);
}

void slider_of_speed(Frame& frame, Flow& flow, float gap) {
  const float least = 8 * ImGui::GetFontSize();
  flow.next(least, gap);
  ImGui::SetNextItemWidth(least);
  const double low = 0.5, high = 60;
  if (ImGui::SliderScalar("##speed", ImGuiDataType_Double, &frame.next.layout.play_speed, &low, &high, "%.1f slices/s",
                          ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
    frame.edited("play_speed");
  name_item("play_speed");
  field_tooltip(how_to_type);
}

}  // namespace

int tool_bar(Frame& frame) {
  constexpr float near = 3;
  const float apart = 1.5f * ImGui::GetFontSize();
  Flow flow;
  for (const Layout& l : layouts) {
    flow.next(width_of(l.label), near);
    const bool usable = possible(frame.model, std::string("layout ") + l.panes);
    ImGui::BeginDisabled(!usable);
    const std::string help = usable ? l.help : std::string(l.help) + ". Needs a scan with projections.";
    const bool pressed = toggle_button(l.label, frame.next.layout.panes == l.panes, help.c_str());
    ImGui::EndDisabled();
    if (!pressed) continue;
    frame.next.layout.panes = l.panes;
    frame.next.layout.large.clear();
    frame.edited("layout");
  }
  flow.next(width_of("Oblique"), apart);
  if (toggle_button("Oblique", frame.next.oblique.shown,
                    "Oblique slice, computed from the projections where there are any  [O]"))
    frame.act("toggle oblique");
  const bool slices = frame.next.layout.panes == "four" || frame.next.layout.panes == "slices";
  const bool plays = frame.next.layout.play != "off";
  ImGui::BeginDisabled(!frame.has_volume() || (!slices && !plays));
  flow.next(width_of("Play"), near);
  if (toggle_button("Play", plays, "Play the slices as a film: the axial ones, or those shown alone  [C]"))
    frame.act("play");
  ImGui::EndDisabled();
  const bool in_3d = has_volume_pane(frame.next.layout);
  const bool d2vr = in_3d && frame.next.display.picture == "d2vr",
             split = in_3d && frame.next.display.picture == "split";
  ImGui::BeginDisabled(!frame.status.source || !frame.status.source->has_views);
  flow.next(width_of("D2VR"), near);
  if (toggle_button("D2VR", d2vr, "Render straight from the projections, without a volume"))
    frame.act("picture", {d2vr ? "volume" : "d2vr"});
  flow.next(width_of("Split"), near);
  if (toggle_button("Split", split, "Volume, D2VR and their difference, with one camera"))
    frame.act("picture", {split ? "volume" : "split"});
  ImGui::EndDisabled();
  const std::string& panes = frame.next.layout.panes;
  if (panes == "projections" || panes == "geometry" || frame.next.layout.from_source)
    slider_of_views(frame, flow, apart);
  const bool cameras = frame.next.layout.play == "path" || frame.next.layout.play == "turntable";
  if (plays && !cameras) slider_of_speed(frame, flow, apart);
  if (panes == "centers") slider_of_steps(frame, flow, apart);
  return flow.rows();
}

}  // namespace backlit::viewer
