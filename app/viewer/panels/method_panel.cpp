#include <algorithm>
#include <cmath>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace backlit::viewer {
namespace {

using Names = std::vector<std::string>;

/// What people turn with each method; everything else is under "all parameters".
const Names& usual(const std::string& method) {
  static const Names direct{"filter", "cutoff", "interval"},
      repeated{"filter", "cutoff", "iterations", "relaxation", "nonnegative"},
      relaxed{"iterations", "relaxation", "nonnegative"}, subset{"iterations", "subsets", "relaxation", "nonnegative"},
      expectation{"iterations"}, ordered{"iterations", "subsets"}, gradients{"iterations"},
      penalized{"iterations", "subsets", "penalty", "strength", "penalty_edge", "weights"}, helical{"filter", "cutoff"};
  if (method == "fdk") return direct;
  if (method == "hfdk") return helical;
  if (method == "pwls") return penalized;
  if (method == "ifdk") return repeated;
  if (method == "ossart" || method == "fista") return subset;
  if (method == "sirt" || method == "sart") return relaxed;
  if (method == "osem") return ordered;
  return method == "mlem" ? expectation : gradients;
}

/// Change a pixel of dragging: what may be of any size moves by a share of itself.
double speed(const Parameter& p) {
  const bool any_size = p.name == "strength" || p.name == "penalty_edge";
  return any_size ? std::max(1e-7, 0.02 * std::abs(**std::get_if<double*>(&p.target))) : 0.01;
}

}  // namespace

void method_panel(Frame& frame) {
  if (!frame.status.source || !frame.status.source->has_views) return;
  if (!section("Method")) return;
  Parameters list;
  for (StateSection& s : describe(frame.next))
    if (s.name == "reconstruction") list = std::move(s.parameters);

  std::string method = frame.next.recon.options.method;
  Parameter chooser = of(list, "method");
  chooser.target = &method;
  if (parameter_row(chooser)) return frame.act("method", {method});  // takes along what the new method needs
  for (const std::string& name : usual(method)) edit_row(frame, of(list, name), speed(of(list, name)));
  edit_row(frame, of(list, "follow"));
  if (!ImGui::TreeNodeEx("all parameters", ImGuiTreeNodeFlags_SpanAvailWidth)) return name_item("all parameters");
  name_item("all parameters");
  for (const Parameter& p : list) {
    const bool seen = p.name == "method" || p.name == "follow" || std::ranges::count(usual(method), p.name);
    if (!seen) edit_row(frame, p, speed(p));
  }
  ImGui::TreePop();
}

}  // namespace backlit::viewer
