#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <backlit/core/error.hpp>
#include "model/values/materials.hpp"
#include "panels/panels.hpp"
#include "panels/plots/histogram_plot.hpp"
#include "panels/plots/joint_plot.hpp"
#include "panels/widgets.hpp"
#include "views/look.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

void keep(Frame& frame, const TransferFunction& f) {
  frame.next.display.transfer = "custom";
  frame.next.display.transfer_text = to_text(f);
  frame.edited("transfer function");
}

/// The editor's picture: histogram, colours, the opacity curve and its points.
class Editor {
 public:
  Editor(Frame& frame, TransferFunction& f, int& chosen)
      : frame_(frame), f_(f), scale_(unit_scale(f.unit, value_scale(frame.next.display))), chosen_(chosen) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    axis_ = value_axis(frame, {at, {ImGui::GetContentRegionAvail().x, 110 * frame.unit}});
    for (const auto& p : f.points) {
      axis_.low = std::min(axis_.low, scale_.value(p.value));
      axis_.high = std::max(axis_.high, std::min(scale_.value(p.value), axis_.high + 0.5 * (axis_.high - axis_.low)));
    }
    const double margin = 0.03 * (axis_.high - axis_.low);  // so that the outermost points are fully visible
    axis_.low -= margin;
    axis_.high += margin;
  }

  /// Whether points were moved, added or removed.
  bool edit() {
    const Rect& r = axis_.rect;
    ImGui::InvisibleButton("transfer", r.size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    name_item("transfer function");
    const bool changed = take_pointer();
    draw();
    ImGui::Dummy({1, draw_value_ticks(frame_, axis_, frame_.model.value_unit())});
    return changed;
  }

 private:
  ImVec2 screen(const TransferFunction::Point& p) const {
    const Rect& r = axis_.rect;
    return {axis_.x(scale_.value(p.value)), r.max().y - static_cast<float>(p.opacity) * (r.size.y - 8) - 4};
  }

  int point_at(ImVec2 at) const {
    for (std::size_t i = 0; i < f_.points.size(); ++i) {
      const ImVec2 p = screen(f_.points[i]);
      if (std::hypot(p.x - at.x, p.y - at.y) < 9 * frame_.unit) return static_cast<int>(i);
    }
    return -1;
  }

  bool take_pointer() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Rect& r = axis_.rect;
    const double opacity = std::clamp(static_cast<double>((r.max().y - 4 - mouse.y) / (r.size.y - 8)), 0.0, 1.0);
    const double value = scale_.number(axis_.value(mouse.x));
    if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(1) && f_.points.size() > 2) {
      const int gone = point_at(mouse);
      if (gone < 0) return false;
      f_.points.erase(f_.points.begin() + gone);
      chosen_ = -1;
      return true;
    }
    if (ImGui::IsItemActivated() && ImGui::IsMouseClicked(0)) {
      chosen_ = point_at(mouse);
      if (chosen_ >= 0) return false;
      TransferFunction::Point made{value, {1, 1, 1}, opacity};
      const auto next = std::ranges::upper_bound(f_.points, value, {}, &TransferFunction::Point::value);
      if (next != f_.points.begin()) made.color = std::prev(next)->color;
      chosen_ = static_cast<int>(f_.points.insert(next, made) - f_.points.begin());
      return true;
    }
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const auto count = static_cast<int>(f_.points.size());
    if (!ImGui::IsItemActive() || chosen_ < 0 || chosen_ >= count || (moved.x == 0 && moved.y == 0)) return false;
    auto& p = f_.points[static_cast<std::size_t>(chosen_)];
    const double apart = std::abs(scale_.number(axis_.value(r.min.x + 1)) - scale_.number(axis_.value(r.min.x)));
    double low = -1e30, high = 1e30;
    if (chosen_ > 0) low = f_.points[static_cast<std::size_t>(chosen_) - 1].value + apart;
    if (chosen_ + 1 < count) high = f_.points[static_cast<std::size_t>(chosen_) + 1].value - apart;
    if (low < high) p.value = std::clamp(value, low, high);
    p.opacity = opacity;
    return true;
  }

  void draw() const {
    const Rect& r = axis_.rect;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(r.min, r.max(), ImGui::GetColorU32(ImGuiCol_FrameBg, 0.6f), 4 * frame_.unit);
    draw_histogram(frame_, axis_, (palette().faint & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 90));
    list.PushClipRect(r.min, r.max(), true);
    const auto color = [](const Vec3& c, int alpha) {
      const auto byte = [](double v) { return static_cast<int>(std::lround(255 * std::clamp(v, 0.0, 1.0))); };
      return IM_COL32(byte(c.x), byte(c.y), byte(c.z), alpha);
    };
    for (std::size_t i = 1; i < f_.points.size(); ++i) {
      const ImVec2 a = screen(f_.points[i - 1]), b = screen(f_.points[i]);
      const ImU32 left = color(f_.points[i - 1].color, 150), right = color(f_.points[i].color, 150);
      constexpr int parts = 12;  // ImGui cannot fill a trapezoid with two colours
      for (int k = 0; k < parts; ++k) {
        const float s = static_cast<float>(k) / parts, t = static_cast<float>(k + 1) / parts;
        const ImVec4 cl = ImGui::ColorConvertU32ToFloat4(left), cr = ImGui::ColorConvertU32ToFloat4(right);
        const ImU32 mixed = ImGui::ColorConvertFloat4ToU32(
            {cl.x + s * (cr.x - cl.x), cl.y + s * (cr.y - cl.y), cl.z + s * (cr.z - cl.z), cl.w});
        list.AddQuadFilled({a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)},
                           {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}, {a.x + t * (b.x - a.x), r.max().y},
                           {a.x + s * (b.x - a.x), r.max().y}, mixed);
      }
      list.AddLine(a, b, ImGui::GetColorU32(ImGuiCol_Text), 1.5f * frame_.unit);
    }
    for (std::size_t i = 0; i < f_.points.size(); ++i) {
      const ImVec2 p = screen(f_.points[i]);
      const bool on = static_cast<int>(i) == chosen_;
      list.AddCircleFilled(p, (on ? 6.5f : 5) * frame_.unit, on ? palette().accent : ImGui::GetColorU32(ImGuiCol_Text));
      list.AddCircleFilled(p, 4 * frame_.unit, color(f_.points[i].color, 255));
    }
    list.PopClipRect();
  }

  Frame& frame_;
  TransferFunction& f_;
  LinearScale scale_;
  ValueAxis axis_;
  int& chosen_;
};

/// By value alone, or by value and gradient.
bool by_gradient(Frame& frame, bool boxes) {
  static bool wanted = false;
  const float half = 0.5f * (ImGui::GetContentRegionAvail().x - 3);
  const bool joint = wanted || boxes;
  if (toggle_button("Value", !joint, "Colour and opacity by value: a curve", {half, 0})) {
    wanted = false;
    if (boxes) frame.act("transfer clear");
  }
  ImGui::SameLine(0, 3);
  if (toggle_button("Value and gradient", joint,
                    "Colour and opacity by value and by how steeply it changes: boxes, in place of the curve",
                    {half, 0}))
    wanted = true;
  return wanted || boxes;
}

void box_rows(Frame& frame, TransferFunction f) {
  static int chosen = -1;
  bool changed = edit_boxes(frame, f.boxes, chosen);
  if (chosen >= 0 && chosen < static_cast<int>(f.boxes.size())) {
    auto& b = f.boxes[static_cast<std::size_t>(chosen)];
    float rgb[] = {static_cast<float>(b.color.x), static_cast<float>(b.color.y), static_cast<float>(b.color.z)};
    row("colour", "of the chosen box");
    if (ImGui::ColorEdit3("##box color", rgb)) {
      b.color = {rgb[0], rgb[1], rgb[2]};
      changed = true;
    }
    row("opacity", "of the chosen box, over 1.5 % of the volume's largest side");
    const double none = 0, all = 1;
    changed = ImGui::SliderScalar("##box opacity", ImGuiDataType_Double, &b.opacity, &none, &all, "%.3f",
                                  ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic) ||
              changed;
    name_item("box opacity");
    quiet_text(fmt::format("{:.4g} to {}, {:.3g} to {:.3g} per {}", b.low,
                           frame.with_unit(fmt::format("{:.4g}", b.high)), b.gradient_low, b.gradient_high,
                           frame.length_unit()));
  } else {
    quiet_text(f.boxes.empty() ? "Drag to draw a box: borders are arcs, homogeneous materials spots at the lower edge."
                               : "Drag boxes or their sides; a click with the right button removes one.");
  }
  if (!changed) return;
  show_boxes(frame.next.display, f);
  frame.edited("transfer function");
}

}  // namespace

void transfer_panel(Frame& frame) {
  if (frame.next.display.mode != "dvr" || !section("Transfer function")) return;
  if (frame.next.display.materials && !frame.next.materials.empty())
    return quiet_text("Materials replace the transfer function. Switch off \"show\" in Materials to use it.");
  const TransferFunction boxes = box_function(frame.next.display);
  if (by_gradient(frame, !boxes.boxes.empty())) return box_rows(frame, boxes);
  Parameters display;
  for (StateSection& s : describe(frame.next))
    if (s.name == "display") display = std::move(s.parameters);
  TransferFunction f = transfer_function(frame.next.display, frame.status);
  // "custom" begins as a copy of the function shown.
  const std::string before = frame.next.display.transfer;
  edit_row(frame, of(display, "transfer"), 1, "preset");
  if (frame.next.display.transfer != before) {
    if (frame.next.display.transfer == "custom") keep(frame, f);
    f = transfer_function(frame.next.display, frame.status);
  }
  static int chosen = -1;
  if (Editor(frame, f, chosen).edit()) keep(frame, f);
  if (chosen >= 0 && chosen < static_cast<int>(f.points.size())) {
    auto& p = f.points[static_cast<std::size_t>(chosen)];
    float rgb[] = {static_cast<float>(p.color.x), static_cast<float>(p.color.y), static_cast<float>(p.color.z)};
    row("colour", "of the chosen point");
    if (ImGui::ColorEdit3("##color", rgb)) {
      p.color = {rgb[0], rgb[1], rgb[2]};
      keep(frame, f);
    }
  } else {
    quiet_text("Click to add a point, drag it, click it with the right button to remove it.");
  }
}

}  // namespace backlit::viewer
