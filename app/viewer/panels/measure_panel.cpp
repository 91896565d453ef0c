#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "views/measuring.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

struct Statistics {
  double mean = 0, deviation = 0, low = 0, high = 0;
  std::size_t count = 0;
};

/// Of up to 64^3 evenly spaced samples of a box.
Statistics of_box(Frame& frame, const Vec3& a, const Vec3& b) {
  const VolumeGrid grid = frame.grid();
  const Vec3 low = glm::min(a, b), sides = glm::abs(a - b);
  std::array<int, 3> n{};
  for (int i = 0; i < 3; ++i)
    n[static_cast<std::size_t>(i)] = std::clamp(static_cast<int>(std::lround(sides[i] / grid.spacing[i])), 1, 64);
  std::vector<Vec3> points;
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) points.push_back(low + sides * (Vec3(i, j, k) + 0.5) / Vec3(n[0], n[1], n[2]));
  Statistics s{0, 0, 1e300, -1e300, 0};
  double squares = 0;
  for (const float v : frame.model.values_at(points)) {
    if (!std::isfinite(v)) continue;
    s.mean += v;
    squares += static_cast<double>(v) * v;
    s.low = std::min<double>(s.low, v);
    s.high = std::max<double>(s.high, v);
    ++s.count;
  }
  if (s.count == 0) return {};
  s.mean /= static_cast<double>(s.count);
  s.deviation = std::sqrt(std::max(0.0, squares / static_cast<double>(s.count) - s.mean * s.mean));
  return s;
}

/// What is read from the volume, read again when the volume or the measurement has changed.
struct Reading {
  Measurement of;
  std::int64_t generation = -1;
  std::vector<double> distance, values;
  Statistics box;
};

const Reading& reading(Frame& frame, std::size_t i) {
  static std::vector<Reading> kept;
  kept.resize(std::max(kept.size(), i + 1));
  Reading& r = kept[i];
  const Measurement& m = frame.next.measurements[i];
  if (r.of == m && r.generation == frame.front.generation) return r;
  r = {m, frame.front.generation, {}, {}, {}};
  if (m.kind == Measurement::Kind::region) r.box = of_box(frame, m.points[0], m.points[1]);
  if (m.kind == Measurement::Kind::profile) {
    constexpr int samples = 400;
    std::vector<Vec3> points;
    const double length = glm::length(m.points[1] - m.points[0]);
    for (int k = 0; k <= samples; ++k) {
      const double s = static_cast<double>(k) / samples;
      points.push_back(glm::mix(m.points[0], m.points[1], s));
      r.distance.push_back(s * length);
    }
    for (const float v : frame.model.values_at(points)) r.values.push_back(v);
  }
  return r;
}

void results(Frame& frame, std::size_t i) {
  const Measurement& m = frame.next.measurements[i];
  if (!frame.has_volume()) return;
  if (m.kind == Measurement::Kind::profile) {
    const Reading& r = reading(frame, i);
    const Curve curve{r.distance, r.values, palette().accent, "value"};
    plot(frame, "profile plot", {&curve, 1}, "mm", false, 115);
  }
  if (m.kind == Measurement::Kind::region) {
    const Statistics& s = reading(frame, i).box;
    const double hu = 1000 * (s.mean / frame.next.display.water - 1);
    fact("mean",
         frame.model.list_mode() ? fmt::format("{:.5g}", s.mean) : fmt::format("{:.5g}  ({:.0f} HU)", s.mean, hu));
    fact("deviation", fmt::format("{:.3g}", s.deviation));
    fact("range", fmt::format("{:.4g} to {:.4g}", s.low, s.high));
    fact("samples", fmt::format("{}", s.count));
  }
}

}  // namespace

void measure_panel(Frame& frame) {
  if (!section("Measure", true)) return;
  const char* labels[] = {"Distance", "Angle", "Profile", "Region"};
  const char* helps[] = {"click two points of a slice, or drag", "click three points; the second is the corner",
                         "values along a line", "mean and deviation in a rectangle"};
  const float width = (ImGui::GetContentRegionAvail().x - 3 * 3) / 4;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {3, ImGui::GetStyle().ItemSpacing.y});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {2, ImGui::GetStyle().FramePadding.y});
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string& kind = measurement_names()[i];
    if (i > 0) ImGui::SameLine();
    std::string& tool = frame.next.layout.tool;
    if (!toggle_button(labels[i], tool == kind, helps[i], {width, 0})) continue;
    tool = tool == kind ? "crosshair" : kind;
    frame.edited("tool");
  }
  ImGui::PopStyleVar(2);
  std::size_t gone = frame.next.measurements.size();
  for (std::size_t i = 0; i < frame.next.measurements.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const Measurement& m = frame.next.measurements[i];
    row(fmt::format("{}  {}", i + 1, measurement_names()[static_cast<std::size_t>(m.kind)]));
    ImGui::TextUnformatted(short_result(m).c_str());
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - 1.6f * ImGui::GetFontSize());
    if (ImGui::SmallButton("×")) gone = i;
    tooltip("forget it");
    results(frame, i);
    ImGui::PopID();
  }
  if (gone < frame.next.measurements.size()) {
    frame.next.measurements.erase(frame.next.measurements.begin() + static_cast<std::ptrdiff_t>(gone));
    frame.edited("measurement");
  }
}

}  // namespace backlit::viewer
