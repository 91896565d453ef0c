#include "panels/plots/histogram_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/render/line_plot.hpp>
#include "window/fonts.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {

ValueAxis value_axis(const Frame& frame, const Rect& rect) {
  const DisplayState& d = frame.next.display;
  double low = d.low, high = std::max(d.high, d.low + 1e-12);
  if (const auto& h = frame.status.histogram) {
    low = std::min(low, h->percentile(0.02));
    high = std::max(high, h->percentile(99.98));
  }
  const double margin = 0.05 * (high - low);
  return {low - margin, high + margin, rect};
}

void draw_histogram(const Frame& frame, const ValueAxis& axis, ImU32 color) {
  const auto& h = frame.status.histogram;
  if (!h || h->bins.empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::int64_t most = 1;
  for (const std::int64_t n : h->bins) most = std::max(most, n);
  const double bin = (h->high - h->low) / static_cast<double>(h->bins.size());
  const Rect& r = axis.rect;
  list.PushClipRect(r.min, r.max(), true);
  const int columns = static_cast<int>(r.size.x);
  for (int c = 0; c < columns; ++c) {
    // The largest bin in this column.
    const double from = axis.value(r.min.x + static_cast<float>(c)),
                 to = axis.value(r.min.x + static_cast<float>(c + 1));
    const auto first = static_cast<std::int64_t>(std::floor((from - h->low) / bin));
    const auto last = static_cast<std::int64_t>(std::floor((to - h->low) / bin));
    std::int64_t n = 0;
    for (std::int64_t i = std::max<std::int64_t>(0, first);
         i <= std::min(last, static_cast<std::int64_t>(h->bins.size()) - 1); ++i)
      n = std::max(n, h->bins[static_cast<std::size_t>(i)]);
    if (n == 0) continue;
    const double share = std::log1p(static_cast<double>(n)) / std::log1p(static_cast<double>(most));
    const float x = r.min.x + static_cast<float>(c);
    list.AddRectFilled({x, r.max().y - static_cast<float>(share) * 0.95f * r.size.y}, {x + 1, r.max().y}, color);
  }
  list.PopClipRect();
}

float draw_value_ticks(const Frame& frame, const ValueAxis& axis, const char* unit) {
  ImGui::PushFont(small_font());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = axis.rect.max().y + 2 * frame.unit;
  const float name = ImGui::CalcTextSize(unit).x, end = axis.rect.max().x - name;
  list.AddText({end, y}, palette().faint, unit);
  const float free_to = name > 0 ? end - 8 * frame.unit : end;
  float free_from = -1e9f;
  for (const double t : round_ticks(axis.low, axis.high, false)) {
    const std::string text = fmt::format("{:.6g}", std::abs(t) < 1e-9 * (axis.high - axis.low) ? 0.0 : t);
    const float width = ImGui::CalcTextSize(text.c_str()).x, x = axis.x(t) - 0.5f * width;
    if (x < std::max(free_from, axis.rect.min.x) || x + width > free_to) continue;
    list.AddText({x, y}, palette().faint, text.c_str());
    free_from = x + width + 10 * frame.unit;
  }
  const float height = ImGui::GetTextLineHeight() + 2 * frame.unit;
  ImGui::PopFont();
  return height;
}

}  // namespace backlit::viewer
