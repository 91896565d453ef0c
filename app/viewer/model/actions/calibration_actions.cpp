// The geometry: found from the projections, and turned by keys.
#include "model/actions/action_groups.hpp"
#include "model/geometry_parameters.hpp"

namespace backlit::viewer {
namespace {

void take(Model& m, const Action& a) {
  const auto& found = m.status().calibration;
  if (!found) throw InputError(a.name, "nothing was calibrated", "calibrate first");
  edit(m, a, [&](ViewState& s) {
    s.geometry = taken(s.geometry, *found, a.arguments.empty() ? "" : a.arguments[0]);
    if (!a.arguments.empty() && a.arguments[0] != "reversed") s.layout.selected_number = a.arguments[0];
  });
}

ActionInfo geometry_step(const char* name, const char* title, const char* help, const char* shortcut, double steps) {
  return {.name = name,
          .arguments = "",
          .help = help,
          .menu = "Reconstruction/Geometry by hand",
          .title = title,
          .shortcut = shortcut,
          .run =
              [steps](Model& m, const Action& a) {
                if (!m.status().source || !m.status().source->has_views)
                  throw InputError(a.name, "there are no projections", "open a scan");
                edit(m, a, [&](ViewState& s) {
                  const GeometryParameter& selected = geometry_parameter(s.layout.selected_number);
                  s.geometry.*selected.member += steps * selected.step * s.layout.step_scale;
                });
              },
          .random =
              [name](Model& m, std::mt19937&) {
                return m.status().source && m.status().source->has_views ? Action{name} : Action{"look front"};
              }};
}

}  // namespace

std::vector<ActionInfo> calibration_actions() {
  return {{.name = "calibrate",
           .arguments = "",
           .help = "Find the geometry with which the projections agree: axis, rows, turns, distance, direction",
           .menu = "Reconstruction",
           .title = "Calibrate geometry",
           .run = [](Model& m, const Action&) { m.calibrate(); }},
          {.name = "cancel calibration",
           .arguments = "",
           .help = "End the search; a reconstruction goes on",
           .run = [](Model& m, const Action&) { m.cancel_calibration(); }},
          {.name = "take calibration",
           .arguments = "[PARAMETER]",
           .help = "Set what the calibration found: one number, or all that the projections determine",
           .menu = "Reconstruction",
           .title = "Take the calibration",
           .least = 0,
           .most = 1,
           .run = take},
          geometry_step("nudge down", "A fine step down",
                        "The selected number of the geometry (the rotation axis at first) less by a fine step",
                        "Ctrl+Left", -0.1),
          geometry_step("nudge up", "A fine step up", "The selected number of the geometry more by a fine step",
                        "Ctrl+Right", 0.1),
          geometry_step("jump down", "A coarse step down", "The selected number of the geometry less by a coarse step",
                        "Ctrl+Shift+Left", -1),
          geometry_step("jump up", "A coarse step up", "The selected number of the geometry more by a coarse step",
                        "Ctrl+Shift+Right", 1)};
}

}  // namespace backlit::viewer
