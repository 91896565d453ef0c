#include <algorithm>

#include "model/actions/action_groups.hpp"

namespace backlit::viewer {
namespace {

ActionInfo measure(const std::string& kind, std::size_t points) {
  const std::string name = "measure " + kind;
  const auto which = static_cast<Measurement::Kind>(
      std::find(measurement_names().begin(), measurement_names().end(), kind) - measurement_names().begin());
  return {.name = name,
          .arguments = points == 3 ? "X Y Z X Y Z X Y Z" : "X Y Z X Y Z",
          .help = "Measure: " + kind + ", points in mm",
          .least = 3 * points,
          .most = 3 * points,
          .run =
              [which, points](Model& m, const Action& a) {
                edit(m, a, [&](ViewState& s) {
                  Measurement made{which, {}};
                  for (std::size_t i = 0; i < points; ++i) made.points.push_back(vector(a, 3 * i));
                  s.measurements.push_back(made);
                });
              },
          .random =
              [name, points](Model& m, std::mt19937& r) {
                if (m.state().measurements.size() > 20) return Action{"measure clear"};
                Action a{name};
                for (std::size_t i = 0; i < points; ++i)
                  for (const std::string& w : words(any_point(m, r))) a.arguments.push_back(w);
                return a;
              }};
}

/// Takes the tool that measures by hand, or lays it down.
ActionInfo tool(const std::string& kind, const char* title, const char* help) {
  return {.name = "tool " + kind,
          .arguments = "",
          .help = help,
          .menu = "Tools/Measurement",
          .title = title,
          .run =
              [kind](Model& m, const Action& a) {
                edit(m, a,
                     [&](ViewState& s) { s.layout.tool = s.layout.tool == kind ? std::string("crosshair") : kind; });
              },
          .random = [kind](Model&, std::mt19937&) { return Action{"tool " + kind}; },
          .checked = [kind](const Model& m) { return m.state().layout.tool == kind; }};
}

/// The key frame that an argument names.
std::size_t keyframe_of(const ViewState& s, const Action& a, std::size_t argument) {
  const std::int64_t n = integer(a, argument), count = std::ssize(s.keyframes);
  if (n < 1 || n > count)
    throw InputError(a.name, fmt::format("there is no key frame {}", n), fmt::format("there are {}", count));
  return static_cast<std::size_t>(n - 1);
}

using KeyframeChange = void (*)(ViewState&, std::size_t keyframe, const Action&);

ActionInfo of_keyframe(const char* name, const std::string& arguments, const char* help, KeyframeChange change) {
  const std::size_t count = arguments == "NUMBER" ? 1 : 2;
  return {.name = name,
          .arguments = arguments,
          .help = help,
          .least = count,
          .most = count,
          .run = [change](Model& m,
                          const Action& a) { edit(m, a, [&](ViewState& s) { change(s, keyframe_of(s, a, 0), a); }); },
          .random =
              [name, count](Model& m, std::mt19937& r) {
                const std::size_t all = m.state().keyframes.size();
                if (all == 0) return Action{"keyframe"};
                Action a{name};
                for (std::size_t i = 0; i < count; ++i) a.arguments.push_back(std::to_string(1 + r() % all));
                return a;
              }};
}

}  // namespace

std::vector<ActionInfo> tool_actions() {
  return {
      measure("distance", 2),
      measure("angle", 3),
      measure("profile", 2),
      measure("region", 2),
      {.name = "measure note",
       .arguments = "X Y Z TEXT",
       .help = "Write a note at a point, mm",
       .least = 4,
       .most = 4,
       .run =
           [](Model& m, const Action& a) {
             edit(m, a, [&](ViewState& s) {
               s.measurements.push_back({Measurement::Kind::note, {vector(a, 0)}, a.arguments[3]});
             });
           }},
      tool("distance", "Distance", "Click two points of a slice or of what the 3-D view shows, or drag in a slice"),
      tool("angle", "Angle", "Click three points of a slice or of what the 3-D view shows; the second is the corner"),
      tool("profile", "Profile", "Values along a line: drag in a slice"),
      tool("region", "Region", "Mean, deviation and porosity in a rectangle: drag in a slice"),
      tool("note", "Note", "Words at a point: click it, then write them under Measure"),
      list_clear("measure clear", "Clear measurements", [](ViewState& s) { s.measurements.clear(); }),
      {.name = "clip",
       .arguments = "X Y Z NX NY NZ",
       .help = "Hide the volume beyond a plane: a point in mm and the direction that is hidden",
       .least = 6,
       .most = 6,
       .run =
           [](Model& m, const Action& a) {
             const Vec3 normal = vector(a, 3);
             if (!(glm::length(normal) > 0)) throw InputError("clip", "the direction is zero", "give one");
             edit(m, a, [&](ViewState& s) { s.clips.push_back({vector(a, 0), glm::normalize(normal)}); });
           },
       .random =
           [](Model& m, std::mt19937& r) {
             if (m.state().clips.size() >= VolumeRenderOptions::max_clips) return Action{"clip clear"};
             Action a{"clip", words(any_point(m, r))};
             for (const std::string& w : words({uniform(r, 0.1, 1), uniform(r, -1, 1), uniform(r, -1, 1)}))
               a.arguments.push_back(w);
             return a;
           }},
      {.name = "clip box",
       .arguments = "",
       .help = "Cut the 3-D view to a box whose faces can be dragged, or leave the box as it is",
       .menu = "Tools",
       .title = "Clip box",
       .shortcut = "Shift+B",
       .run =
           [](Model& m, const Action& a) {
             edit(m, a, [&](ViewState& s) {
               const bool leaves = s.layout.tool == "box";
               s.layout.tool = leaves ? "crosshair" : "box";
               if (!leaves) start_crop(s.display, m.status().grid);
             });
           },
       .random = [](Model&, std::mt19937&) { return Action{"clip box"}; },
       .checked = [](const Model& m) { return m.state().layout.tool == "box"; }},
      list_clear("clip clear", "Remove clip planes", [](ViewState& s) { s.clips.clear(); }),
      {.name = "surface",
       .arguments = "VALUE [OPACITY [COLOUR]]",
       .help = "Add an isosurface: opacity 0 to 1, colour as #c05030",
       .least = 1,
       .most = 3,
       .run =
           [](Model& m, const Action& a) {
             IsoSurface surface{number(a, 0)};
             if (a.arguments.size() > 1) surface.opacity = number(a, 1);
             if (a.arguments.size() > 2) surface.color = a.arguments[2];
             edit(m, a, [&](ViewState& s) {
               s.surfaces.push_back(surface);
               s.display.mode = "iso";
             });
           },
       .random =
           [](Model& m, std::mt19937& r) {
             if (m.state().surfaces.size() >= most_surfaces) return Action{"surface clear"};
             return Action{"surface", {digits(uniform(r, 0.005, 0.03)), digits(uniform(r, 0, 1))}};
           }},
      list_clear("surface clear", "Remove added isosurfaces", [](ViewState& s) { s.surfaces.clear(); }),
      {.name = "keyframe",
       .arguments = "",
       .help = "Add the present camera to the camera path",
       .menu = "Tools",
       .title = "Add key frame",
       .shortcut = "K",
       .run = [](Model& m, const Action& a) { edit(m, a, [](ViewState& s) { s.keyframes.push_back(s.camera); }); },
       .random = [](Model&, std::mt19937&) { return Action{"keyframe"}; }},
      of_keyframe("keyframe go", "NUMBER", "Move the camera to a key frame, 1 is the first",
                  [](ViewState& s, std::size_t n, const Action&) { s.camera = s.keyframes[n]; }),
      of_keyframe("keyframe set", "NUMBER", "Replace a key frame by the present camera",
                  [](ViewState& s, std::size_t n, const Action&) { s.keyframes[n] = s.camera; }),
      of_keyframe("keyframe remove", "NUMBER", "Remove a key frame",
                  [](ViewState& s, std::size_t n, const Action&) {
                    s.keyframes.erase(s.keyframes.begin() + static_cast<std::ptrdiff_t>(n));
                  }),
      of_keyframe("keyframe move", "FROM TO", "Move a key frame to another place in the path",
                  [](ViewState& s, std::size_t n, const Action& a) {
                    const std::size_t to = keyframe_of(s, a, 1);
                    const Turntable camera = s.keyframes[n];
                    s.keyframes.erase(s.keyframes.begin() + static_cast<std::ptrdiff_t>(n));
                    s.keyframes.insert(s.keyframes.begin() + static_cast<std::ptrdiff_t>(to), camera);
                  }),
      list_clear("keyframe clear", "Clear key frames", [](ViewState& s) { s.keyframes.clear(); }),
      {.name = "undo",
       .arguments = "",
       .help = "Undo the last change of a parameter or view",
       .menu = "Edit",
       .shortcut = "Ctrl+Z",
       .run = [](Model& m, const Action&) { m.undo(); },
       .random = [](Model&, std::mt19937&) { return Action{"undo"}; }},
      {.name = "redo",
       .arguments = "",
       .help = "Redo what was undone",
       .menu = "Edit",
       .shortcut = "Ctrl+Y",
       .also = "Ctrl+Shift+Z",
       .run = [](Model& m, const Action&) { m.redo(); },
       .random = [](Model&, std::mt19937&) { return Action{"redo"}; }},
      {.name = "dismiss",
       .arguments = "",
       .help = "Dismiss the messages",
       .menu = "Edit",
       .title = "Dismiss messages",
       .run = [](Model& m, const Action&) { m.dismiss_errors(); },
       .random = [](Model&, std::mt19937&) { return Action{"dismiss"}; }},
  };
}

}  // namespace backlit::viewer
