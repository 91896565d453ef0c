#include "panels/widgets.hpp"

#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <sstream>

#include <backlit/core/error.hpp>
#include "window/focus_order.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr float name_share = 0.43f;  ///< share of a row's width

/// `automatic`: what is shown for "auto"; empty: that.
bool choose(std::string& value, const std::vector<std::string>& choices, const char* id,
            const std::string& automatic = "") {
  bool changed = false;
  const std::string& shown = value == "auto" && !automatic.empty() ? automatic : value;
  if (!ImGui::BeginCombo(id, shown.c_str())) return false;
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

/// What is being typed, by the id of its widget.
struct Typed {
  ImGuiID id = 0;
  std::string parameter;
  double value = 0;
};
Typed typed;

/// Escapes percent signs for a printf format.
std::string literal(const std::string& text) {
  std::string format;
  for (const char c : text) format += c == '%' ? "%%" : std::string{c};
  return format;
}

/// `format`: for values that `zero` does not replace. A typed value counts once it is complete.
template <class T>
bool edit_value(T& value, ImGuiDataType type, std::array<T, 2> range, bool slider, double speed,
                const std::string& format, const Zero& zero, const char* id) {
  const bool automatic = value == 0 && !zero.text.empty();
  T shown = automatic ? static_cast<T>(zero.value) : value;
  const std::string text = automatic ? literal(zero.text) : format;
  const bool changed =
      slider ? ImGui::SliderScalar(id, type, &shown, &range[0], &range[1], text.c_str(), ImGuiSliderFlags_AlwaysClamp)
             : ImGui::DragScalar(id, type, &shown, static_cast<float>(speed), &range[0], &range[1], text.c_str(),
                                 ImGuiSliderFlags_AlwaysClamp);
  if (!zero.text.empty() && !automatic && ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
    value = 0;
    return true;
  }
  const ImGuiID item = ImGui::GetItemID();
  if (ImGui::TempInputIsActive(item)) {
    if (changed) typed = {item, id + 2, static_cast<double>(shown)};
    return false;
  }
  if (typed.id == item) typed = {};
  if (!changed) return false;
  value = shown;
  return true;
}

bool edit_number(double& value, const Parameter& p, double speed, const Zero& zero, const char* id) {
  const bool slider = p.min > -1e3 && p.max < 1e3 && p.max - p.min <= 2;
  const std::string number = std::abs(value) >= 1e4 && std::abs(value) < 1e9 ? "%.0f" : "%.4g";  // not 4.792e+04
  const std::string format = p.unit.empty() ? number : number + " " + p.unit;
  return edit_value<double>(value, ImGuiDataType_Double, {p.min, p.max}, slider, speed, format, zero, id);
}

bool edit_count(std::int64_t& value, const Parameter& p, const Zero& zero, const char* id) {
  const auto low = static_cast<std::int64_t>(std::max(p.min, -1e15)),
             high = static_cast<std::int64_t>(std::min(p.max, 1e15));
  const std::string format = p.unit.empty() ? "%lld" : "%lld " + p.unit;
  return edit_value<std::int64_t>(value, ImGuiDataType_S64, {low, high}, high - low < 400, 0.2, format, zero, id);
}

/// Whether the pointer has rested on the last item: a tooltip that opens at once would cover the items below.
bool rested_on() {
  constexpr double patience = 0.4;
  static ImVec2 at;
  static double since = 0;
  static int frame = 0;
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return false;
  const ImVec2 now = ImGui::GetItemRectMin();
  if (now.x != at.x || now.y != at.y || frame < ImGui::GetFrameCount() - 1) since = ImGui::GetTime();
  at = now;
  frame = ImGui::GetFrameCount();
  return ImGui::GetTime() >= since + patience;
}

/// Where the help ends with "0: never": that word.
Zero zero_in_help(const std::string& help) {
  const std::string begin = "; 0: ";
  const auto at = help.rfind(begin);
  if (at == std::string::npos || help.find(' ', at + begin.size()) != std::string::npos) return {};
  return {help.substr(at + begin.size())};
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
  const float column = name_share * ImGui::GetWindowContentRegionMax().x;
  ImGui::TextUnformatted(elided(name, column - ImGui::GetCursorPosX() - 2).c_str());
  ImGui::PopStyleColor();
  if (!help.empty()) tooltip(help);
  ImGui::SameLine(column);
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
  static const std::map<std::string, std::string> known{{"center_shift", "rotation axis"},
                                                        {"find center", "rotation axis"},
                                                        {"offset_v", "vertical offset"},
                                                        {"tilt_u", "detector tilt"},
                                                        {"tilt_v", "detector slant"},
                                                        {"tilt_n", "detector rotation"},
                                                        {"detector_distance", "detector distance"},
                                                        {"axis_distance", "axis distance"},
                                                        {"reversed", "turned other way"},
                                                        {"size_x", "voxels x"},
                                                        {"size_y", "voxels y"},
                                                        {"size_z", "voxels z"},
                                                        {"voxel", "voxel size"},
                                                        {"gradient_opacity", "edges only"},
                                                        {"occlusion", "dark hollows"},
                                                        {"center_x", "move region x"},
                                                        {"center_y", "move region y"},
                                                        {"center_z", "move region z"},
                                                        {"follow", "update automatically"},
                                                        {"steer", "go on from the volume"},
                                                        {"interval", "refresh every"},
                                                        {"lockstep", "wait for display"},
                                                        {"stripes", "ring removal"},
                                                        {"stripe_method", "how"},
                                                        {"dead_stripes", "dead columns"},
                                                        {"large_stripes", "wide rings"},
                                                        {"defects", "defective pixels"},
                                                        {"flat_components", "drifting flats"},
                                                        {"air_columns", "changing beam"},
                                                        {"truncation", "wide object"},
                                                        {"flatten", "flatten (cupping)"},
                                                        {"hardening", "polynomial"},
                                                        {"water_spectrum", "spectrum (water)"},
                                                        {"scatter_share", "scatter"},
                                                        {"metal", "metal from"},
                                                        {"phase_ratio", "delta / beta"},
                                                        {"phase_energy", "energy"},
                                                        {"phase_distance", "distance"},
                                                        {"psf", "resolution (PSF)"},
                                                        {"tof", "time of flight"},
                                                        {"likelihood", "log-likelihood"},
                                                        {"fov", "field of view"},
                                                        {"iso", "iso value"},
                                                        {"step", "sampling step"},
                                                        {"initial", "start volume"},
                                                        {"water", "water (0 HU)"},
                                                        {"air", "air (-1000 HU)"},
                                                        {"slab", "slice thickness"},
                                                        {"column_share", "size of panes"},
                                                        {"row_share", "size of panes"},
                                                        {"center_step", "step of the centres"},
                                                        {"slab_mode", "value shown"},
                                                        {"play", "play slices"},
                                                        {"play_speed", "speed"},
                                                        {"smooth", "smooth voxels"},
                                                        {"linked_zoom", "zoom together"},
                                                        {"iso_opacity", "opacity"},
                                                        {"iso_color", "colour"},
                                                        {"pinned_map", "colours of A"},
                                                        {"pinned_low", "low of A"},
                                                        {"pinned_high", "high of A"},
                                                        {"opacity", "opacity of A"},
                                                        {"segment", "show segment"},
                                                        {"segment_low", "from"},
                                                        {"segment_high", "to"}};
  if (const std::string change = "set "; parameter.starts_with(change)) return spoken(parameter.substr(change.size()));
  if (const auto found = known.find(parameter); found != known.end()) return found->second;
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

std::string elided(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  std::string part = text;
  while (!part.empty() && ImGui::CalcTextSize((part + "...").c_str()).x > width) {
    while (part.size() > 1 && (static_cast<unsigned char>(part.back()) & 0xC0) == 0x80) part.pop_back();
    part.pop_back();
  }
  return part.empty() ? "" : part + "...";
}

bool holds_words(const std::string& text, const std::string& words) {
  const auto lower = [](std::string t) {
    std::ranges::transform(t, t.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return t;
  };
  const std::string all = lower(text);
  std::istringstream in(lower(words));
  for (std::string word; in >> word;)
    if (all.find(word) == std::string::npos) return false;
  return true;
}

std::string sentence(const std::string& text) {
  std::string words = in_words(text);
  if (words.empty()) return words;
  words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  return words.back() == '.' ? words : words + ".";
}

/// A switch with its name on the right, for names that are too long for their column.
bool switch_row(bool& on, const std::string& name, const Parameter& p) {
  const bool changed = ImGui::Checkbox(("##" + p.name).c_str(), &on);
  name_item(p.name);
  ImGui::SameLine();
  ImGui::TextDisabled("%s", name.c_str());
  tooltip(p.help);
  return changed;
}

std::optional<double> typed_into(const std::string& parameter) {
  return typed.id != 0 && typed.parameter == parameter ? std::optional(typed.value) : std::nullopt;
}

bool parameter_row(const Parameter& p, double speed, const char* name, const Zero& given) {
  const Zero zero = given.text.empty() ? zero_in_help(p.help) : given;
  const bool number = std::holds_alternative<double*>(p.target) || std::holds_alternative<std::int64_t*>(p.target);
  std::string help = in_words(p.help);
  if (number) help += std::string("\n") + how_to_type;
  if (number && !zero.text.empty()) help += " Right click: " + zero.text.substr(0, zero.text.find(' ')) + ".";
  const std::string label = name ? name : spoken(p.name);
  if (auto* const* on = std::get_if<bool*>(&p.target))
    if (ImGui::CalcTextSize(label.c_str()).x > name_share * ImGui::GetWindowContentRegionMax().x - 8)
      return switch_row(**on, label, p);
  row(label, help);
  const std::string id = "##" + p.name;
  bool changed = false;
  if (auto* const* on = std::get_if<bool*>(&p.target)) changed = ImGui::Checkbox(id.c_str(), *on);
  if (auto* const* n = std::get_if<std::int64_t*>(&p.target)) changed = edit_count(**n, p, zero, id.c_str());
  if (auto* const* v = std::get_if<double*>(&p.target)) changed = edit_number(**v, p, speed, zero, id.c_str());
  if (auto* const* text = std::get_if<std::string*>(&p.target))
    changed = p.choices.empty()
                  ? ImGui::InputTextWithHint(id.c_str(), zero.text.c_str(), *text, ImGuiInputTextFlags_EnterReturnsTrue)
                  : choose(**text, p.choices, id.c_str());
  if (std::holds_alternative<Choice>(p.target)) {
    std::string text = p.text();
    changed = choose(text, p.choices, id.c_str(), zero.text);
    if (changed) Parameter(p).set(text);
  }
  name_item(p.name);
  if (number) field_tooltip(help);
  if (!zero.text.empty()) note_text(p.name + " shown", zero.text);
  return changed;
}

/// What is typed may be wrong: the action says so.
void written_row(Frame& frame, const Parameter& p, const char* name, const Zero& zero) {
  row(name ? name : spoken(p.name), in_words(p.help));
  std::string text = p.text();
  if (text == "0" && !zero.text.empty()) text.clear();
  if (ImGui::InputTextWithHint(("##" + p.name).c_str(), zero.text.c_str(), &text, ImGuiInputTextFlags_EnterReturnsTrue))
    frame.act("set", {p.name, text.empty() && p.text() == "0" ? "0" : text});
  name_item(p.name);
  if (!zero.text.empty() && text.empty()) note_text(p.name + " shown", zero.text);
}

void edit_row(Frame& frame, const Parameter& p, double speed, const char* name, const Zero& zero) {
  if (std::holds_alternative<Written>(p.target)) return written_row(frame, p, name, zero);
  Parameter shown = p;
  if (shown.unit == "mm") shown.unit = frame.length_unit();
  if (shown.unit == "1/mm") shown.unit = fmt::format("1/{}", frame.length_unit());
  if (parameter_row(shown, speed, name, zero)) frame.edited(p.name);
}

void value_row(Frame& frame, Parameter p, double speed, const Zero& zero) {
  p.unit = frame.model.value_unit();
  edit_row(frame, p, speed, nullptr, zero);
}

void path_row(Frame& frame, const Parameter& p, const Action& action) {
  const std::string help = in_words(p.help);
  row(spoken(p.name), help);
  auto& text = **std::get_if<std::string*>(&p.target);
  const float button = ImGui::GetFrameHeight(), gap = 3;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - gap);
  if (ImGui::InputTextWithHint(("##" + p.name).c_str(), "none", &text, ImGuiInputTextFlags_EnterReturnsTrue))
    frame.edited(p.name);
  name_item(p.name);
  tooltip(text.empty() ? help : text);
  ImGui::SameLine(0, gap);
  if (ImGui::Button(("...##" + p.name).c_str(), {button, 0})) frame.act(action.name, action.arguments);
  name_item("choose " + p.name);
  tooltip(action_info(action.name).help);
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
  if (text.empty() || !rested_on()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(24 * ImGui::GetFontSize());
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void field_tooltip(const std::string& text) {
  if (!ImGui::IsItemActive()) tooltip(text);
}

void quiet_text(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

void warning(const std::string& text) {
  note_text("warning", text);
  ImGui::PushStyleColor(ImGuiCol_Text, palette().second);
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

void name_item(const std::string& label) {
  note_item(label, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  note_stop(label);
}

bool color_button(const char* id, std::string& color, const std::string& help) {
  const Rgb c = color_from(color, id);
  float rgb[3] = {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255};
  const bool changed = ImGui::ColorEdit3(id, rgb, ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel);
  name_item(std::string(id).substr(2));
  tooltip(help);
  const auto byte = [](float v) { return std::lround(255 * std::clamp(v, 0.0f, 1.0f)); };
  if (changed) color = fmt::format("#{:02x}{:02x}{:02x}", byte(rgb[0]), byte(rgb[1]), byte(rgb[2]));
  return changed;
}

}  // namespace backlit::viewer
