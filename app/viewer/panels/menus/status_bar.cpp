#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include <backlit/data/hounsfield.hpp>
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

/// The point under the pointer, else the crosshair: mm, voxel, value, HU.
std::string probe_text(Frame& frame) {
  if (!frame.has_volume()) return "";
  const Vec3 p = frame.probed() ? *frame.probed() : frame.next.crosshair;
  const VolumeGrid grid = frame.grid();
  const Vec3 voxel = glm::round((p - grid.first_voxel()) / grid.spacing);
  const auto place = [&](double mm) { return Frame::place_text(mm, grid); };
  std::string text = fmt::format("{}  {:>8} {:>8} {:>8} {}    voxel {:4.0f} {:4.0f} {:4.0f}",
                                 frame.probed() ? "pointer  " : "crosshair", place(p.x), place(p.y), place(p.z),
                                 frame.length_unit(), voxel.x, voxel.y, voxel.z);
  const float value = frame.model.value_at(p);
  if (!std::isfinite(value)) return text + "    outside";
  if (frame.model.compared_by() != "off")
    if (const float a = frame.model.pinned_values_at({&p, 1}).front(); std::isfinite(a))
      text += fmt::format("    A {:.5g}    B", a);
  const auto& source = frame.status.source;
  if (source && source->list) {
    text += "    " + frame.with_unit(fmt::format("{:.4g}", value));
    const double suv = frame.model.suv();
    return std::isfinite(suv) ? text + fmt::format("    SUV {:.3g}", suv * value) : text;
  }
  if (!frame.model.knows_hu()) return text + "    " + frame.with_unit(fmt::format("{:.5g}", value));
  const LinearScale hu = hounsfield_scale(frame.next.display.water, frame.next.display.air);
  return text + fmt::format("    {:.5f} 1/mm    {:.0f} HU", value, hu.number(static_cast<double>(value)));
}

}  // namespace

void status_bar(Frame& frame, double frames_per_second) {
  const std::string probe = probe_text(frame);
  ImGui::TextUnformatted(probe.c_str());
  name_item("probe");
  note_text("probe", probe);
  const std::string& tool = frame.next.layout.tool;
  std::string right = tool == "crosshair" ? "" : fmt::format("Tool: {}; Escape ends it    ", tool);
  note_text("tool in use", right);
  if (!frame.status.exported.empty())
    right += "wrote " + std::filesystem::path(frame.status.exported).filename().string() + "    ";
  const auto& samples = frame.status.throughput;
  if (frame.status.running && !samples.empty())
    right += frame.model.list_mode() ? fmt::format("{:.3g} M events/s    ", 1e-6 * samples.back().views_per_second)
                                     : fmt::format("{:.0f} projections/s    ", samples.back().views_per_second);
  if (frames_per_second > 0) right += fmt::format("{:.0f} frames/s", frames_per_second);
  const float from = ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(right.c_str()).x;
  ImGui::SameLine();
  if (ImGui::GetCursorPosX() > from) return ImGui::NewLine();  // not enough room
  ImGui::SetCursorPosX(from);
  ImGui::TextDisabled("%s", right.c_str());
}

}  // namespace backlit::viewer
