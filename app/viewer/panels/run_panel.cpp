#include <fmt/format.h>

#include <algorithm>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

void button(Frame& frame, const char* text, const char* action, bool enabled, int i, int n) {
  if (i > 0) ImGui::SameLine();
  const float gap = ImGui::GetStyle().ItemSpacing.x,
              all = ImGui::GetWindowContentRegionMax().x - ImGui::GetStyle().WindowPadding.x;
  ImGui::BeginDisabled(!enabled);
  if (ImGui::Button(text, {(all - gap * static_cast<float>(n - 1)) / static_cast<float>(n), 0})) frame.act(action);
  name_item(text);
  ImGui::EndDisabled();
  tooltip(action_info(action).help +
          (action_info(action).shortcut.empty() ? "" : "  [" + action_info(action).shortcut + "]"));
}

void bar(Frame& frame, double share, const std::string& text) {
  const ImVec2 low = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()};
  ImGui::Dummy(size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float round = 4 * frame.unit, filled = size.x * static_cast<float>(std::clamp(share, 0.0, 1.0));
  list.AddRectFilled(low, {low.x + size.x, low.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg, 0.6f), round);
  if (filled > 2 * round)
    list.AddRectFilled(low, {low.x + filled, low.y + size.y}, ImGui::GetColorU32(ImGuiCol_ButtonActive), round);
  const ImVec2 words = ImGui::CalcTextSize(text.c_str());
  list.AddText({low.x + 0.5f * (size.x - words.x), low.y + 0.5f * (size.y - words.y)},
               ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
}

/// What is read, or waited for.
void activity(const Status& s, Frame& frame) {
  if (s.activity.empty()) return;
  const double share =
      s.activity_total > 0 ? static_cast<double>(s.activity_done) / static_cast<double>(s.activity_total) : 0;
  bar(frame, share, s.activity);
  tooltip(s.activity);
}

}  // namespace

void run_panel(Frame& frame) {
  const Status& s = frame.status;
  if (!section("Reconstruction")) return;
  const bool data = s.source && s.source->can_run();
  if (!data) {
    const bool volume = s.source && s.source->kind == SourceInfo::Kind::volume;
    quiet_text(volume      ? "A volume: nothing to reconstruct."
               : s.source  ? "A scan without projections: nothing to reconstruct."
               : s.opening ? "As soon as there is something to reconstruct."
                           : "Open a scan to reconstruct it.");
    return activity(s, frame);
  }
  button(frame, s.running ? "Restart" : "Reconstruct", "reconstruct", true, 0, 2);
  button(frame, s.paused ? "Resume" : "Pause", s.paused ? "resume" : "pause", s.running, 1, 2);
  button(frame, "Step", "step", s.running, 0, 3);
  button(frame, "Finish", "finish", s.running, 1, 3);
  button(frame, "Cancel", "cancel", s.running, 2, 3);

  const ReconProgress& p = s.progress;
  if (s.running || s.runs > 0) {
    const double share = p.total > 0 ? static_cast<double>(p.done) / static_cast<double>(p.total) : 0;
    std::string text = fmt::format("{} {} / {} {}", p.stage, p.done, p.total, p.unit);
    if (s.running && p.total == 0)
      text = "being prepared";
    else if (s.source->list)
      text = fmt::format("iteration {}: {:.3g} of {:.3g} M events", p.iteration + 1, 1e-6 * static_cast<double>(p.done),
                         1e-6 * static_cast<double>(p.total));
    if (!s.running)
      text = s.finished.cancelled  ? "cancelled"
             : s.finished.complete ? fmt::format("done in {:.2f} s", s.finished.seconds)
                                   : fmt::format("finished early, {:.2f} s", s.finished.seconds);
    bar(frame, s.running ? share : 1, (s.paused ? "paused, " : "") + text);
    if (!s.started.device.empty()) fact("device", s.started.device);
    tooltip(fmt::format("{}: {}\n{}", s.started.backend, s.started.device, s.started.variant));
    if (!s.finished.stopped_by.empty() && !s.running) quiet_text(s.finished.stopped_by);
  }
  activity(s, frame);
}

}  // namespace backlit::viewer
