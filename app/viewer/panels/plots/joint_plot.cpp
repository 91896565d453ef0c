#include "panels/plots/joint_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/values/point_sampler.hpp"
#include "panels/plots/histogram_plot.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

using Box = TransferFunction::Box;

constexpr int columns = 96, rows = 48;

/// Counts of voxels by value and by gradient.
struct JointHistogram {
  std::int64_t generation = 0;  ///< of the volume
  double low = 0, high = 1;     ///< values
  double steep = 1;             ///< the largest gradient
  std::vector<int> cells;       ///< by value fastest
  int most = 0;
};

JointHistogram joint_histogram(Frame& frame, const ValueAxis& axis) {
  constexpr std::int64_t samples = 1 << 15;
  JointHistogram h{frame.front.generation, axis.low, axis.high, 1, std::vector<int>(std::size_t{columns} * rows), 0};
  const VolumeGrid& grid = frame.front.grid;
  const std::vector<Vec3> points = spread_points(grid, samples);
  std::vector<Vec3> at;  // each point, and its neighbours along the axes
  at.reserve(7 * points.size());
  for (const Vec3& p : points) {
    at.push_back(p);
    for (int a = 0; a < 3; ++a)
      for (const double side : {-1.0, 1.0}) {
        Vec3 step(0);
        step[a] = side * grid.spacing[a];
        at.push_back(glm::clamp(p + step, grid.first_voxel(), -grid.first_voxel() + 2.0 * grid.center));
      }
  }
  const std::vector<float> values = frame.model.values_at(at);
  std::vector<std::pair<double, double>> found;  // value, gradient
  std::vector<double> gradients;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Vec3 g;
    for (int a = 0; a < 3; ++a) {
      const auto k = 7 * i + 2 * static_cast<std::size_t>(a);
      g[a] = static_cast<double>(values[k + 2] - values[k + 1]) / (2 * grid.spacing[a]);
    }
    const double value = static_cast<double>(values[7 * i]), gradient = glm::length(g);
    if (!std::isfinite(value) || !std::isfinite(gradient)) continue;
    found.emplace_back(value, gradient);
    gradients.push_back(gradient);
  }
  if (found.empty()) return h;
  const auto few = gradients.begin() + static_cast<std::ptrdiff_t>(gradients.size() - 1 - gradients.size() / 2000);
  std::ranges::nth_element(gradients, few);
  h.steep = std::max(1.05 * *few, 1e-12);
  for (const auto& [value, gradient] : found) {
    const double x = columns * (value - h.low) / (h.high - h.low), y = rows * gradient / h.steep;
    if (!(x >= 0 && x < columns && y < rows)) continue;
    int& cell = h.cells[static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x)];
    h.most = std::max(h.most, ++cell);
  }
  return h;
}

/// The sides of a box that the pointer moves; all of them: the whole box.
struct Sides {
  bool low = false, high = false, flat = false, steep = false;
  bool any() const { return low || high || flat || steep; }
  bool all() const { return low && high && flat && steep; }
};

class BoxEditor {
 public:
  BoxEditor(Frame& frame, std::vector<Box>& boxes, int& chosen, const ValueAxis& axis, const JointHistogram& h)
      : frame_(frame), boxes_(boxes), chosen_(chosen), axis_(axis), h_(h) {}

  bool edit() {
    const Rect& r = axis_.rect;
    ImGui::InvisibleButton("joint", r.size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    name_item("value and gradient");
    const bool changed = take_pointer();
    draw();
    ImGui::Dummy({1, draw_value_ticks(frame_, axis_, frame_.model.value_unit())});
    return changed;
  }

 private:
  float y_of(double gradient) const {
    const Rect& r = axis_.rect;
    return r.max().y - static_cast<float>(gradient / h_.steep) * r.size.y;
  }
  double gradient_at(float y) const {
    const Rect& r = axis_.rect;
    return std::clamp(static_cast<double>((r.max().y - y) / r.size.y), 0.0, 1.0) * h_.steep;
  }
  Rect place_of(const Box& b) const {
    const float left = axis_.x(b.low), top = y_of(b.gradient_high);
    return {{left, top}, {axis_.x(b.high) - left, y_of(b.gradient_low) - top}};
  }

  /// The box under the pointer, the last drawn first, and its sides that a press would move.
  std::pair<int, Sides> under(ImVec2 at) const {
    const float reach = 5 * frame_.unit;
    for (int i = static_cast<int>(boxes_.size()) - 1; i >= 0; --i) {
      const Rect r = place_of(boxes_[static_cast<std::size_t>(i)]);
      if (at.x < r.min.x - reach || at.x > r.max().x + reach || at.y < r.min.y - reach || at.y > r.max().y + reach)
        continue;
      const Sides s{at.x<r.min.x + reach, at.x> r.max().x - reach, at.y > r.max().y - reach, at.y < r.min.y + reach};
      return {i, s.any() && !s.all() ? s : Sides{true, true, true, true}};
    }
    return {-1, {}};
  }

  bool take_pointer() {
    static Sides moved;
    const ImVec2 mouse = ImGui::GetIO().MousePos, by = ImGui::GetIO().MouseDelta;
    const double value = axis_.value(mouse.x), gradient = gradient_at(mouse.y);
    const auto [i, sides] = under(mouse);
    if (ImGui::IsItemHovered() && i >= 0)
      ImGui::SetMouseCursor(sides.all()                                                ? ImGuiMouseCursor_ResizeAll
                            : (sides.low || sides.high) && (sides.flat || sides.steep) ? ImGuiMouseCursor_ResizeAll
                            : sides.low || sides.high                                  ? ImGuiMouseCursor_ResizeEW
                                                                                       : ImGuiMouseCursor_ResizeNS);
    if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(1)) {
      if (i < 0) return false;
      boxes_.erase(boxes_.begin() + i);
      chosen_ = -1;
      return true;
    }
    if (ImGui::IsItemActivated() && ImGui::IsMouseClicked(0)) {
      chosen_ = i;
      moved = sides;
      if (i >= 0 || boxes_.size() >= TransferFunction::most_boxes) return false;
      static constexpr std::array colors{Vec3(0.90, 0.62, 0.0),  Vec3(0.34, 0.71, 0.91), Vec3(0.0, 0.62, 0.45),
                                         Vec3(0.94, 0.89, 0.26), Vec3(0.84, 0.37, 0.0),  Vec3(0.8, 0.47, 0.65)};
      boxes_.push_back({value, value, gradient, gradient, colors[boxes_.size() % colors.size()], 0.5});
      chosen_ = static_cast<int>(boxes_.size()) - 1;
      moved = {.high = true, .steep = true};
    }
    if (!ImGui::IsItemActive() || chosen_ < 0 || chosen_ >= static_cast<int>(boxes_.size()) || !moved.any())
      return false;
    if (by.x == 0 && by.y == 0 && !ImGui::IsItemActivated()) return false;
    move(boxes_[static_cast<std::size_t>(chosen_)], moved, value, gradient, by);
    return true;
  }

  /// Sides follow the pointer; one that is dragged beyond the other changes places with it.
  void move(Box& b, Sides& sides, double value, double gradient, ImVec2 by) const {
    const double value_step = axis_.value(axis_.rect.min.x + 1) - axis_.value(axis_.rect.min.x);
    const double gradient_step = h_.steep / static_cast<double>(axis_.rect.size.y);
    if (sides.all()) {
      b.low += value_step * static_cast<double>(by.x);
      b.high += value_step * static_cast<double>(by.x);
      const double up = std::max(-b.gradient_low, -gradient_step * static_cast<double>(by.y));
      b.gradient_low += up;
      b.gradient_high += up;
      return;
    }
    if (sides.low) b.low = value;
    if (sides.high) b.high = value;
    if (sides.flat) b.gradient_low = gradient;
    if (sides.steep) b.gradient_high = gradient;
    if (b.low > b.high) {
      std::swap(b.low, b.high);
      std::swap(sides.low, sides.high);
    }
    if (b.gradient_low > b.gradient_high) {
      std::swap(b.gradient_low, b.gradient_high);
      std::swap(sides.flat, sides.steep);
    }
    b.high = std::max(b.high, b.low + value_step);
    b.gradient_high = std::max(b.gradient_high, b.gradient_low + gradient_step);
    if (b.gradient_low < 2 * gradient_step) b.gradient_low = 0;  // to the edge: from no gradient on
  }

  void draw() const {
    const Rect& r = axis_.rect;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(r.min, r.max(), ImGui::GetColorU32(ImGuiCol_FrameBg, 0.6f), 4 * frame_.unit);
    list.PushClipRect(r.min, r.max(), true);
    const float width = r.size.x / columns, height = r.size.y / rows;
    const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) {
        const int n =
            h_.cells.empty() ? 0 : h_.cells[static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x)];
        if (n == 0) continue;
        const double share = std::log1p(n) / std::log1p(h_.most);
        const auto alpha = static_cast<ImU32>(std::lround(30 + 190 * share));
        const ImVec2 at{r.min.x + static_cast<float>(x) * width, r.max().y - static_cast<float>(y + 1) * height};
        list.AddRectFilled(at, {at.x + width, at.y + height}, (ink & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT);
      }
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const Rect b = place_of(boxes_[i]);
      const Vec3& c = boxes_[i].color;
      const auto color = [&](float alpha) {
        return ImGui::ColorConvertFloat4ToU32(
            {static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z), alpha});
      };
      list.AddRectFilled(b.min, b.max(), color(0.25f + 0.4f * static_cast<float>(boxes_[i].opacity)));
      const bool on = static_cast<int>(i) == chosen_;
      list.AddRect(b.min, b.max(), on ? palette().accent : color(1), 0, 0, (on ? 2.5f : 1.5f) * frame_.unit);
    }
    list.PopClipRect();
  }

  Frame& frame_;
  std::vector<Box>& boxes_;
  int& chosen_;
  const ValueAxis& axis_;
  const JointHistogram& h_;
};

}  // namespace

bool edit_boxes(Frame& frame, std::vector<Box>& boxes, int& chosen) {
  static JointHistogram shown;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ValueAxis axis = value_axis(frame, {at, {ImGui::GetContentRegionAvail().x, 150 * frame.unit}});
  const bool held = ImGui::IsMouseDown(0);  // the axes stay while a box is dragged
  const bool same = shown.generation == frame.front.generation && shown.low == axis.low && shown.high == axis.high;
  if (!same && !held && !frame.status.running && frame.has_volume()) shown = joint_histogram(frame, axis);
  axis.low = shown.low;
  axis.high = shown.high;
  return BoxEditor(frame, boxes, chosen, axis, shown).edit();
}

}  // namespace backlit::viewer
