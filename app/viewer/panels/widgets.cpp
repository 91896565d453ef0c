#include "panels/widgets.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "render/line_plot.hpp"
#include "window/synthetic_hands.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr float name_share = 0.40f;  ///< of a row's width

bool choose(std::string& value, const std::vector<std::string>& choices, const char* id) {
  bool changed = false;
  if (!ImGui::BeginCombo(id, value.c_str())) return false;
  for (const std::string& choice : choices) {
    if (ImGui::Selectable(choice.c_str(), choice == value) && choice != value) {
      value = choice;
      changed = true;
    }
    name_item(choice);
  }
  ImGui::EndCombo();
  return changed;
}

bool edit_number(double& value, const Parameter& p, double speed, const char* id) {
  const std::string format = p.unit.empty() ? "%.4g" : "%.4g " + p.unit;
  if (p.min > -1e3 && p.max < 1e3 && p.max - p.min <= 2)
    return ImGui::SliderScalar(id, ImGuiDataType_Double, &value, &p.min, &p.max, format.c_str(),
                               ImGuiSliderFlags_AlwaysClamp);
  return ImGui::DragScalar(id, ImGuiDataType_Double, &value, static_cast<float>(speed), &p.min, &p.max, format.c_str(),
                           ImGuiSliderFlags_AlwaysClamp);
}

bool edit_count(std::int64_t& value, const Parameter& p, const char* id) {
  const auto low = static_cast<std::int64_t>(std::max(p.min, -1e15)),
             high = static_cast<std::int64_t>(std::min(p.max, 1e15));
  const std::string format = p.unit.empty() ? "%lld" : "%lld " + p.unit;
  if (high - low < 400)
    return ImGui::SliderScalar(id, ImGuiDataType_S64, &value, &low, &high, format.c_str(),
                               ImGuiSliderFlags_AlwaysClamp);
  return ImGui::DragScalar(id, ImGuiDataType_S64, &value, 0.2f, &low, &high, format.c_str(),
                           ImGuiSliderFlags_AlwaysClamp);
}

struct Bounds {
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
};

Bounds bounds_of(std::span<const Curve> curves, bool logarithmic) {
  Bounds b{1e300, -1e300, 1e300, -1e300};
  for (const Curve& c : curves)
    for (std::size_t i = 0; i < std::min(c.x.size(), c.y.size()); ++i) {
      if (!std::isfinite(c.y[i]) || (logarithmic && c.y[i] <= 0)) continue;
      b = {std::min(b.x0, c.x[i]), std::max(b.x1, c.x[i]), std::min(b.y0, c.y[i]), std::max(b.y1, c.y[i])};
    }
  if (b.x0 > b.x1) return logarithmic ? Bounds{0, 1, 0.1, 1} : Bounds{};
  if (b.x0 == b.x1) b.x1 = b.x0 + 1;
  if (logarithmic) return b.y0 < b.y1 ? b : Bounds{b.x0, b.x1, 0.5 * b.y0, 2 * b.y0};
  const double margin = b.y1 > b.y0 ? 0.06 * (b.y1 - b.y0) : std::max(1e-12, 0.5 * std::abs(b.y0));
  return {b.x0, b.x1, b.y0 - margin, b.y1 + margin};
}

}  // namespace

bool section(const char* title, bool closed) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {8, 0.32f * ImGui::GetFontSize()});
  const bool open = ImGui::CollapsingHeader(title, closed ? 0 : ImGuiTreeNodeFlags_DefaultOpen);
  ImGui::PopStyleVar();
  name_item(title);
  return open;
}

void row(const std::string& name, const std::string& help) {
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  ImGui::TextUnformatted(name.c_str());
  ImGui::PopStyleColor();
  if (!help.empty()) tooltip(help);
  ImGui::SameLine(name_share * ImGui::GetWindowContentRegionMax().x);
  ImGui::SetNextItemWidth(-1);
}

void fact(const std::string& name, const std::string& value) {
  note_text(name, value);
  ImGui::TextDisabled("%s", name.c_str());
  ImGui::SameLine(name_share * ImGui::GetWindowContentRegionMax().x);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(value.c_str());
  ImGui::PopTextWrapPos();
}

std::string grouped(std::int64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && digits[i - 1] != '-' && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string spoken(const std::string& parameter) {
  std::string text = parameter;
  std::ranges::replace(text, '_', ' ');
  return text;
}

bool parameter_row(const Parameter& p, double speed, const char* name) {
  row(name ? name : spoken(p.name), p.help);
  const std::string id = "##" + p.name;
  bool changed = false;
  if (auto* const* on = std::get_if<bool*>(&p.target)) changed = ImGui::Checkbox(id.c_str(), *on);
  if (auto* const* n = std::get_if<std::int64_t*>(&p.target)) changed = edit_count(**n, p, id.c_str());
  if (auto* const* v = std::get_if<double*>(&p.target)) changed = edit_number(**v, p, speed, id.c_str());
  if (auto* const* text = std::get_if<std::string*>(&p.target))
    changed = p.choices.empty() ? ImGui::InputText(id.c_str(), *text, ImGuiInputTextFlags_EnterReturnsTrue)
                                : choose(**text, p.choices, id.c_str());
  name_item(p.name);
  return changed;
}

void edit_row(Frame& frame, const Parameter& p, double speed, const char* name) {
  if (parameter_row(p, speed, name)) frame.edited(p.name);
}

const Parameter& of(const Parameters& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, &Parameter::name);
  if (found == list.end()) throw Failure("viewer", "there is no parameter " + name);
  return *found;
}

bool toggle_button(const char* text, bool on, const char* help, ImVec2 size) {
  if (on) {
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  }
  const bool pressed = ImGui::Button(text, size);
  if (on) ImGui::PopStyleColor(2);
  name_item(text);
  tooltip(help);
  return pressed;
}

void tooltip(const std::string& text) {
  if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(24 * ImGui::GetFontSize());
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void quiet_text(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

void name_item(const std::string& label) { note_item(label, ImGui::GetItemRectMin(), ImGui::GetItemRectMax()); }

void plot(Frame& frame, const char* id, std::span<const Curve> curves, const char* x_label, bool logarithmic,
          float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, height * frame.unit};
  ImGui::Dummy(size);
  name_item(id);
  if (size.x < 40) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg, 0.6f), 4 * frame.unit);
  ImGui::PushFont(small_font());
  const float text = ImGui::GetTextLineHeight(), inset = 5 * frame.unit;
  const Bounds b = bounds_of(curves, logarithmic);
  const double y0 = logarithmic ? std::log10(b.y0) : b.y0, y1 = logarithmic ? std::log10(b.y1) : b.y1;
  const float top = at.y + inset + 1.5f * text, bottom = at.y + size.y - inset - 1.2f * text;
  const auto screen_y = [&](double v) {
    const double s = ((logarithmic ? std::log10(v) : v) - y0) / (y1 - y0);
    return bottom - static_cast<float>(s) * (bottom - top);
  };
  const std::vector<double> ticks = round_ticks(b.y0, b.y1, logarithmic);
  float widest = 0;
  for (const double t : ticks) widest = std::max(widest, ImGui::CalcTextSize(fmt::format("{:.6g}", t).c_str()).x);
  const float left = at.x + 2 * inset + widest, right = at.x + size.x - inset;
  float last = 1e9f;
  for (const double t : ticks) {
    const float y = screen_y(t);
    list.AddLine({left, y}, {right, y}, ImGui::GetColorU32(ImGuiCol_Border, 0.6f));
    if (std::abs(y - last) < 1.1f * text) continue;
    const std::string word = fmt::format("{:.6g}", std::abs(t) < 1e-9 * (b.y1 - b.y0) ? 0.0 : t);
    list.AddText({left - inset - ImGui::CalcTextSize(word.c_str()).x, y - 0.5f * text}, palette().faint, word.c_str());
    last = y;
  }
  list.PushClipRect({left, at.y}, {right, at.y + size.y}, true);
  for (const Curve& c : curves) {
    std::vector<ImVec2> line;
    for (std::size_t i = 0; i < std::min(c.x.size(), c.y.size()); ++i)
      if (std::isfinite(c.y[i]) && (!logarithmic || c.y[i] > 0))
        line.push_back({left + static_cast<float>((c.x[i] - b.x0) / (b.x1 - b.x0)) * (right - left), screen_y(c.y[i])});
    list.AddPolyline(line.data(), static_cast<int>(line.size()), c.color, 0, 1.5f * frame.unit);
    if (line.size() < 40)
      for (const ImVec2& p : line) list.AddCircleFilled(p, 2 * frame.unit, c.color);
  }
  list.PopClipRect();
  float x = at.x + inset;
  for (const Curve& c : curves) {
    list.AddText({x, at.y + 0.5f * inset}, c.color, c.name);
    x += ImGui::CalcTextSize(c.name).x + text;
  }
  const float end = right - ImGui::CalcTextSize(x_label).x;
  list.AddText({end, bottom + 0.35f * text}, palette().faint, x_label);
  float free_from = left - text;
  for (const double t : round_ticks(b.x0, b.x1, false)) {
    const std::string word = fmt::format("{:.4g}", std::abs(t) < 1e-9 * (b.x1 - b.x0) ? 0.0 : t);
    const float width = ImGui::CalcTextSize(word.c_str()).x;
    const float middle = left + static_cast<float>((t - b.x0) / (b.x1 - b.x0)) * (right - left);
    if (middle - 0.5f * width < free_from || middle + 0.5f * width > end - 0.5f * text) continue;
    list.AddLine({middle, bottom}, {middle, bottom + 0.25f * text}, palette().faint);
    list.AddText({middle - 0.5f * width, bottom + 0.35f * text}, palette().faint, word.c_str());
    free_from = middle + 0.5f * width + text;
  }
  ImGui::PopFont();
}

}  // namespace backlit::viewer
