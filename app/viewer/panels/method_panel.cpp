#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace backlit::viewer {
namespace {

/// The parameters that users change most; all others are under "all parameters".
std::vector<std::string> usual(const Method& method) {
  std::vector<std::string> names = method.info().usual;
  if (method.get<FdkOptions>()) names.emplace_back("interval");  // interval of the pictures during a run
  return names;
}

/// Change for each pixel of dragging: parameters without a fixed range change in proportion to their value.
double speed(const Parameter& p) {
  const bool any_size = p.name == "strength" || p.name == "penalty_edge";
  return any_size ? std::max(1e-7, 0.02 * std::abs(**std::get_if<double*>(&p.target))) : 0.01;
}

/// Whether a parameter is the path of a file.
bool is_file(const Parameter& p) {
  static constexpr std::array<std::string_view, 5> names{"mask", "initial", "resume", "attenuation", "checkpoint"};
  return std::ranges::count(names, p.name) > 0 && std::holds_alternative<std::string*>(p.target);
}

/// Names, each with what it is the name of.
void choose_method(Frame& frame) {
  const MethodInfo& now = frame.next.recon.method.info();
  const std::string help = now.title + " (" + now.paper + "). " + now.about;
  row("method", help);
  const bool open = ImGui::BeginCombo("##method", now.name.c_str(), ImGuiComboFlags_HeightLargest);
  name_item("method");
  if (!open) return tooltip(help);
  for (const std::string& name : method_names()) {
    const Method method(name);
    const bool chosen = ImGui::Selectable(name.c_str(), name == now.name);
    name_item(name);
    tooltip(method.info().about);
    ImGui::SameLine(7 * ImGui::GetFontSize());
    ImGui::TextDisabled("%s", method.info().title.c_str());
    if (chosen && name != now.name) frame.act("method", {name});  // the action also sets what the new method needs
  }
  ImGui::EndCombo();
}

/// What an automatic value of the method was in its last run.
Zero automatic(const Frame& frame, const Parameter& p) {
  const SessionReport* const report = frame.status.report.get();
  const bool same = report && !report->backend.empty() && report->method.name() == frame.next.recon.method.name();
  if (p.name == "weights") {
    const std::string taken = same && report->method.has("weights") ? report->method.text("weights") : "auto";
    return {taken == "auto" ? "automatic" : "auto (" + taken + ")"};
  }
  const bool zero_is_automatic = p.name == "strength" || p.name == "lambda" || (p.name == "subsets" && p.min == 0);
  if (!zero_is_automatic || (p.name == "strength" && p.min > 0)) return {};
  if (same)
    for (const auto& [name, value] : report->chosen)
      if (name == p.name) return {fmt::format("automatic ({:.3g})", value), value};
  return {"automatic"};
}

}  // namespace

void method_panel(Frame& frame) {
  if (!frame.status.source || !frame.status.source->has_views) return;
  if (!section("Method")) return;
  Parameters list;
  for (StateSection& s : describe(frame.next))
    if (s.name == "reconstruction") list = std::move(s.parameters);

  choose_method(frame);
  if (!frame.status.method_note.empty()) quiet_text(frame.status.method_note);
  const std::vector<std::string> first = usual(frame.next.recon.method);
  for (const std::string& name : first)
    edit_row(frame, of(list, name), speed(of(list, name)), nullptr, automatic(frame, of(list, name)));
  edit_row(frame, of(list, "follow"));
  if (of(list, "steer").needs.empty()) edit_row(frame, of(list, "steer"));
  if (!ImGui::TreeNodeEx("all parameters", ImGuiTreeNodeFlags_SpanAvailWidth)) return name_item("all parameters");
  name_item("all parameters");
  CorrectionOptions defaults;
  const Parameters corrections = describe(defaults);  // they have a panel of their own
  for (const Parameter& p : list) {
    const bool seen = p.name == "method" || p.name == "follow" || p.name == "steer" ||
                      std::ranges::count(first, p.name) || std::ranges::count(corrections, p.name, &Parameter::name);
    if (seen || !p.needs.empty()) continue;  // what has no effect now is not shown
    if (is_file(p))
      path_row(frame, p, {"file", {p.name}});
    else
      edit_row(frame, p, speed(p), nullptr, automatic(frame, p));
  }
  ImGui::TreePop();
}

}  // namespace backlit::viewer
