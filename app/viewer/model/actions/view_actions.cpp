#include <filesystem>

#include <backlit/core/assets.hpp>
#include <backlit/render/cut_plane.hpp>
#include "model/actions/action_groups.hpp"
#include "model/values/statistics.hpp"

namespace backlit::viewer {
namespace {

/// "0 0.03", or percentiles "0.1% 99.9%"; without arguments 0.1 % to 99.9 %.
void set_window(Model& m, const Action& a) {
  if (a.arguments.size() == 1) throw InputError("window", "1 argument", "write: window [LOW HIGH]");
  const std::string low = a.arguments.empty() ? "0.1%" : a.arguments[0];
  const std::string high = a.arguments.empty() ? "99.9%" : a.arguments[1];
  const auto value = [&](const std::string& text, std::size_t argument) {
    if (!text.ends_with('%')) return number(a, argument);
    if (!m.status().histogram) throw InputError("window", "there is no volume yet to take percentiles of");
    Action percent{a.name, {text.substr(0, text.size() - 1)}};
    return m.status().histogram->percentile(number(percent, 0));
  };
  const double l = value(low, 0), h = value(high, 1);
  if (!(l < h)) throw InputError("window", fmt::format("{} is not below {}", l, h), "give the lower value first");
  m.set_window(l, h);
}

Action random_window(Model& m, std::mt19937& random) {
  const double low = uniform(random, -0.01, 0.02);
  if (m.status().histogram && m.status().histogram->sorted.size() > 100 && random() % 3 == 0) return {"window"};
  return {"window", {digits(low), digits(low + uniform(random, 0.001, 0.05))}};
}

void set_camera(Model& m, const Action& a) {
  edit(m, a, [&](ViewState& s) {
    s.camera.azimuth = number(a, 0);
    s.camera.elevation = number(a, 1);
    if (a.arguments.size() > 2) s.camera.zoom = number(a, 2);
  });
}

/// An action that sets one parameter by its only argument: "map viridis".
ActionInfo shorthand(const char* name, const char* parameter, const char* argument, const char* help) {
  return {.name = name,
          .arguments = argument,
          .help = help,
          .least = 1,
          .most = 1,
          .run =
              [parameter](Model& m, const Action& a) {
                edit(m, a, [&](ViewState& s) { find_state_parameter(s, parameter).set(a.arguments[0], a.name); });
              },
          .random =
              [name, parameter](Model& m, std::mt19937& r) {
                ViewState copy = m.state();
                const Parameter p = find_state_parameter(copy, parameter);
                std::string value = p.choices.empty() ? digits(uniform(r, 0.005, 0.03)) : any_of(r, p.choices);
                if (value == "custom") value = "auto";
                return Action{name, {value}};
              }};
}

/// Changes the layout if no pane shows this picture.
ActionInfo show_picture() {
  ActionInfo info = shorthand("picture", "picture", "NAME", "3-D view: volume, d2vr, split or difference");
  info.run = [](Model& m, const Action& a) {
    edit(m, a, [&](ViewState& s) {
      find_state_parameter(s, "picture").set(a.arguments[0], a.name);
      if (s.display.picture != "volume" && !has_volume_pane(s.layout)) s.layout.panes = "four";
    });
  };
  return info;
}

/// Sets a switch of the state to the argument, or toggles it without an argument.
void turn(ViewState& s, const char* parameter, const Action& a) {
  Parameter p = find_state_parameter(s, parameter);
  p.set(!a.arguments.empty() ? a.arguments[0] : p.text() == "true" ? "false" : "true", a.name);
}

bool is_on(const ViewState& state, const char* parameter) {
  ViewState copy = state;
  return find_state_parameter(copy, parameter).text() == "true";
}

ActionInfo toggle(const char* name, const char* parameter, const char* title, const char* shortcut) {
  return {.name = name,
          .arguments = "[on|off]",
          .help = std::string(title) + " on or off",
          .menu = "View",
          .title = title,
          .shortcut = shortcut,
          .least = 0,
          .most = 1,
          .run = [parameter](Model& m, const Action& a) { edit(m, a, [&](ViewState& s) { turn(s, parameter, a); }); },
          .random = [name](Model&, std::mt19937&) { return Action{name}; },
          .checked = [parameter](const Model& m) { return is_on(m.state(), parameter); }};
}

/// Shows the geometry in the layout "geometry" if that is active, else over the volume.
ActionInfo toggle_geometry() {
  ActionInfo info = toggle("toggle geometry", "", "Scan geometry", "G");
  const auto parameter = [](const ViewState& s) {
    return s.layout.panes == "geometry" ? "show_geometry" : "geometry_in_3d";
  };
  info.run = [parameter](Model& m, const Action& a) { edit(m, a, [&](ViewState& s) { turn(s, parameter(s), a); }); };
  info.checked = [parameter](const Model& m) { return is_on(m.state(), parameter(m.state())); };
  return info;
}

/// Without an argument what is played alone stops, or the slices of the pane that is alone, else the axial ones, begin.
ActionInfo play() {
  return {.name = "play",
          .arguments = "[axial|coronal|sagittal|path|turntable|off]",
          .help = "Play the slices, the camera path or a turntable as a film, or stop it",
          .menu = "View",
          .title = "Play slices",
          .shortcut = "C",
          .least = 0,
          .most = 1,
          .run =
              [](Model& m, const Action& a) {
                if (!a.arguments.empty() && a.arguments[0] == "path" && m.state().keyframes.size() < 2)
                  throw InputError("play", "a path takes two key frames", "add key frames (K)");
                edit(m, a, [&](ViewState& s) {
                  const std::string& alone = s.layout.large;
                  const bool slices = alone == "coronal" || alone == "sagittal";
                  const std::string usual = s.layout.play != "off" ? "off" : slices ? alone : "axial";
                  find_state_parameter(s, "play").set(a.arguments.empty() ? usual : a.arguments[0], a.name);
                });
              },
          .random = [](Model&, std::mt19937&) { return Action{"play"}; },
          .checked = [](const Model& m) { return m.state().layout.play != "off"; }};
}

ActionInfo look_along(const char* name, const char* shortcut, double azimuth, double elevation) {
  return {.name = std::string("look ") + name,
          .arguments = "",
          .help = fmt::format("Camera: {}", name),
          .menu = "View/Camera",
          .shortcut = shortcut,
          .run =
              [azimuth, elevation](Model& m, const Action& a) {
                edit(m, a, [&](ViewState& s) {
                  s.camera.azimuth = azimuth;
                  s.camera.elevation = elevation;
                  s.layout.from_source = false;
                });
              },
          .random = [name](Model&, std::mt19937&) { return Action{std::string("look ") + name}; }};
}

ActionInfo layout(const char* name, const char* shortcut, const char* help) {
  return {.name = std::string("layout ") + name,
          .arguments = "",
          .help = std::string("Layout: ") + help,
          .menu = "View/Layout",
          .title = help,
          .shortcut = shortcut,
          .run =
              [name](Model& m, const Action& a) {
                edit(m, a, [&](ViewState& s) {
                  s.layout.panes = name;
                  s.layout.large.clear();
                });
              },
          .random = [name](Model&, std::mt19937&) { return Action{std::string("layout ") + name}; }};
}

/// `factor` 0: resets the size.
ActionInfo text_size(const char* name, const char* shortcut, double factor) {
  return {.name = name,
          .arguments = "",
          .help = factor > 1   ? "Larger text"
                  : factor > 0 ? "Smaller text"
                               : "Default text size",
          .menu = "View/Text size",
          .title = factor > 1   ? "Larger"
                   : factor > 0 ? "Smaller"
                                : "Default",
          .shortcut = shortcut,
          .run =
              [factor](Model& m, const Action& a) {
                edit(m, a, [&](ViewState& s) {
                  s.layout.font_scale = factor > 0 ? std::clamp(s.layout.font_scale * factor, 0.5, 4.0) : 1;
                });
              },
          .random = [name](Model&, std::mt19937&) { return Action{name}; }};
}

/// Moves the crosshair by voxels along an axis.
ActionInfo nudge(const char* name, const char* shortcut, int axis, double voxels) {
  return {.name = name,
          .arguments = "",
          .help = "Move the crosshair by a voxel",
          .shortcut = shortcut,
          .run =
              [axis, voxels](Model& m, const Action& a) {
                edit(m, a, [&](ViewState& s) {
                  const VolumeGrid& g = m.status().grid;
                  if (count(g.size) == 0) return;
                  s.crosshair[axis] =
                      std::clamp(s.crosshair[axis] + voxels * g.spacing[axis], g.lower()[axis], g.upper()[axis]);
                });
              },
          .random = [name](Model&, std::mt19937&) { return Action{name}; }};
}

/// A change of the view by one step, for a key.
ActionInfo step(const char* name, const char* shortcut, const char* help,
                std::function<void(const Model&, ViewState&)> change) {
  return {.name = name,
          .arguments = "",
          .help = help,
          .shortcut = shortcut,
          .run =
              [change = std::move(change)](Model& m, const Action& a) {
                if (count(m.status().grid.size) > 0) edit(m, a, [&](ViewState& s) { change(m, s); });
              },
          .random = [name](Model&, std::mt19937&) { return Action{name}; }};
}

ActionInfo turn_camera(const char* name, const char* shortcut, double azimuth, double elevation) {
  constexpr double degrees = 5;
  return step(name, shortcut, "Turn the 3-D view by 5 degrees", [=](const Model&, ViewState& s) {
    orbit(s.camera, degrees * azimuth, degrees * elevation);
    s.layout.from_source = false;
  });
}

constexpr double share_moved = 0.05;  ///< of a picture

ActionInfo move_camera(const char* name, const char* shortcut, double right, double down) {
  return step(name, shortcut, "Move the picture of the 3-D view", [=](const Model& m, ViewState& s) {
    constexpr std::int64_t side = 1000;
    const VolumeGrid& grid = m.status().grid;
    pan(s.camera, camera_rays(s.camera, grid, side, side), grid, share_moved * side * right, share_moved * side * down);
  });
}

/// Of the pane that is alone, else of the axial one: 0 sagittal, 1 coronal, 2 axial.
std::size_t keyed_slice(const LayoutState& layout) {
  return layout.large == "sagittal" ? 0 : layout.large == "coronal" ? 1 : 2;
}

ActionInfo move_slices(const char* name, const char* shortcut, double right, double up) {
  return step(name, shortcut, "Move the picture of the slices: along the axial one, or along the one that is alone",
              [=](const Model& m, ViewState& s) {
                const std::size_t axis = keyed_slice(s.layout);
                SlicePlace& own = s.layout.own[axis];
                const bool linked = s.layout.linked_zoom, patient = m.status().source && m.status().source->patient;
                const Vec3 extent = m.status().grid.upper() - m.status().grid.lower();
                const double zoom = s.layout.slice_zoom * (linked ? 1 : own.zoom);
                const double mm = share_moved * std::max({extent.x, extent.y, extent.z}) / zoom;
                Vec3& middle = linked ? s.layout.slice_pan : own.pan;
                middle[axis == 0 ? 1 : 0] -= mm * right;
                middle[axis == 2 ? 1 : 2] -= mm * up * (axis == 2 && patient ? -1 : 1);
              });
}

ActionInfo zoom_slices(const char* name, const char* shortcut, double factor) {
  return step(name, shortcut, "Magnify or shrink the slices", [=](const Model&, ViewState& s) {
    double& zoom = s.layout.linked_zoom ? s.layout.slice_zoom : s.layout.own[keyed_slice(s.layout)].zoom;
    zoom = std::clamp(factor * zoom, 0.2, 200.0);
  });
}

ActionInfo zoom_camera(const char* name, const char* shortcut, double factor) {
  return step(name, shortcut, "Magnify or shrink the 3-D view",
              [=](const Model&, ViewState& s) { s.camera.zoom = std::clamp(factor * s.camera.zoom, 0.05, 500.0); });
}

/// An action on one of the user's own layouts, by its name.
ActionInfo named(const char* name, const char* help,
                 void (*run)(ViewState&, std::vector<NamedLayout>::iterator, const std::string&)) {
  return {
      .name = name, .arguments = "NAME", .help = help, .least = 1, .most = 1, .run = [run](Model& m, const Action& a) {
        edit(m, a, [&](ViewState& s) {
          run(s, std::ranges::find(s.layouts, a.arguments[0], &NamedLayout::name), a.arguments[0]);
        });
      }};
}

void require_saved(const ViewState& s, std::vector<NamedLayout>::const_iterator found, const std::string& name) {
  if (found != s.layouts.end()) return;
  std::string all;
  for (const NamedLayout& l : s.layouts) all += (all.empty() ? "" : ", ") + l.name;
  throw InputError("layout", fmt::format("none is saved as '{}'", name),
                   all.empty() ? "save one: layout save NAME" : "there are: " + all);
}

}  // namespace

std::filesystem::path manual_page() {
  std::error_code error;
  const auto assets = std::filesystem::weakly_canonical(asset_folder("colormaps"), error).parent_path();
  for (const char* place : {"doc/backlit-viewer/viewer.md", "docs/viewer.md"})
    if (auto page = assets.parent_path() / place; std::filesystem::exists(page, error)) return page;
  return {};
}

std::vector<ActionInfo> view_actions() {
  std::vector<ActionInfo> t{
      {.name = "window",
       .arguments = "[LOW HIGH]",
       .help = "Values shown as first and last colour, or percentiles (1% 99%)",
       .menu = "View",
       .title = "Auto window",
       .shortcut = "W",
       .least = 0,
       .most = 2,
       .run = set_window,
       .random = random_window},
      {.name = "crosshair",
       .arguments = "X Y Z",
       .help = "Move the crosshair: mm",
       .least = 3,
       .most = 3,
       .run = [](Model& m, const Action& a) { edit(m, a, [&](ViewState& s) { s.crosshair = vector(a, 0); }); },
       .random =
           [](Model& m, std::mt19937& r) {
             return Action{"crosshair", words(any_point(m, r))};
           }},
      {.name = "camera",
       .arguments = "AZIMUTH ELEVATION [ZOOM]",
       .help = "Place the camera: degrees",
       .least = 2,
       .most = 3,
       .run = set_camera,
       .random =
           [](Model&, std::mt19937& r) {
             return Action{"camera",
                           {digits(uniform(r, -180, 180)), digits(uniform(r, -90, 90)), digits(uniform(r, 0.3, 4))}};
           }},
      {.name = "orbit",
       .arguments = "AZIMUTH ELEVATION",
       .help = "Turn the camera by degrees",
       .least = 2,
       .most = 2,
       .run = [](Model& m,
                 const Action& a) { edit(m, a, [&](ViewState& s) { orbit(s.camera, number(a, 0), number(a, 1)); }); },
       .random =
           [](Model&, std::mt19937& r) {
             return Action{"orbit", {digits(uniform(r, -60, 60)), digits(uniform(r, -30, 30))}};
           }},
      {.name = "zoom",
       .arguments = "FACTOR",
       .help = "Magnify the 3-D view",
       .least = 1,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             const double factor = number(a, 0);
             if (!(factor > 0)) throw InputError("zoom", fmt::format("a factor of {}", factor), "give a positive one");
             edit(m, a, [&](ViewState& s) { s.camera.zoom = std::clamp(s.camera.zoom * factor, 1e-3, 1e4); });
           },
       .random =
           [](Model&, std::mt19937& r) {
             return Action{"zoom", {digits(uniform(r, 0.7, 1.4))}};
           }},
      {.name = "oblique",
       .arguments = "off | CENTER NORMAL",
       .help = "Oblique slice: six numbers, mm and a direction",
       .least = 1,
       .most = 6,
       .run =
           [](Model& m, const Action& a) {
             edit(m, a, [&](ViewState& s) {
               s.oblique.shown = a.arguments.size() == 6;
               if (!s.oblique.shown && a.arguments[0] != "off")
                 throw InputError("oblique", "six numbers are wanted", "or off");
               if (!s.oblique.shown) return;
               oriented_plane(vector(a, 3), s.oblique.up, "oblique");  // throws for a zero normal
               s.oblique.center = vector(a, 0);
               s.oblique.normal = vector(a, 3);
             });
           },
       .random =
           [](Model& m, std::mt19937& r) {
             Action a{"oblique", words(any_point(m, r))};
             for (const std::string& w : words({uniform(r, 0.1, 1), uniform(r, -1, 1), uniform(r, -1, 1)}))
               a.arguments.push_back(w);
             return a;
           }},
      {.name = "crop",
       .arguments = "off | X Y Z X Y Z",
       .help = "Show only the box between two corners, mm",
       .least = 1,
       .most = 6,
       .run =
           [](Model& m, const Action& a) {
             edit(m, a, [&](ViewState& s) {
               s.display.crop = a.arguments.size() == 6;
               if (!s.display.crop && a.arguments[0] != "off")
                 throw InputError("crop", "six numbers are wanted", "or off");
               if (!s.display.crop) return;
               s.display.crop_low = glm::min(vector(a, 0), vector(a, 3));
               s.display.crop_high = glm::max(vector(a, 0), vector(a, 3));
             });
           },
       .random =
           [](Model& m, std::mt19937& r) {
             if (r() % 2) return Action{"crop", {"off"}};
             Action a{"crop", words(any_point(m, r))};
             for (const std::string& w : words(any_point(m, r))) a.arguments.push_back(w);
             return a;
           }},
      {.name = "view",
       .arguments = "NUMBER",
       .help = "Projection shown beside its reprojection",
       .least = 1,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             const std::int64_t view = integer(a, 0),
                                views = m.status().source ? m.status().source->scan.view_count() : 0;
             if (view < 0 || view >= views)
               throw InputError("view", fmt::format("there is no view {}", view), fmt::format("there are {}", views));
             edit(m, a, [&](ViewState& s) { s.layout.view = view; });
             if (m.status().generation > 0 && m.status().source->has_views) m.request_comparison(view);
           },
       .random =
           [](Model& m, std::mt19937& r) {
             const std::int64_t views = m.status().source ? m.status().source->scan.view_count() : 0;
             if (views == 0 || m.status().runs == 0) return Action{"look front"};
             return Action{"view", {std::to_string(static_cast<std::int64_t>(r()) % views)}};
           }},
      {.name = "help",
       .arguments = "",
       .help = "Keys and commands",
       .menu = "Help",
       .title = "Keys and commands",
       .shortcut = "F1",
       .run = [](Model& m, const Action&) { require(m.hooks.toggle_help, "help")(); }},
      {.name = "manual",
       .arguments = "",
       .help = "The manual's page of the viewer, in the program that shows such files",
       .menu = "Help",
       .title = "Manual",
       .run = [](Model& m, const Action&) { require(m.hooks.open_page, "manual")(manual_page()); }},
      {.name = "commands",
       .arguments = "",
       .help = "Find a command by words, or type it",
       .menu = "Help",
       .title = "Find a command ...",
       .shortcut = "Ctrl+P",
       .run = [](Model& m, const Action&) { require(m.hooks.show_commands, "commands")(); }},
      {.name = "focus",
       .arguments = "",
       .help = "Panels by keyboard: arrows, Space, Enter; again: the next group; Escape: back to the views",
       .menu = "View",
       .title = "Panels by keyboard",
       .shortcut = "F10",
       .run = [](Model& m, const Action&) { require(m.hooks.focus_next, "focus")(); }},
      {.name = "fullscreen",
       .arguments = "",
       .help = "Full screen on or off",
       .menu = "View",
       .title = "Full screen",
       .shortcut = "F11",
       .run = [](Model& m, const Action&) { require(m.hooks.toggle_fullscreen, "fullscreen")(); }},
      {.name = "resize",
       .arguments = "WIDTH HEIGHT",
       .help = "Size of the window in pixels",
       .least = 2,
       .most = 2,
       .run = [](Model& m, const Action& a) { require(m.hooks.resize, "resize")(integer(a, 0), integer(a, 1)); }},
      shorthand("map", "map", "NAME", "Colour map of the slices"),
      shorthand("transfer", "transfer", "NAME", "Transfer function of the 3-D view"),
      shorthand("iso", "iso", "VALUE", "Value of the isosurface; 0: automatic"),
      shorthand("mode", "display.mode", "NAME", "3-D view: mip, average, drr, iso, dvr"),
      show_picture(),
      text_size("text larger", "Ctrl+Plus", 1.1),
      text_size("text smaller", "Ctrl+Minus", 1 / 1.1),
      text_size("text normal", "Ctrl+0", 0),
      {.name = "toggle theme",
       .arguments = "",
       .help = "Light theme on or off",
       .menu = "View",
       .title = "Light theme",
       .run =
           [](Model& m, const Action& a) {
             edit(m, a, [](ViewState& s) { s.layout.theme = s.layout.theme == "dark" ? "light" : "dark"; });
           },
       .random = [](Model&, std::mt19937&) { return Action{"toggle theme"}; },
       .checked = [](const Model& m) { return m.state().layout.theme == "light"; }},
      shorthand("theme", "theme", "dark|light", "Colours of the window"),
      toggle("toggle crosshair", "show_crosshair", "Crosshair", "X"),
      toggle_geometry(),
      toggle("toggle scale", "show_scale_bar", "Scale bar", "B"),
      toggle("toggle panels", "show_panels", "Panels", "F9"),
      toggle("toggle oblique", "oblique.shown", "Oblique slice", "O"),
      toggle("toggle smooth", "smooth", "Smooth slices", ""),
      toggle("toggle linked", "linked_zoom", "Slices zoom together", ""),
      toggle("toggle profile", "large_profile", "Large profile", ""),
      toggle("toggle materials", "materials", "Materials", ""),
      toggle("toggle snap", "snap", "Snap to edges", ""),
      toggle("toggle grid", "pixel_grid", "Pixel grid", ""),
      play(),
      toggle("toggle source", "from_source", "View from source", "S"),
      {.name = "enlarge",
       .arguments = "axial|coronal|sagittal|oblique|3-d|off",
       .help = "Show one pane alone; a double click in it does so, too",
       .least = 1,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             edit(m, a, [&](ViewState& s) {
               Parameter large = find_state_parameter(s, "large");
               const std::string pane = a.arguments[0] == "off" ? "" : a.arguments[0];
               if (a.arguments[0].empty() || std::ranges::find(large.choices, pane) == large.choices.end())
                 throw InputError(a.name, fmt::format("there is no pane '{}'", a.arguments[0]),
                                  "write: enlarge axial|coronal|sagittal|oblique|3-d|off");
               large.set(pane, a.name);
             });
           },
       .random =
           [](Model&, std::mt19937& r) {
             return Action{"enlarge", {any_of(r, std::vector<std::string>{"axial", "3-d", "off", "off"})}};
           }},
      {.name = "look again",
       .arguments = "",
       .help = "Camera: as at first",
       .menu = "View/Camera",
       .title = "Reset camera",
       .shortcut = "Home",
       .run =
           [](Model& m, const Action& a) {
             edit(m, a, [](ViewState& s) {
               s.camera = Turntable{};
               s.layout.from_source = false;
             });
           },
       .random = [](Model&, std::mt19937&) { return Action{"look again"}; }},
      look_along("front", "1", -90, 0),
      look_along("side", "2", 0, 0),
      look_along("top", "3", -90, 90),
      look_along("corner", "4", -60, 20),
      layout("four", "F2", "Slices + 3-D"),
      layout("slices", "F3", "Slices, large"),
      layout("volume", "F4", "3-D"),
      layout("projections", "F6", "Projections"),
      layout("geometry", "F7", "Scan"),
      layout("centers", "F8", "Rotation centres"),
      named("layout save", "Keep the present panes and panels under a name",
            [](ViewState& s, auto found, const std::string& name) {
              if (found != s.layouts.end())
                *found = named_layout(s, name);
              else
                s.layouts.push_back(named_layout(s, name));
            }),
      named("layout use", "Panes and panels as they were saved under a name",
            [](ViewState& s, auto found, const std::string& name) {
              require_saved(s, found, name);
              arrange(s, *found);
            }),
      named("layout forget", "Delete a saved layout",
            [](ViewState& s, auto found, const std::string& name) {
              require_saved(s, found, name);
              s.layouts.erase(found);
            }),
      nudge("slice up", "PageUp", 2, 1),
      nudge("slice down", "PageDown", 2, -1),
      nudge("slice left", "Left", 0, -1),
      nudge("slice right", "Right", 0, 1),
      nudge("slice forward", "Up", 1, 1),
      nudge("slice back", "Down", 1, -1),
      turn_camera("turn left", "Shift+Left", 1, 0),
      turn_camera("turn right", "Shift+Right", -1, 0),
      turn_camera("turn up", "Shift+Up", 0, -1),
      turn_camera("turn down", "Shift+Down", 0, 1),
      zoom_camera("zoom in", "Plus", 1.15),
      zoom_camera("zoom out", "Minus", 1 / 1.15),
      move_camera("move left", "Alt+Shift+Left", -1, 0),
      move_camera("move right", "Alt+Shift+Right", 1, 0),
      move_camera("move up", "Alt+Shift+Up", 0, -1),
      move_camera("move down", "Alt+Shift+Down", 0, 1),
      zoom_slices("slices larger", "Alt+Plus", 1.15),
      zoom_slices("slices smaller", "Alt+Minus", 1 / 1.15),
      move_slices("slices left", "Alt+Left", -1, 0),
      move_slices("slices right", "Alt+Right", 1, 0),
      move_slices("slices up", "Alt+Up", 0, 1),
      move_slices("slices down", "Alt+Down", 0, -1)};
  return t;
}

}  // namespace backlit::viewer
