#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include <backlit/data/hounsfield.hpp>
#include "model/values/statistics.hpp"
#include "panels/panels.hpp"
#include "panels/plots/plot.hpp"
#include "panels/widgets.hpp"
#include "views/measuring.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

/// Values read from the volume; read again after a change of the volume or the measurement.
struct Reading {
  Measurement of;
  std::int64_t generation = -1;
  std::vector<double> distance, values;
  RegionStatistics box;
  double threshold = 0, below = 0;      ///< the share of the box's values that lie below it
  std::int64_t pinned_generation = -1;  ///< of A, where it is shown, too
  RigidMotion motion;
  std::vector<double> pinned_values;
  RegionStatistics pinned_box;
};

const Reading& reading(Frame& frame, std::size_t i) {
  static std::vector<Reading> kept;
  kept.resize(std::max(kept.size(), i + 1));
  Reading& r = kept[i];
  const Measurement& m = frame.next.measurements[i];
  const bool two = frame.model.compared_by() != "off";
  const std::int64_t pinned = two ? frame.model.pinned_front().generation : -1;
  const RigidMotion motion = two ? motion_of(frame.next.pinned, frame.status.pinned->grid) : RigidMotion{};
  const double threshold = frame.model.segment_range()[0];
  if (r.of == m && r.generation == frame.front.generation && r.pinned_generation == pinned && r.motion == motion &&
      r.threshold == threshold)
    return r;
  r = {m, frame.front.generation, {}, {}, {}, threshold, 0, pinned, motion, {}, {}};
  if (m.kind == Measurement::Kind::region)
    for (const bool a : {false, true}) {
      const auto points = box_points(m.points[0], m.points[1], frame.grid());
      if (!a) {
        const auto values = frame.model.values_at(points);
        r.box = statistics_of(values);
        r.below = share_below(values, threshold);
      }
      if (a && two) r.pinned_box = statistics_of(frame.model.pinned_values_at(points));
    }
  if (m.kind == Measurement::Kind::profile) {
    const std::vector<Vec3> points = line_points(m.points[0], m.points[1], 401);
    for (const Vec3& p : points) r.distance.push_back(glm::length(p - points.front()));
    for (const float v : frame.model.values_at(points)) r.values.push_back(v);
    if (two)
      for (const float v : frame.model.pinned_values_at(points)) r.pinned_values.push_back(std::isfinite(v) ? v : 0);
  }
  return r;
}

/// Buttons that take a mean for the value of water or air.
void calibrate(Frame& frame, double mean) {
  if (!frame.model.knows_hu() || !std::isfinite(mean)) return;
  DisplayState& d = frame.next.display;
  const auto button = [&](const char* text, const char* help, bool possible, double& value, const char* name) {
    ImGui::BeginDisabled(!possible);
    if (ImGui::SmallButton(text)) {
      value = mean;
      frame.edited(name);
    }
    ImGui::EndDisabled();
    name_item(text);
    tooltip(help);
  };
  button("This is water", "Takes the mean for water's value, 0 HU", mean > d.air && mean > 0, d.water, "water");
  ImGui::SameLine();
  button("This is air", "Takes the mean for air's value, -1000 HU: a scan's offset no longer shifts Hounsfield units",
         mean < d.water, d.air, "air");
}

/// A known length sets the distance from source to axis.
void true_length(Frame& frame, std::size_t i) {
  const auto& source = frame.status.source;
  const double length = measured(frame.next.measurements[i]);
  if (!source || !source->has_views || frame.model.list_mode() || source->scan.beam() != Beam::cone || !(length > 0))
    return;
  row("true length",
      "Type the known length and press Enter. It sets the distance from source to axis, and so the scale.");
  double typed = length;
  const bool taken = ImGui::InputDouble("##true length", &typed, 0, 0, "%.4g mm", ImGuiInputTextFlags_EnterReturnsTrue);
  name_item(fmt::format("true length {}", i + 1));
  if (taken && scale_to_length(frame.next, length, typed)) frame.edited("axis_distance");
}

std::vector<Curve> curves_of(const Reading& r) {
  std::vector<Curve> curves{{r.distance, r.values, palette().accent, r.pinned_values.empty() ? "value" : "B"}};
  if (!r.pinned_values.empty()) curves.push_back({r.distance, r.pinned_values, palette().second, "A"});
  return curves;
}

void results(Frame& frame, std::size_t i) {
  const Measurement& m = frame.next.measurements[i];
  if (!frame.has_volume()) return;
  if (m.kind == Measurement::Kind::distance) true_length(frame, i);
  if (m.kind == Measurement::Kind::profile) {
    const Reading& r = reading(frame, i);
    plot(frame, "profile plot", curves_of(r), {.x_label = frame.length_unit(), .height = 115, .read_out = true});
    if (toggle_button("Large plot", frame.next.layout.large_profile,
                      "The last profile over the panes, with the value under the pointer")) {
      frame.next.layout.large_profile = !frame.next.layout.large_profile;
      frame.edited("large_profile");
    }
    const ProfilePeak peak = profile_peak(r.distance, r.values);
    if (std::isfinite(peak.at))
      fact("peak", frame.with_unit(fmt::format("{:.5g}", peak.value)) +
                       fmt::format(" at {:.4g} {}", peak.at, frame.length_unit()));
    if (std::isfinite(peak.fwhm)) fact("FWHM", fmt::format("{:.4g} {}", peak.fwhm, frame.length_unit()));
    tooltip("Full width of the highest peak, or deepest dip, at half its height over the line through both ends");
    fact("inside",
         fmt::format("{:.4g} {} above ", length_above(r.distance, r.values, r.threshold), frame.length_unit()) +
             frame.with_unit(fmt::format("{:.4g}", r.threshold)));
    tooltip(
        "Thickness along the line of what lies above the segment's least value, halfway between the two materials "
        "unless it was changed (ISO50)");
  }
  if (m.kind == Measurement::Kind::region) {
    const RegionStatistics& s = reading(frame, i).box;
    const DisplayState& d = frame.next.display;
    const std::string mean = frame.with_unit(fmt::format("{:.5g}", s.mean));
    fact("mean", !frame.model.knows_hu()
                     ? mean
                     : mean + fmt::format("  ({:.0f} HU)", hounsfield_scale(d.water, d.air).number(s.mean)));
    calibrate(frame, s.mean);
    if (const double suv = frame.model.suv(); std::isfinite(suv))
      fact("SUV", fmt::format("{:.3g} mean, {:.3g} largest", suv * s.mean, suv * s.high));
    fact("deviation", frame.with_unit(fmt::format("{:.3g}", s.deviation)));
    fact("range", frame.with_unit(fmt::format("{:.4g} to {:.4g}", s.low, s.high)));
    fact("samples", grouped(s.samples));
    const Reading& r = reading(frame, i);
    fact("share", fmt::format("{:.3g} % below ", 100 * r.below) + frame.with_unit(fmt::format("{:.4g}", r.threshold)));
    tooltip(
        "The share of the samples below the segment's least value: the porosity, where that parts solid from pores");
    const RegionStatistics& a = reading(frame, i).pinned_box;
    if (a.samples > 0) fact("A: mean", fmt::format("{:.5g} ± {:.3g}", a.mean, a.deviation));
  }
}

}  // namespace

void profile_window(Frame& frame) {
  bool open = frame.next.layout.large_profile;
  if (!open || !frame.has_volume()) return;
  const auto& all = frame.next.measurements;
  const auto last = std::ranges::find(all.rbegin(), all.rend(), Measurement::Kind::profile, &Measurement::kind);
  if (last == all.rend()) return;
  const Reading& r = reading(frame, static_cast<std::size_t>(all.rend() - last) - 1);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * screen.x, 0.92f * screen.y}, ImGuiCond_Appearing, {0.5f, 1});
  ImGui::SetNextWindowSize({0.52f * screen.x, 0.42f * screen.y}, ImGuiCond_Appearing);
  if (ImGui::Begin("Profile###large profile", &open, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing))
    plot(frame, "large profile plot", curves_of(r),
         {.x_label = frame.length_unit(),
          .height = std::max(40.0f, ImGui::GetContentRegionAvail().y / frame.unit),
          .level = r.threshold,
          .read_out = true});
  ImGui::End();
  if (open) return;
  frame.next.layout.large_profile = false;
  frame.edited("large_profile");
}

void measure_panel(Frame& frame) {
  if (!section("Measure", true)) return;
  std::vector<const ActionInfo*> tools;
  for (const std::string& kind : measurement_names()) tools.push_back(&action_info("tool " + kind));
  // Widths follow the labels: with equal widths the longest label would be cut off.
  const auto wanted = [](const ActionInfo& tool) { return ImGui::CalcTextSize(tool.title.c_str()).x + 8; };
  float all = 0;
  for (const ActionInfo* tool : tools) all += wanted(*tool);
  const float stretch = (ImGui::GetContentRegionAvail().x - 3 * static_cast<float>(tools.size() - 1)) / all;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {3, ImGui::GetStyle().ItemSpacing.y});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {2, ImGui::GetStyle().FramePadding.y});
  for (const ActionInfo* tool : tools) {
    if (tool != tools.front()) ImGui::SameLine();
    if (toggle_button(tool->title.c_str(), tool->checked(frame.model), tool->help.c_str(),
                      {stretch * wanted(*tool), 0}))
      frame.act(tool->name);
  }
  ImGui::PopStyleVar(2);
  for (StateSection& s : describe(frame.next))
    if (s.name == "layout") edit_row(frame, of(s.parameters, "snap"), 1, "snap to edges");
  std::size_t gone = frame.next.measurements.size();
  for (std::size_t i = 0; i < frame.next.measurements.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    Measurement& m = frame.next.measurements[i];
    row(fmt::format("{}  {}", i + 1, measurement_names()[static_cast<std::size_t>(m.kind)]));
    if (m.kind == Measurement::Kind::note) {
      ImGui::SetNextItemWidth(-2.2f * ImGui::GetFontSize());
      if (ImGui::InputText("##note", &m.text)) frame.edited("note");
      name_item(fmt::format("note {}", i + 1));
    } else {
      ImGui::TextUnformatted(short_result(frame, m).c_str());
    }
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - 1.6f * ImGui::GetFontSize());
    if (ImGui::SmallButton("×")) gone = i;
    tooltip("Delete");
    results(frame, i);
    ImGui::PopID();
  }
  if (gone < frame.next.measurements.size()) {
    frame.next.measurements.erase(frame.next.measurements.begin() + static_cast<std::ptrdiff_t>(gone));
    frame.edited("measurement");
  }
}

}  // namespace backlit::viewer
