#include "window/theme.hpp"

#include <array>

namespace backlit::viewer {
namespace {

Palette current;

constexpr ImU32 rgb(unsigned hex, unsigned alpha = 255) {
  return IM_COL32(hex >> 16 & 255u, hex >> 8 & 255u, hex & 255u, alpha);
}
ImVec4 color(unsigned hex, float alpha = 1) {
  ImVec4 c = ImGui::ColorConvertU32ToFloat4(rgb(hex));
  c.w = alpha;
  return c;
}

/// The basic colours of a theme.
struct Tones {
  unsigned back, panel, raised, hovered, line, text, quiet, accent, accent_back, grip;
};

constexpr Tones dark_tones{0x14161a, 0x1c1f24, 0x2a2f37, 0x363d48, 0x343a43,
                           0xdfe3e8, 0x89929e, 0x5aa9e6, 0x2c5d86, 0x3a78ab};
constexpr Tones light_tones{0xdfe2e6, 0xf3f4f6, 0xe2e5ea, 0xd3d9e1, 0xc3c9d1,
                            0x1d2126, 0x6b7480, 0x1f6fb2, 0xa9cdec, 0x86b9e3};

void set_colors(const Tones& t) {
  auto& c = ImGui::GetStyle().Colors;
  const auto set = [&](std::initializer_list<int> which, const ImVec4& value) {
    for (const int i : which) c[i] = value;
  };
  set({ImGuiCol_Text}, color(t.text));
  set({ImGuiCol_TextDisabled}, color(t.quiet));
  set({ImGuiCol_WindowBg, ImGuiCol_ChildBg}, color(t.panel));
  set({ImGuiCol_PopupBg}, color(t.panel, 0.98f));
  set({ImGuiCol_MenuBarBg, ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed}, color(t.panel));
  set({ImGuiCol_Border, ImGuiCol_Separator, ImGuiCol_TableBorderLight, ImGuiCol_TableBorderStrong}, color(t.line));
  set({ImGuiCol_BorderShadow}, {0, 0, 0, 0});
  set({ImGuiCol_FrameBg, ImGuiCol_Button, ImGuiCol_Header, ImGuiCol_Tab, ImGuiCol_TabUnfocused}, color(t.raised));
  set({ImGuiCol_FrameBgHovered, ImGuiCol_ButtonHovered, ImGuiCol_HeaderHovered, ImGuiCol_TabHovered}, color(t.hovered));
  set({ImGuiCol_FrameBgActive, ImGuiCol_ButtonActive, ImGuiCol_HeaderActive, ImGuiCol_TabActive,
       ImGuiCol_TabUnfocusedActive},
      color(t.accent_back));
  set({ImGuiCol_ScrollbarBg}, color(t.panel, 0));
  set({ImGuiCol_ScrollbarGrab}, color(t.hovered));
  set({ImGuiCol_ScrollbarGrabHovered, ImGuiCol_ScrollbarGrabActive}, color(t.quiet));
  set({ImGuiCol_CheckMark, ImGuiCol_PlotLines, ImGuiCol_PlotHistogram, ImGuiCol_SeparatorHovered,
       ImGuiCol_SeparatorActive, ImGuiCol_NavHighlight},
      color(t.accent));
  set({ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive}, color(t.grip));  // the value is drawn over the grip
  set({ImGuiCol_TextSelectedBg}, color(t.accent, 0.35f));
  set({ImGuiCol_TableHeaderBg}, color(t.raised));
  set({ImGuiCol_TableRowBg}, {0, 0, 0, 0});
  set({ImGuiCol_TableRowBgAlt}, color(t.raised, 0.35f));
  set({ImGuiCol_ModalWindowDimBg}, color(0x000000, 0.45f));
  set({ImGuiCol_ResizeGrip}, {0, 0, 0, 0});
}

}  // namespace

const Palette& palette() { return current; }

void apply_theme(const std::string& name, float scale) {
  const bool light = name == "light";
  ImGuiStyle& s = ImGui::GetStyle();
  s = ImGuiStyle{};
  s.WindowPadding = {10, 10};
  s.FramePadding = {8, 4};
  s.ItemSpacing = {8, 6};
  s.ItemInnerSpacing = {6, 4};
  s.IndentSpacing = 14;
  s.ScrollbarSize = 11;
  s.GrabMinSize = 10;
  s.WindowBorderSize = 0;
  s.ChildBorderSize = 0;
  s.PopupBorderSize = 1;
  s.FrameRounding = s.GrabRounding = s.TabRounding = 4;
  s.WindowRounding = s.PopupRounding = 6;
  s.ScrollbarRounding = 6;
  s.WindowTitleAlign = {0.5f, 0.5f};
  s.ScaleAllSizes(scale);
  const Tones& t = light ? light_tones : dark_tones;
  set_colors(t);
  current = {.pane = rgb(0x0b0c0e),  // pictures need a dark background in every theme
             .label = rgb(0xe8ebef),
             .faint = rgb(t.quiet),
             .lines = rgb(dark_tones.quiet),
             .first_label = rgb(dark_tones.accent),
             .second_label = rgb(0xf0a15a),
             .accent = rgb(t.accent),
             .second = light ? rgb(0xc9641a) : rgb(0xf0a15a),
             .good = light ? rgb(0x2f8f4e) : rgb(0x6fcf8b),
             .bad = light ? rgb(0xc23b31) : rgb(0xf0746a),
             .tool = rgb(0xffd166),
             .axis = {rgb(0xf28b82), rgb(0x86d993), rgb(0x6fb1f2)}};
}

}  // namespace backlit::viewer
