#include <fmt/format.h>

#include <algorithm>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "views/panes/pane.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

std::string number_of(std::size_t keyframe) { return std::to_string(keyframe + 1); }

bool wide_button(const char* label, const std::string& help, float width, bool enabled = true) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(label, {width, 0});
  ImGui::EndDisabled();
  name_item(label);
  tooltip(help);
  return pressed;
}

float half_width() { return 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x); }

}  // namespace

/// A key frame: a click goes to it, a drag onto another one moves it there.
void MoviePanel::draw_keyframe(Frame& frame, std::size_t i, float width) {
  const auto& path = frame.next.keyframes;
  const std::string name = "key frame " + number_of(i);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect rect{at, {width, width * KeyframePictures::height / KeyframePictures::width}};
  if (ImGui::InvisibleButton(name.c_str(), rect.size)) {
    chosen_ = i;
    frame.act("keyframe go", {number_of(i)});
  }
  name_item(name);
  tooltip(fmt::format("{:.0f}°, {:.0f}°, × {:.3g}. A click goes there; drag it onto another to change the order.",
                      path[i].azimuth, path[i].elevation, path[i].zoom));
  if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoPreviewTooltip)) {
    ImGui::SetDragDropPayload("key frame", &i, sizeof i);
    ImGui::EndDragDropSource();
  }
  if (ImGui::BeginDragDropTarget()) {
    if (const ImGuiPayload* const taken = ImGui::AcceptDragDropPayload("key frame")) {
      const std::size_t from = *static_cast<const std::size_t*>(taken->Data);
      frame.act("keyframe move", {number_of(from), number_of(i)});
      chosen_ = i;
    }
    ImGui::EndDragDropTarget();
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(rect.min, rect.max(), palette().pane);
  if (const gl::Texture* const picture = pictures_.of(i)) draw_texture(rect, *picture);
  if (chosen_ == i) list.AddRect(rect.min, rect.max(), palette().accent, 0, 0, 2 * frame.unit);
  label(list, {at.x + 4 * frame.unit, at.y + 2 * frame.unit}, number_of(i), palette().label);
}

void MoviePanel::draw_path(Frame& frame) {
  const std::size_t count = frame.next.keyframes.size();
  if (count == 0) return quiet_text("No key frames yet: turn the 3-D view, then add one.");
  constexpr int columns = 3;
  const float gap = 3 * frame.unit, width = (ImGui::GetContentRegionAvail().x - (columns - 1) * gap) / columns;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (std::size_t i = 0; i < count; ++i) {
    if (i % columns != 0) ImGui::SameLine();
    draw_keyframe(frame, i, width);
  }
  ImGui::PopStyleVar();
  const bool chosen = chosen_ < count;
  const float third = (ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
  const std::string number = number_of(chosen_);
  if (wide_button("Earlier", "Move the chosen key frame one place to the front", third, chosen && chosen_ > 0)) {
    frame.act("keyframe move", {number, number_of(chosen_ - 1)});
    --chosen_;
  }
  ImGui::SameLine();
  if (wide_button("Later", "Move the chosen key frame one place to the back", third, chosen && chosen_ + 1 < count)) {
    frame.act("keyframe move", {number, number_of(chosen_ + 1)});
    ++chosen_;
  }
  ImGui::SameLine();
  if (wide_button("Remove", "Remove the chosen key frame", third, chosen)) frame.act("keyframe remove", {number});
  if (wide_button("Replace by this view", "The chosen key frame becomes the present camera", -1, chosen))
    frame.act("keyframe set", {number});
}

void MoviePanel::draw(Frame& frame) {
  if (!section("Movie", true)) return;
  pictures_.update(frame);
  draw_path(frame);
  if (wide_button("Add key frame", action_info("keyframe").help + "  [K]", -1)) {
    frame.act("keyframe");
    chosen_ = frame.next.keyframes.size();
  }
  for (StateSection& s : describe(frame.next)) {
    if (s.name != "movie") continue;
    edit_row(frame, of(s.parameters, "movie_seconds"), 0.05, "seconds");
    edit_row(frame, of(s.parameters, "movie_size"), 1, "picture size");
  }
  const std::string& play = frame.next.layout.play;
  const auto preview = [&](const char* label, const char* what, const char* help, float width, bool possible) {
    ImGui::BeginDisabled(!possible);
    if (toggle_button(label, play == what, help, {width, 0})) frame.act("play", {play == what ? "off" : what});
    ImGui::EndDisabled();
  };
  const bool path = frame.next.keyframes.size() > 1;
  preview("Play path", "path", "Plays the camera path in the 3-D view, over and over; then the camera goes back  [C]",
          half_width(), path && frame.has_volume());
  ImGui::SameLine();
  preview("Play turntable", "turntable", "Turns the 3-D view once around, over and over; then the camera goes back", -1,
          frame.has_volume());
  if (wide_button("Export path ...", action_info("export path").help, half_width(), path && frame.has_volume()))
    frame.act("export path");
  ImGui::SameLine();
  if (wide_button("Export turntable ...", action_info("export turntable").help, -1, frame.has_volume()))
    frame.act("export turntable");
}

}  // namespace backlit::viewer
