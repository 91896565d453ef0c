#include <fmt/format.h>

#include <algorithm>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace backlit::viewer {
namespace {

void numbers(Frame& frame) {
  const auto& compared = frame.status.compared;
  const bool fresh = compared && compared->generation == frame.status.generation;
  ImGui::BeginDisabled(frame.status.running);
  if (ImGui::Button("RMSE, SSIM", {-1, 0})) frame.act("compare numbers");
  ImGui::EndDisabled();
  name_item("RMSE, SSIM");
  tooltip("Compare all voxels of B with A");
  if (!fresh) return;
  const Metrics& m = compared->metrics;
  fact("RMSE", fmt::format("{:.4g}", m.rmse));
  fact("largest difference", fmt::format("{:.4g}", m.max_abs));
  fact("PSNR", fmt::format("{:.2f} dB", m.psnr_db));
  fact("SSIM", fmt::format("{:.5f}", m.ssim));
}

/// Lists the reconstruction parameters that differ between A and B.
void differences(Frame& frame) {
  ViewState a = frame.status.pinned->made_by, b = frame.next;
  const auto left = describe(a), right = describe(b);
  for (std::size_t s = 0; s < left.size(); ++s) {
    const std::string& name = left[s].name;
    if (name != "reconstruction" && name != "geometry" && name != "grid" && name != "pet") continue;
    for (const Parameter& p : left[s].parameters) {
      const auto same = std::ranges::find(right[s].parameters, p.name, &Parameter::name);
      const std::string now = same == right[s].parameters.end() ? "-" : same->text();
      if (p.text() != now) fact(spoken(p.name), fmt::format("{}  |  {}", p.text(), now));
    }
  }
}

}  // namespace

void compare_panel(Frame& frame) {
  if (!section("Compare", true)) return;
  const bool pinned = frame.status.pinned.has_value();
  ImGui::BeginDisabled(!frame.has_volume());
  const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
  if (ImGui::Button("Pin as A", {half, 0})) frame.act("pin");
  ImGui::EndDisabled();
  name_item("Pin as A");
  tooltip("Keep the present volume as A; what is reconstructed or opened after is B  [P]");
  ImGui::SameLine();
  ImGui::BeginDisabled(!pinned);
  if (ImGui::Button("Unpin", {half, 0})) frame.act("unpin");
  ImGui::EndDisabled();
  name_item("Unpin");
  if (!pinned) return quiet_text("Pin a volume, then change a parameter or open another file.");
  fact("A", frame.status.pinned->label);
  Parameters layout;
  for (StateSection& s : describe(frame.next))
    if (s.name == "layout") layout = std::move(s.parameters);
  edit_row(frame, of(layout, "compare"), 1, "show");
  if (frame.next.layout.compare == "wipe") edit_row(frame, of(layout, "wipe"));
  numbers(frame);
  differences(frame);
}

}  // namespace backlit::viewer
