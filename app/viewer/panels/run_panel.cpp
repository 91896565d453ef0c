#include <fmt/format.h>

#include <algorithm>

#include "model/progress_words.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/synthetic_input.hpp"
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
  const std::string shown = elided(text, size.x - 2 * round);
  const ImVec2 words = ImGui::CalcTextSize(shown.c_str());
  list.AddText({low.x + 0.5f * (size.x - words.x), low.y + 0.5f * (size.y - words.y)},
               ImGui::GetColorU32(ImGuiCol_Text), shown.c_str());
}

/// The stage of reading or waiting. Its line is always reserved, so that the widgets below do not move.
void activity(Frame& frame) {
  const Status& s = frame.status;
  const std::string text = activity_in_words(s);
  note_text("activity", text);
  if (text.empty()) {
    const std::string& why = s.running ? "" : s.finished.stopped_by;
    if (!why.empty()) return fact("ended", why);
    return ImGui::Dummy({1, ImGui::GetFrameHeight()});
  }
  const double share =
      s.activity_total > 0 ? static_cast<double>(s.activity_done) / static_cast<double>(s.activity_total) : 0;
  bar(frame, share, text);
  tooltip(text);
}

/// One line, so that widgets below do not move when a run begins on another device.
void device(const std::string& name) {
  row("device");
  const std::string text = name.empty() ? "not chosen yet" : name.substr(0, name.find(" ("));
  note_text("device", text);
  ImGui::TextUnformatted(elided(text, ImGui::GetContentRegionAvail().x).c_str());
}

void nothing_to_run(Frame& frame) {
  const Status& s = frame.status;
  const bool volume = s.source && s.source->kind == SourceInfo::Kind::volume;
  quiet_text(volume      ? "A volume is open: there are no projections to reconstruct."
             : s.opening ? "Waiting for data ..."
             : s.source  ? "No projections: only the geometry is shown."
                         : "Open a scan to reconstruct it.");
  activity(frame);
  if (s.opening) button(frame, "Cancel", "cancel", true, 0, 1);
}

}  // namespace

void run_panel(Frame& frame) {
  const Status& s = frame.status;
  if (!section("Reconstruction")) return;
  if (!s.source || !s.source->can_run()) return nothing_to_run(frame);
  button(frame, s.running ? "Restart" : "Reconstruct", "reconstruct", true, 0, 2);
  button(frame, s.paused ? "Resume" : "Pause", s.paused ? "resume" : "pause", s.running, 1, 2);
  button(frame, "Step", "step", s.running, 0, 3);
  button(frame, "Finish", "finish", s.running, 1, 3);
  button(frame, "Cancel", "cancel", s.running || s.opening || !s.activity.empty(), 2, 3);
  const bool outdated = frame.model.stale() && !s.running && !s.finished.cancelled;
  const bool waits = !s.running && (outdated || s.runs == 0);
  const std::string large = waits ? frame.model.too_large(frame.next.grid) : "";
  const std::string text = !large.empty() ? "Too large for the memory"
                           : outdated     ? "Outdated: press Reconstruct"
                                          : run_in_words(s);
  note_text("run", text);
  bar(frame, s.running ? run_share(s) : s.runs > 0 && !outdated ? 1 : 0, text);
  tooltip(large.empty() ? text : large + " See Region and voxels.");
  device(s.started.device);
  tooltip(fmt::format("{}: {}\n{}", s.started.backend, s.started.device, s.started.variant));
  activity(frame);
}

}  // namespace backlit::viewer
