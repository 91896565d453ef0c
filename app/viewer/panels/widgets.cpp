#include "panels/widgets.hpp"

#include <imgui_stdlib.h>

#include <algorithm>

#include <backlit/core/error.hpp>
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

std::string in_words(const std::string& text) {
  std::string words;
  bool name = false;
  for (const char c : text) {
    if (c == '`')
      name = !name;
    else
      words += name && c == '_' ? ' ' : c;
  }
  return words;
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
  if (std::holds_alternative<Choice>(p.target)) {
    std::string text = p.text();
    changed = choose(text, p.choices, id.c_str());
    if (changed) Parameter(p).set(text);
  }
  if (std::holds_alternative<Written>(p.target)) {
    std::string text = p.text();
    changed = ImGui::InputText(id.c_str(), &text, ImGuiInputTextFlags_EnterReturnsTrue);
    if (changed) Parameter(p).set(text);
  }
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

}  // namespace backlit::viewer
