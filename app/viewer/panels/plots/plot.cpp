#include "panels/plots/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <backlit/render/line_plot.hpp>
#include "panels/widgets.hpp"
#include "window/fonts.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

/// Maps values to a line of the screen.
struct Axis {
  double low = 1e300, high = -1e300;  ///< values at its ends
  bool logarithmic = false;
  float from = 0, to = 0;  ///< position of the ends in pixels

  bool takes(double v) const { return std::isfinite(v) && (!logarithmic || v > 0); }
  void include(double v) { low = std::min(low, v), high = std::max(high, v); }
  double scaled(double v) const { return logarithmic ? std::log10(v) : v; }
  float at(double v) const {
    return from + static_cast<float>((scaled(v) - scaled(low)) / (scaled(high) - scaled(low))) * (to - from);
  }
  std::vector<double> ticks() const { return round_ticks(low, high, logarithmic); }
  std::string word(double v) const { return fmt::format("{:.6g}", std::abs(v) < 1e-9 * (high - low) ? 0.0 : v); }
};

/// Adds a share `margin` of the range at either end. Also makes a range for a single value or none.
void widen(Axis& a, double margin) {
  if (a.low > a.high) a.low = a.logarithmic ? 0.1 : 0, a.high = 1;
  const double span = a.high - a.low;
  if (a.logarithmic) {
    if (span == 0) a.low *= 0.5, a.high *= 2;
    return;
  }
  if (span == 0 && a.low == 0) {
    a.high = 1;
    return;
  }
  const double room = span > 0 ? margin * span : 0.5 * std::abs(a.low);
  a.low -= room, a.high += room;
}

void fit(Axis& x, Axis& y, std::span<const Curve> curves) {
  for (const Curve& c : curves)
    for (std::size_t i = 0; i < std::min(c.x.size(), c.y.size()); ++i)
      if (x.takes(c.x[i]) && y.takes(c.y[i])) x.include(c.x[i]), y.include(c.y[i]);
  widen(x, 0);
  widen(y, 0.06);
}

float widest_word(const Axis& axis) {
  float widest = 0;
  for (const double t : axis.ticks()) widest = std::max(widest, ImGui::CalcTextSize(axis.word(t).c_str()).x);
  return widest;
}

/// Horizontal lines with their values on the left, as far as the texts do not touch.
void draw_levels(ImDrawList& list, const Axis& x, const Axis& y, float inset) {
  const float text = ImGui::GetTextLineHeight();
  float last = 1e9f;
  for (const double t : y.ticks()) {
    const float at = y.at(t);
    list.AddLine({x.from, at}, {x.to, at}, ImGui::GetColorU32(ImGuiCol_Border, 0.6f));
    if (std::abs(at - last) < 1.1f * text) continue;
    const std::string word = y.word(t);
    list.AddText({x.from - inset - ImGui::CalcTextSize(word.c_str()).x, at - 0.5f * text}, palette().faint,
                 word.c_str());
    last = at;
  }
}

/// Ticks below the plot with their values, and the axis's label.
void draw_marks(ImDrawList& list, const Axis& x, float bottom, const char* label, bool whole) {
  const float text = ImGui::GetTextLineHeight(), end = x.to - ImGui::CalcTextSize(label).x;
  list.AddText({end, bottom + 0.35f * text}, palette().faint, label);
  float free_from = x.from - text;
  for (const double t : x.ticks()) {
    if (whole && std::abs(t - std::round(t)) > 1e-9) continue;
    const std::string word = x.word(t);
    const float width = ImGui::CalcTextSize(word.c_str()).x, middle = x.at(t);
    if (middle - 0.5f * width < free_from || middle + 0.5f * width > end - 0.5f * text) continue;
    list.AddLine({middle, bottom}, {middle, bottom + 0.25f * text}, palette().faint);
    list.AddText({middle - 0.5f * width, bottom + 0.35f * text}, palette().faint, word.c_str());
    free_from = middle + 0.5f * width + text;
  }
}

/// Draws a curve as lines, with dots if it has few points.
void draw_curve(ImDrawList& list, const Axis& x, const Axis& y, const Curve& c, float unit) {
  std::vector<ImVec2> line;
  for (std::size_t i = 0; i < std::min(c.x.size(), c.y.size()); ++i)
    if (x.takes(c.x[i]) && y.takes(c.y[i])) line.push_back({x.at(c.x[i]), y.at(c.y[i])});
  list.AddPolyline(line.data(), static_cast<int>(line.size()), c.color, 0, 1.5f * unit);
  if (line.size() < 40)
    for (const ImVec2& p : line) list.AddCircleFilled(p, 2 * unit, c.color);
}

/// Value of a curve at `at`, whose x rises; NaN outside.
double between(const Curve& c, double at) {
  const std::size_t n = std::min(c.x.size(), c.y.size());
  const auto right = static_cast<std::size_t>(std::ranges::lower_bound(c.x.first(n), at) - c.x.begin());
  if (n == 0 || right >= n || (right == 0 && at < c.x[0])) return NAN;
  if (right == 0) return c.y[0];
  return std::lerp(c.y[right - 1], c.y[right], (at - c.x[right - 1]) / (c.x[right] - c.x[right - 1]));
}

/// A line at the pointer, and the values there.
void draw_read_out(ImDrawList& list, const Axis& x, const Axis& y, std::span<const Curve> curves, const char* unit) {
  const float at = ImGui::GetIO().MousePos.x;
  if (!ImGui::IsItemHovered() || at < x.from || at > x.to || x.logarithmic) return;
  const double place = x.low + (x.high - x.low) * static_cast<double>((at - x.from) / (x.to - x.from));
  list.AddLine({at, y.from}, {at, y.to}, palette().faint);
  std::string text = fmt::format("{:.4g} {}:", place, unit);
  for (const Curve& c : curves) {
    const double value = between(c, place);
    if (!std::isfinite(value)) continue;
    text += fmt::format("  {:.5g}", value);
    list.AddCircleFilled({at, y.at(value)}, 3, c.color);
  }
  note_text("read-out", text);
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  list.AddText(
      {std::clamp(at - 0.5f * width, x.from, std::max(x.from, x.to - width)), y.to - ImGui::GetTextLineHeight()},
      ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
}

}  // namespace

void plot(Frame& frame, const char* id, std::span<const Curve> curves, const PlotLook& look) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, look.height * frame.unit};
  ImGui::Dummy(size);
  name_item(id);
  if (size.x < 40) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg, 0.6f), 4 * frame.unit);
  ImGui::PushFont(small_font());
  const float text = ImGui::GetTextLineHeight(), inset = 5 * frame.unit;
  Axis x{.logarithmic = look.log_x}, y{.logarithmic = look.log_y};
  fit(x, y, curves);
  x.from = at.x + 2 * inset + widest_word(y);
  x.to = at.x + size.x - inset;
  y.from = at.y + size.y - inset - 1.2f * text;
  y.to = at.y + inset + 1.5f * text;
  draw_levels(list, x, y, inset);
  list.PushClipRect({x.from, at.y}, {x.to, at.y + size.y}, true);
  for (const Curve& c : curves) draw_curve(list, x, y, c, frame.unit);
  list.PopClipRect();
  if (y.takes(look.level) && look.level > y.low && look.level < y.high)
    list.AddLine({x.from, y.at(look.level)}, {x.to, y.at(look.level)}, palette().tool, frame.unit);
  if (look.read_out) draw_read_out(list, x, y, curves, look.x_label);
  float name_at = at.x + inset;
  for (const Curve& c : curves) {
    list.AddText({name_at, at.y + 0.5f * inset}, c.color, c.name);
    name_at += ImGui::CalcTextSize(c.name).x + text;
  }
  draw_marks(list, x, y.from, look.x_label, look.whole_x);
  ImGui::PopFont();
}

}  // namespace backlit::viewer
