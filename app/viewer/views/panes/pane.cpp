#include "views/panes/pane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <backlit/render/annotate.hpp>
#include "model/length_text.hpp"
#include "panels/widgets.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr ImU32 halo = IM_COL32(0, 0, 0, 190);

ImTextureID id_of(const gl::Texture& texture) {
  return std::bit_cast<ImTextureID>(static_cast<std::uintptr_t>(texture.id()));
}

/// Fills the clip rectangle, of the pixels whose middle lies in it. ImGui's own rectangles look each pixel up in the
/// texture of the font, which takes a CPU several times as long.
void clear_clip_rectangle(const ImDrawList*, const ImDrawCmd* command) {
  const ImVec4& r = command->ClipRect;
  const auto pixel = [](float edge) { return static_cast<GLint>(std::ceil(edge - 0.5f)); };
  const GLint left = pixel(r.x), top = pixel(r.y), right = pixel(r.z), bottom = pixel(r.w);
  if (right <= left || bottom <= top) return;
  glScissor(left, pixel(ImGui::GetDrawData()->DisplaySize.y) - bottom, right - left, bottom - top);
  const ImVec4 color = ImGui::ColorConvertU32ToFloat4(palette().pane);
  const float clear[] = {color.x, color.y, color.z, color.w};
  glClearBufferfv(GL_COLOR, 0, clear);
}

float margin() { return 0.55f * ImGui::GetFontSize(); }

}  // namespace

Rect Rect::column(int i, int n, float gap) const {
  const float width = (size.x - gap * static_cast<float>(n - 1)) / static_cast<float>(n);
  return {{min.x + static_cast<float>(i) * (width + gap), min.y}, {width, size.y}};
}

Rect Rect::row(int i, int n, float gap) const {
  const float height = (size.y - gap * static_cast<float>(n - 1)) / static_cast<float>(n);
  return {{min.x, min.y + static_cast<float>(i) * (height + gap)}, {size.x, height}};
}

std::array<Rect, 2> Rect::columns(double share, float gap) const {
  const float first =
      std::clamp(std::floor(static_cast<float>(share) * size.x), 1.0f, std::max(1.0f, size.x - gap - 1));
  return {Rect{min, {first, size.y}},
          Rect{{min.x + first + gap, min.y}, {std::max(1.0f, size.x - first - gap), size.y}}};
}

std::array<Rect, 2> Rect::rows(double share, float gap) const {
  const float first =
      std::clamp(std::floor(static_cast<float>(share) * size.y), 1.0f, std::max(1.0f, size.y - gap - 1));
  return {Rect{min, {size.x, first}},
          Rect{{min.x, min.y + first + gap}, {size.x, std::max(1.0f, size.y - first - gap)}}};
}

bool splitter(const char* id, const Rect& all, bool columns, double usual, double& share, float unit) {
  constexpr double least = 0.1;
  const float reach = 4 * unit, at = static_cast<float>(share > 0 ? share : usual);
  Rect grip = all;
  (columns ? grip.min.x : grip.min.y) += at * (columns ? all.size.x : all.size.y) - reach;
  (columns ? grip.size.x : grip.size.y) = 2 * reach + 2 * unit;
  ImGui::SetCursorScreenPos(grip.min);
  ImGui::InvisibleButton(id, grip.size);
  note_item(id, grip.min, grip.max());
  const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  if (held || hovered) ImGui::SetMouseCursor(columns ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  const ImGuiIO& io = ImGui::GetIO();
  if (hovered && share > 0 && ImGui::IsMouseDoubleClicked(0)) {
    share = 0;
    return true;
  }
  if (!held || (columns ? io.MouseDelta.x : io.MouseDelta.y) == 0) return false;
  const float place = columns ? (io.MousePos.x - all.min.x) / all.size.x : (io.MousePos.y - all.min.y) / all.size.y;
  share = std::clamp(static_cast<double>(place), least, 1 - least);
  return true;
}

PointerInput pane(const char* id, const Rect& r) {
  PointerInput h;
  if (r.size.x < 1 || r.size.y < 1) return h;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(r.min, r.max(), true);
  list.AddCallback(clear_clip_rectangle, nullptr);
  list.PopClipRect();
  ImGui::SetCursorScreenPos(r.min);
  ImGui::InvisibleButton(
      id, r.size,
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  note_item(std::string("pane ") + id, r.min, r.max());
  const ImGuiIO& io = ImGui::GetIO();
  const auto relative = [&](ImVec2 p) { return ImVec2(p.x - r.min.x - 0.5f, p.y - r.min.y - 0.5f); };
  h.hovered = ImGui::IsItemHovered();
  h.at = relative(io.MousePos);
  h.moved = io.MouseDelta;
  h.ctrl = io.KeyCtrl;
  h.shift = io.KeyShift;
  h.alt = io.KeyAlt;
  if (h.hovered) h.wheel = io.MouseWheel;
  h.double_clicked = h.hovered && ImGui::IsMouseDoubleClicked(0);
  const bool active = ImGui::IsItemActive(), ended = ImGui::IsItemDeactivated();
  for (int button = 0; button < 3; ++button) {
    const bool down = io.MouseDown[button], up = io.MouseReleased[button];
    if ((active && down) || (ended && up)) {
      h.button = button;
      h.start = relative(io.MouseClickedPos[button]);
      h.pressed = ImGui::IsMouseClicked(button);
      h.released = ended && up;
      break;
    }
  }
  return h;
}

void draw_texture(const Rect& r, const gl::Texture& texture, bool flipped, double opacity) {
  const ImVec2 top = {0, flipped ? 1.0f : 0.0f}, bottom = {1, flipped ? 0.0f : 1.0f};
  ImGui::GetWindowDrawList()->AddImage(id_of(texture), r.min, r.max(), top, bottom,
                                       IM_COL32(255, 255, 255, std::lround(255 * opacity)));
}

void label(ImDrawList& list, ImVec2 at, const std::string& text, ImU32 color, float align) {
  at.x -= align * ImGui::CalcTextSize(text.c_str()).x;
  at = {std::round(at.x), std::round(at.y)};
  for (const float x : {-1.0f, 0.0f, 1.0f})  // dark all around, for bright pictures
    for (const float y : {-1.0f, 0.0f, 1.0f}) list.AddText({at.x + x, at.y + y}, IM_COL32(0, 0, 0, 150), text.c_str());
  list.AddText(at, color, text.c_str());
}

void line(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color, float width) {
  list.AddLine(from, to, halo, width + 2);
  list.AddLine(from, to, color, width);
}

Rect plate(ImDrawList& list, ImVec2 at, float width) {
  const float pad = 0.3f * ImGui::GetFontSize();
  const Rect r{{at.x - pad, at.y - 0.5f * pad}, {width + 2 * pad, ImGui::GetFontSize() + pad}};
  list.AddRectFilled(r.min, r.max(), (palette().pane & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 150), pad);
  return r;
}

void pane_title(const Rect& r, const std::string& name, ImU32 color, const std::string& detail) {
  note_text(name, detail);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at{r.min.x + margin(), r.min.y + margin()};
  const float after = ImGui::CalcTextSize(name.c_str()).x + 0.7f * ImGui::GetFontSize();
  const std::string shown = detail.empty() ? "" : elided(detail, r.size.x - after - 2 * margin());
  const float wide = shown.empty() ? ImGui::CalcTextSize(name.c_str()).x : after + ImGui::CalcTextSize(shown.c_str()).x;
  list.PushClipRect(r.min, r.max(), true);
  plate(list, at, wide);
  list.AddText({std::round(at.x), std::round(at.y)}, color, name.c_str());
  list.AddText({std::round(at.x + after), std::round(at.y)}, palette().label, shown.c_str());
  list.PopClipRect();
}

void scale_bar(const Rect& r, double mm_per_pixel, const std::string& unit) {
  if (r.size.x < 120 || !(mm_per_pixel > 0)) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double mm = round_length(0.28 * r.size.x * mm_per_pixel);
  const float length = static_cast<float>(mm / mm_per_pixel), tick = 0.3f * ImGui::GetFontSize();
  const ImVec2 right{r.max().x - margin(), r.max().y - margin()}, left{right.x - length, right.y};
  line(list, left, right, palette().label, 1.5f);
  line(list, {left.x, left.y - tick}, left, palette().label, 1.5f);
  line(list, {right.x, right.y - tick}, right, palette().label, 1.5f);
  const std::string text = round_length_text(mm, unit);
  const ImVec2 middle{0.5f * (left.x + right.x), right.y - tick - ImGui::GetTextLineHeight()};
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  plate(list, {middle.x - 0.5f * width, middle.y}, width);  // the border of a bright picture may pass here
  label(list, middle, text, palette().label, 0.5f);
  note_item("scale bar", {left.x, left.y - tick}, right);
  note_text("scale bar", text);
}

}  // namespace backlit::viewer
