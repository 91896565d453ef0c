#include "panels/plots/criterion_slider.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "panels/widgets.hpp"
#include "views/panes/pane.hpp"
#include "window/fonts.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

/// Values of the number from left to right.
struct Scale {
  double low, high;
  Rect rect;
  float x(double value) const { return rect.min.x + static_cast<float>((value - low) / (high - low)) * rect.size.x; }
  double value(float x) const {
    return std::clamp(low + (high - low) * static_cast<double>((x - rect.min.x) / rect.size.x), low, high);
  }
};

void draw_criterion(ImDrawList& list, const Scale& scale, const Criterion& c, float unit) {
  std::vector<ImVec2> points;
  double least = INFINITY, most = 0;
  for (const double v : c.values)
    if (v > 0) least = std::min(least, v), most = std::max(most, v);
  if (!(least < most)) return;
  const float margin = 5 * unit, height = scale.rect.size.y - 2 * margin;
  for (std::size_t i = 0; i < c.at.size(); ++i) {
    if (!(c.values[i] > 0) || !std::isfinite(c.values[i])) continue;
    const auto share = static_cast<float>(std::log(c.values[i] / least) / std::log(most / least));
    points.push_back({scale.x(c.at[i]), scale.rect.max().y - margin - share * height});
  }
  list.AddPolyline(points.data(), static_cast<int>(points.size()), palette().accent, 0, 1.5f * unit);
}

/// The present value; at the edge an arrow to where it lies.
void draw_now(ImDrawList& list, const Scale& scale, double now, float unit) {
  const Rect& r = scale.rect;
  if (now >= scale.low && now <= scale.high) {
    const float width = std::max(1.0f, std::round(2 * unit));
    // On whole pixels, or it would be faint. ImGui draws lines half a pixel further.
    const float x = std::round(scale.x(now) - 0.5f * width) + 0.5f * width - 0.5f;
    return line(list, {x, r.min.y}, {x, r.max().y}, palette().tool, width);
  }
  const bool left = now < scale.low;
  const float tip = left ? r.min.x + 2 * unit : r.max().x - 2 * unit, back = left ? tip + 7 * unit : tip - 7 * unit,
              y = r.min.y + 0.5f * r.size.y;
  list.AddTriangleFilled({tip, y}, {back, y - 6 * unit}, {back, y + 6 * unit}, palette().tool);
}

}  // namespace

std::optional<double> criterion_slider(Frame& frame, const char* id, const Criterion& c) {
  const float unit = frame.unit;
  const Rect rect{ImGui::GetCursorScreenPos(), {ImGui::GetContentRegionAvail().x, 40 * unit}};
  if (rect.size.x < 16 || c.at.size() < 2) return std::nullopt;
  ImGui::InvisibleButton(id, rect.size);
  name_item(id);
  tooltip(
      "How much the projections disagree along this number: the lower, the better. Drag, or click near the minimum to "
      "take it.");
  const Scale scale{c.at.front(), c.at.back(), rect};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(rect.min, rect.max(), ImGui::GetColorU32(ImGuiCol_FrameBg, 0.6f), 4 * unit);
  list.PushClipRect(rect.min, rect.max(), true);
  if (c.determined) {
    const float left = scale.x(c.found - c.uncertainty), right = scale.x(c.found + c.uncertainty);
    const float half = std::max(0.5f * (right - left), 1.5f * unit), middle = scale.x(c.found);
    list.AddRectFilled({middle - half, rect.min.y}, {middle + half, rect.max().y},
                       (palette().good & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 110));
  }
  draw_criterion(list, scale, c, unit);
  draw_now(list, scale, c.now, unit);
  list.PopClipRect();
  ImGui::PushFont(small_font());
  const std::string low = fmt::format("{:.5g}", scale.low), high = fmt::format("{:.5g}", scale.high);
  const float text = rect.max().y - ImGui::GetTextLineHeight() - unit;
  list.AddText({rect.min.x + 3 * unit, text}, palette().faint, low.c_str());
  list.AddText({rect.max().x - ImGui::CalcTextSize(high.c_str()).x - 3 * unit, text}, palette().faint, high.c_str());
  ImGui::PopFont();
  const bool moved = ImGui::IsItemActivated() || ImGui::GetIO().MouseDelta.x != 0;
  if (!ImGui::IsItemActive() || !moved) return std::nullopt;
  const float x = ImGui::GetIO().MousePos.x;
  if (c.determined && std::abs(x - scale.x(c.found)) < 5 * unit) return c.found;
  return scale.value(x);
}

}  // namespace backlit::viewer
