#include "model/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <backlit/core/error.hpp>
#include <backlit/device/device_options.hpp>
#include <backlit/io/toml_reader.hpp>
#include <backlit/recon/on_failure.hpp>
#include <backlit/render/colormap.hpp>
#include <backlit/render/transfer_function.hpp>
#include "model/geometry_parameters.hpp"
#include "model/state_file.hpp"

namespace backlit::viewer {
namespace {

constexpr double far_mm = 1e6;

void add_vector(Parameters& list, const std::string& name, Vec3& v, const std::string& help, const std::string& unit,
                double most = far_mm) {
  const char* axes[] = {"x", "y", "z"};
  for (int a = 0; a < 3; ++a) {
    const std::string key = name.empty() ? axes[a] : name + "_" + axes[a];
    list.push_back({key, &v[a], help + ", " + axes[a], unit, -most, most});
  }
}

Parameters reconstruction_section(ReconState& r) {
  DeviceOptions device;
  Parameters devices = describe(device);
  Parameter backend = find_parameter(devices, "backend");
  backend.target = &r.backend;
  Parameters list{
      backend,
      failure_parameter(r.on_failure),
      {"interval", &r.interval, "FDK: views between two display updates", "views", 1, 360},
      {"lockstep", &r.lockstep, "FDK continues only when an update has been displayed (measures the display overhead)"},
      {"follow", &r.follow, "Reconstruct again when a parameter changes"},
      {"steer", &r.steer,
       "Strength, bounds, relaxation and the number of iterations act on the volume that is there, without a new "
       "start"},
  };
  if (!r.method.get<IterationOptions>()) list.back().needs = "an iterative `method`";
  append(list, describe(r.corrections));
  const Choice method{
      &r,
      [](const void* state) {
        const std::string& name = static_cast<const ReconState*>(state)->method.name();
        const auto names = method_names();
        return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
      },
      [](void* state, std::size_t i) { set_method(*static_cast<ReconState*>(state), method_names().at(i)); }};
  list.push_back({"method", method, "reconstruction method: " + r.method.info().title, "", 0, 0, method_names()});
  append(list, r.method.parameters());
  return list;
}

Parameters pet_section(PetState& p) {
  Parameters list{
      {"attenuation", &p.attenuation, "attenuation in 1/mm: a volume or a phantom; empty: none"},
      {"scanner", &p.scanner, "scanner or crystal map of the list; empty: the one beside it"},
      {"flip_tof", &p.flip_tof, "the list's times are t2 - t1"},
      {"weight", &p.weight, "weight of the patient, for SUV; 0: the list's", "kg", 0, 1000},
      {"dose", &p.dose, "injected activity that is left when the list begins, for SUV; 0: the list's", "MBq", 0, 1e6},
  };
  add_vector(list, "attenuation_move", p.attenuation_move, "the attenuation map is moved by", "mm");
  add_vector(list, "attenuation_turn", p.attenuation_turn, "the attenuation map is turned about its middle", "deg",
             180);
  for (Parameter& o : describe(p.options)) list.push_back(std::move(o));
  return list;
}

Parameters geometry_section(GeometryState& g) {
  return {{"center_shift", &g.center_shift, "added to the column onto which the rotation axis projects", "px", -10000,
           10000},
          {"offset_v", &g.offset_v, "added to the row onto which the mid-plane projects", "px", -10000, 10000},
          {"tilt_u", &g.tilt_u, "detector turned about its horizontal axis", "deg", -45, 45},
          {"tilt_v", &g.tilt_v, "detector turned about its vertical axis", "deg", -45, 45},
          {"tilt_n", &g.tilt_n, "detector turned in its plane", "deg", -45, 45},
          {"detector_distance", &g.detector_distance, "factor of the distance from source to detector", "", 0.5, 2},
          {"axis_distance", &g.axis_distance, "factor of the distance from source to axis, the scale of the volume", "",
           0.01, 100},
          {"reversed", &g.reversed, "the object rotated in the opposite direction of what the file says"}};
}

Parameters grid_section(GridState& g) {
  const double most = 1 << 20;
  Parameters list{{"size_x", &g.size[0], "voxels along x; 0: automatic", "", 0, most},
                  {"size_y", &g.size[1], "voxels along y; 0: automatic", "", 0, most},
                  {"size_z", &g.size[2], "voxels along z; 0: automatic", "", 0, most},
                  {"voxel", &g.voxel, "voxel size; 0: automatic", "mm", 0, 1e4}};
  add_vector(list, "center", g.center, "region moved by", "mm");
  return list;
}

Parameters display_section(DisplayState& d) {
  auto transfers = transfer_function_names();
  transfers.insert(transfers.begin(), {"auto", "custom"});
  Parameters list{
      {"low", &d.low, "value shown as the map's first colour"},
      {"high", &d.high, "value shown as the map's last colour"},
      {"map", &d.map, "colour map", "", 0, 0, colormap_names()},
      {"transfer", &d.transfer, "transfer function", "", 0, 0, transfers},
      {"transfer_text", &d.transfer_text, "the custom transfer function"},
      {"mode", &d.mode, "mode of the 3-D view", "", 0, 0, volume_mode_names()},
      {"picture", &d.picture, "what the 3-D view shows", "", 0, 0, {"volume", "d2vr", "split", "difference"}},
      {"smooth", &d.smooth, "slices: interpolated between voxels; off: every voxel is a square"},
      {"denoise", &d.denoise,
       "smooths the noise of the finished volume and keeps its edges (total variation); 1: as much as there is; 0: off",
       "", 0, 10},
      {"iso", &d.iso, "value of the isosurface; 0: automatic, from the histogram"},
      {"iso_opacity", &d.iso_opacity, "of the isosurface: 1 hides what lies behind, less lets it shine through", "", 0,
       1},
      {"iso_color", &d.iso_color, "colour of the isosurface, #red green blue in hexadecimal"},
      {"materials", &d.materials, "slices, and dvr, show the materials of the list in their colours"},
      {"shaded", &d.shaded, "shading by gradients"},
      {"gradient_opacity", &d.gradient_opacity, "dvr: even parts become clear, borders stay", "", 0, 1},
      {"shadows", &d.shadows, "soft shadows of dvr and iso: 0 none, 1 dark", "", 0, 1},
      {"occlusion", &d.occlusion, "hollows and gaps of dvr and iso become dark (ambient occlusion)", "", 0, 1},
      {"step", &d.step, "from one sample along a ray to the next: smaller is finer and slower", "voxels", 0.05, 2},
      {"water", &d.water, "attenuation of water, for HU", "1/mm", 1e-6, 1e6},
      {"air", &d.air, "value of air, for HU: it has -1000", "1/mm", -1e6, 1e6},
      {"crop", &d.crop, "show a box of the volume alone"},
  };
  add_vector(list, "crop_low", d.crop_low, "lower corner of the box", "mm");
  add_vector(list, "crop_high", d.crop_high, "upper corner of the box", "mm");
  return list;
}

Parameters oblique_section(ObliqueState& o) {
  Parameters list{{"shown", &o.shown, "show an oblique slice"},
                  {"from_views", &o.from_views, "computed from the projections where there are any"}};
  add_vector(list, "center", o.center, "middle of the slice", "mm");
  add_vector(list, "normal", o.normal, "towards the viewer", "");
  add_vector(list, "up", o.up, "upwards; 0: as usual", "");
  return list;
}

Parameters camera_section(Turntable& c) {
  Parameters list{{"azimuth", &c.azimuth, "angle about z", "deg", -360, 360},
                  {"elevation", &c.elevation, "angle above the plane of rotation", "deg", -90, 90},
                  {"fov", &c.fov, "angle that the picture spans; 0: orthographic", "deg", 0, 169},
                  {"zoom", &c.zoom, "magnification", "", 1e-3, 1e4}};
  add_vector(list, "offset", c.offset, "what is looked at, from the middle", "mm");
  return list;
}

Parameters layout_section(LayoutState& l) {
  Parameters list{
      {"panes", &l.panes, "arrangement", "", 0, 0, layout_names()},
      {"tool", &l.tool, "what the left button does in slices", "", 0, 0, tool_names()},
      {"theme", &l.theme, "colours of the window", "", 0, 0, {"dark", "light"}},
      {"font_scale", &l.font_scale, "size of the text", "", 0.5, 4},
      {"show_crosshair", &l.show_crosshair, "draw the crosshair"},
      {"show_geometry", &l.show_geometry, "draw source, detector and rays where the scan is shown"},
      {"geometry_in_3d", &l.geometry_in_3d, "draw them over the volume, too"},
      {"show_scale_bar", &l.show_scale_bar, "draw a scale bar"},
      {"show_panels", &l.show_panels, "show the panels"},
      {"left_width", &l.left_width, "width of the left panels; 0: automatic", "units", 0, 4000},
      {"right_width", &l.right_width, "width of the right panels; 0: automatic", "units", 0, 4000},
      {"slice_zoom", &l.slice_zoom, "magnification of the slices", "", 0.1, 1000},
      {"linked_zoom", &l.linked_zoom, "zooming or moving one slice does so with all of them"},
      {"large_profile", &l.large_profile, "the last profile in a large plot over the panes"},
      {"snap", &l.snap, "points of measurements in slices go to the nearest edge; holding Alt reverses that"},
      {"oblique_zoom", &l.oblique_zoom, "magnification of the oblique slice besides slice_zoom, without linked_zoom",
       "", 0.1, 1000},
      {"pixel_grid", &l.pixel_grid, "draw the borders of voxels in slices that are zoomed in"},
      {"view", &l.view, "projection shown", "", 0, 1e9},
      {"from_source", &l.from_source, "the camera looks from the source of that view"},
      {"large", &l.large, "pane that is shown alone", "", 0, 0, {"", "axial", "coronal", "sagittal", "oblique", "3-d"}},
      {"compare", &l.compare, "the volume shown (B) beside the pinned one (A)", "", 0, 0, compare_modes()},
      {"wipe", &l.wipe, "share of a pane that shows the pinned volume", "", 0, 1},
      {"column_share", &l.column_share, "width of the first column of panes, as a share; 0: automatic", "", 0, 0.95},
      {"row_share", &l.row_share, "height of the first row of panes, as a share; 0: automatic", "", 0, 0.95},
      {"center_step", &l.center_step, "from one rotation centre to the next where several are compared", "px", 0.01,
       100},
      {"strip", &l.strip, "shown below the panes", "", 0, 0, strip_names()},
      {"selected_number", &l.selected_number, "number of the geometry that keys change, and that the strip compares",
       "", 0, 0, geometry_names()},
      {"step_scale", &l.step_scale, "size of its steps", "", 0.001, 1000},
      {"flipped", &l.flipped, "A is shown in place of B, where they are flipped"},
      {"slab", &l.slab, "thickness of the slices: of all values across it one is shown; 0: off", "mm", 0, far_mm},
      {"slab_mode", &l.slab_mode, "value of a thick slice that is shown", "", 0, 0, {"largest", "smallest", "mean"}},
      {"play",
       &l.play,
       "slices, or cameras, played as a film",
       "",
       0,
       0,
       {"off", "axial", "coronal", "sagittal", "path", "turntable"}},
      {"play_speed", &l.play_speed, "of the film", "slices/s", 0.1, 100},
  };
  add_vector(list, "slice_pan", l.slice_pan, "middle of the slices' panes", "mm");
  const char* names[] = {"sagittal", "coronal", "axial"};
  for (std::size_t a = 0; a < 3; ++a) {
    const std::string name = names[a];
    list.push_back({name + "_zoom", &l.own[a].zoom,
                    "magnification of this slice besides slice_zoom, without linked_zoom", "", 0.1, 1000});
    add_vector(list, name + "_pan", l.own[a].pan, "middle of its pane besides slice_pan, without linked_zoom", "mm");
  }
  return list;
}

Parameters pinned_section(PinnedState& p) {
  auto maps = colormap_names();
  maps.insert(maps.begin(), "same");
  Parameters list{{"pinned_file", &p.file, "volume that is A; empty: the one that was pinned"},
                  {"pinned_map", &p.map, "colours of A; same: those of B, and heat in the overlay", "", 0, 0, maps},
                  {"opacity", &p.opacity, "of A over B in the overlay; its lowest values are clear", "", 0, 1},
                  {"pinned_low", &p.low, "value of A shown as the map's first colour; as high as the last: automatic"},
                  {"pinned_high", &p.high, "value of A shown as the map's last colour"}};
  add_vector(list, "move", p.move, "A is moved by", "mm");
  add_vector(list, "turn", p.turn, "A is turned about its middle", "deg", 180);
  return list;
}

Parameters segment_section(SegmentState& s) {
  return {{"segment", &s.shown, "show the segment in the slices, and find its volume and surface"},
          {"segment_low", &s.low, "least value of the segment; as much as the largest: automatic"},
          {"segment_high", &s.high, "largest value of the segment"},
          {"brush", &s.brush, "radius of the brush", "mm", 1e-6, far_mm}};
}

Parameters movie_section(MovieState& m) {
  return {{"movie_seconds", &m.seconds, "length of a turntable or camera path, 25 pictures a second", "s", 0.1, 600},
          {"movie_size", &m.side, "width and height of its pictures", "px", 16, 8192}};
}

void check_layouts(const std::vector<NamedLayout>& layouts) {
  if (layouts.size() > most_layouts)
    throw InputError("layout", fmt::format("{} saved layouts are too many", layouts.size()),
                     fmt::format("there may be {}: forget one", most_layouts));
  for (const NamedLayout& l : layouts) {
    if (l.name.empty() || l.name.size() > 60) throw InputError("layout", "a name has 1 to 60 letters", "give another");
    ViewState as_saved;
    arrange(as_saved, l);
    for (const Parameter& p : layout_section(as_saved.layout)) p.check("layout " + l.name);
  }
}

void check_materials(const std::vector<Material>& materials) {
  if (materials.size() > most_materials)
    throw InputError("material", fmt::format("{} materials are too many", materials.size()),
                     fmt::format("there may be {}", most_materials));
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const Material& m = materials[i];
    color_from(m.color, "material");
    if (!(m.low < m.high) || !std::isfinite(m.low) || !std::isfinite(m.high))
      throw InputError("material", fmt::format("'{}' has values from {} to {}", m.name, m.low, m.high),
                       "give the lower value first");
    if (!(m.opacity >= 0 && m.opacity <= 1))
      throw InputError("material", fmt::format("'{}' has opacity {}", m.name, m.opacity), "give 0 to 1");
    if (i > 0 && m.low < materials[i - 1].high)
      throw InputError("material",
                       fmt::format("'{}' begins at {}, before '{}' ends at {}", m.name, m.low, materials[i - 1].name,
                                   materials[i - 1].high),
                       "materials may touch, and not overlap");
  }
}

[[noreturn]] void unknown_parameter(const std::string& name, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string nearest = nearest_word(name, views);
  throw InputError(name, "no such parameter",
                   nearest.empty() ? "see the list with 'help set'" : fmt::format("did you mean {}?", nearest));
}

}  // namespace

void set_method(ReconState& state, const std::string& name) {
  if (state.method.name() == name) return;
  Method next(name);
  for (const auto& [parameter, value] : next.info().suggested) next.set(parameter, value);
  FilterOptions filter;
  std::vector<std::string> kept{"precision", "iterations"};
  for (const Parameter& p : describe(filter)) kept.push_back(p.name);
  for (const std::string& parameter : kept)
    if (next.has(parameter) && state.method.has(parameter)) next.set(parameter, state.method.text(parameter));
  state.method = std::move(next);
}

Method method_of(const ReconState& state) {
  Method method = state.method;
  method.reset_unused();
  continue_rows(method, state.corrections);
  return method;
}

const std::vector<std::string>& layout_names() {
  static const std::vector<std::string> names{"four", "slices", "volume", "projections", "geometry", "centers"};
  return names;
}

const std::vector<std::string>& compare_modes() {
  static const std::vector<std::string> modes{"off", "wipe", "flicker", "flip", "side", "difference", "overlay"};
  return modes;
}

const std::vector<std::string>& strip_names() {
  static const std::vector<std::string> names{"off", "candidates", "sinogram", "view"};
  return names;
}

const std::vector<std::string>& tool_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"crosshair"};
    list.insert(list.end(), measurement_names().begin(), measurement_names().end());
    list.insert(list.end(), {"box", "paint", "erase", "move A"});
    return list;
  }();
  return names;
}

RigidMotion motion_of(const PinnedState& p, const VolumeGrid& pinned) { return {p.move, p.turn, pinned.center}; }

std::int64_t picture_count(const MovieState& m) { return std::max(2L, std::lround(m.seconds * pictures_a_second)); }

bool has_volume_pane(const LayoutState& layout) { return layout.panes == "four" || layout.panes == "volume"; }

const std::vector<std::string>& measurement_names() {
  static const std::vector<std::string> names{"distance", "angle", "profile", "region", "note"};
  return names;
}

std::size_t point_count(Measurement::Kind kind) {
  return kind == Measurement::Kind::angle ? 3 : kind == Measurement::Kind::note ? 1 : 2;
}

double measured(const Measurement& m) {
  if (m.points.size() != point_count(m.kind)) return 0;
  if (m.kind == Measurement::Kind::note) return 0;
  const Vec3 a = m.points[0] - m.points[1];
  if (m.kind == Measurement::Kind::region) return std::abs(a.x * a.y * a.z);
  if (m.kind != Measurement::Kind::angle) return glm::length(a);
  const Vec3 b = m.points[2] - m.points[1];
  const double lengths = glm::length(a) * glm::length(b);
  return lengths > 0 ? std::acos(std::clamp(glm::dot(a, b) / lengths, -1.0, 1.0)) / radians_per_degree : 0;
}

Rgb color_from(const std::string& text, const std::string& where) {
  Rgb c{0, 0, 0};
  unsigned red = 0, green = 0, blue = 0;
  char end = 0;
  const std::string digits = text.starts_with('#') ? text.substr(1) : text;
  const bool six = digits.size() == 6 && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (!six || std::sscanf(digits.c_str(), "%2x%2x%2x%c", &red, &green, &blue, &end) != 3)
    throw InputError(where, fmt::format("'{}' is no colour", text), "write six hexadecimal digits: #e8d6b8");
  c.r = static_cast<std::uint8_t>(red);
  c.g = static_cast<std::uint8_t>(green);
  c.b = static_cast<std::uint8_t>(blue);
  return c;
}

void start_crop(DisplayState& d, const VolumeGrid& grid) {
  d.crop = true;
  const bool set = d.crop_low != DisplayState{}.crop_low || d.crop_high != DisplayState{}.crop_high;
  if (set || grid.voxels() < 1) return;
  d.crop_low = grid.lower();
  d.crop_high = grid.upper();
}

std::vector<StateSection> describe(ViewState& s) {
  Parameters crosshair;
  add_vector(crosshair, "", s.crosshair, "crosshair", "mm");
  return {{"source",
           {{"path", &s.path, "file that is open"},
            {"watch", &s.watch, "where views come from"},
            {"pixel", &s.pixel, "side of a pixel or voxel of a file that gives none; 0: lengths are in pixels", "mm", 0,
             1e4},
            {"slices", &s.slices,
             "from one image of a stack to the next, of a file that gives no size; 0: as the pixel", "mm", 0, 1e4}}},
          {"reconstruction", reconstruction_section(s.recon)},
          {"pet", pet_section(s.pet)},
          {"geometry", geometry_section(s.geometry)},
          {"grid", grid_section(s.grid)},
          {"display", display_section(s.display)},
          {"crosshair", crosshair},
          {"oblique", oblique_section(s.oblique)},
          {"camera", camera_section(s.camera)},
          {"layout", layout_section(s.layout)},
          {"pinned", pinned_section(s.pinned)},
          {"segment", segment_section(s.segment)},
          {"movie", movie_section(s.movie)}};
}

Parameter find_state_parameter(ViewState& state, const std::string& name, bool list_mode) {
  std::vector<std::string> names;
  const Parameter* found = nullptr;
  const auto sections = describe(state);
  std::string homes;
  int hits = 0;
  const auto twin = [&](const StateSection& section) {  // a name that the other kind of reconstruction has too
    if (section.name != (list_mode ? "reconstruction" : "pet")) return false;
    if (!list_mode && !methods_with(name).empty()) return true;  // of another method
    const auto other = std::ranges::find(sections, list_mode ? "pet" : "reconstruction", &StateSection::name);
    return std::ranges::find(other->parameters, name, &Parameter::name) != other->parameters.end();
  };
  for (const StateSection& section : sections)
    for (const Parameter& p : section.parameters) {
      const std::string full = section.name + "." + p.name;
      if (full == name) return p;
      names.insert(names.end(), {p.name, full});
      if (p.name != name || twin(section)) continue;
      found = &p;
      ++hits;
      homes += (hits > 1 ? ", " : "") + full;
    }
  if (hits == 0 && !methods_with(name).empty()) refuse_parameter(state.recon.method.name(), name);
  if (hits == 0) unknown_parameter(name, names);
  if (hits > 1) throw InputError(name, "several parameters have this name", "choose one: " + homes);
  return *found;
}

void check(const ViewState& state) {
  ViewState copy = state;
  for (const StateSection& section : describe(copy))
    for (const Parameter& p : section.parameters) p.check("[" + section.name + "]");
  if (state.display.air >= state.display.water)
    throw InputError("air", fmt::format("{} is not below water, {}", state.display.air, state.display.water),
                     "air absorbs less than water");
  if (state.display.transfer == "custom") parse_transfer_function(state.display.transfer_text, "transfer_text");
  if (state.clips.size() > VolumeRenderOptions::max_clips)
    throw InputError("clip", fmt::format("{} planes are too many", state.clips.size()),
                     fmt::format("there may be {}", VolumeRenderOptions::max_clips));
  if (state.segment.low > state.segment.high)
    throw InputError("segment", fmt::format("{} is not below {}", state.segment.low, state.segment.high),
                     "give the lower value first");
  color_from(state.display.iso_color, "iso_color");
  if (state.surfaces.size() > most_surfaces)
    throw InputError("surface", fmt::format("{} surfaces are too many", state.surfaces.size()),
                     fmt::format("there may be {} beside the first", most_surfaces));
  for (const IsoSurface& surface : state.surfaces) {
    color_from(surface.color, "surface");
    if (!(surface.opacity >= 0 && surface.opacity <= 1) || !std::isfinite(surface.value))
      throw InputError("surface", fmt::format("value {}, opacity {}", surface.value, surface.opacity),
                       "opacity is 0 to 1");
  }
  check_materials(state.materials);
  check_layouts(state.layouts);
  for (const Measurement& m : state.measurements)
    if (m.points.size() != point_count(m.kind))
      throw InputError("measurement", fmt::format("{} points, expected {}", m.points.size(), point_count(m.kind)));
}

NamedLayout named_layout(const ViewState& s, const std::string& name) {
  const LayoutState& l = s.layout;
  return {name,          l.panes,        l.large,     l.strip,      s.oblique.shown,
          l.show_panels, l.column_share, l.row_share, l.left_width, l.right_width};
}

void arrange(ViewState& s, const NamedLayout& saved) {
  LayoutState& l = s.layout;
  l.panes = saved.panes;
  l.large = saved.large;
  l.strip = saved.strip;
  s.oblique.shown = saved.oblique;
  l.show_panels = saved.show_panels;
  l.column_share = saved.column_share;
  l.row_share = saved.row_share;
  l.left_width = saved.left_width;
  l.right_width = saved.right_width;
}

bool operator==(const ViewState& a, const ViewState& b) {
  return a.pinned.kept == b.pinned.kept && to_toml(a) == to_toml(b);
}

namespace {

/// A transfer function in the volume's values; gradients are values per length.
std::string rescaled(const std::string& transfer, double factor) {
  TransferFunction f = parse_transfer_function(transfer, "transfer function");
  if (f.unit != TransferFunction::Unit::value) return transfer;
  for (TransferFunction::Point& p : f.points) p.value *= factor;
  for (TransferFunction::Box& b : f.boxes) {
    for (double* value : {&b.low, &b.high}) *value *= factor;
    for (double* gradient : {&b.gradient_low, &b.gradient_high}) *gradient *= factor * factor;
  }
  return to_text(f);
}

}  // namespace

void rescale_values(ViewState& s, double factor) {
  for (double* value : {&s.display.low, &s.display.high, &s.display.iso, &s.segment.low, &s.segment.high})
    *value *= factor;
  for (IsoSurface& surface : s.surfaces) surface.value *= factor;
  if (s.display.transfer == "custom") s.display.transfer_text = rescaled(s.display.transfer_text, factor);
  for (Material& material : s.materials) {
    material.low *= factor;
    material.high *= factor;
  }
}

void rescale_lengths(ViewState& s, double factor) {
  for (Vec3* v : {&s.grid.center, &s.crosshair, &s.oblique.center, &s.camera.offset, &s.layout.slice_pan,
                  &s.display.crop_low, &s.display.crop_high})
    *v *= factor;
  for (double* length : {&s.grid.voxel, &s.layout.slab, &s.segment.brush}) *length *= factor;
  for (SlicePlace& place : s.layout.own) place.pan *= factor;
  for (RenderPlane& plane : s.clips) plane.point *= factor;
  for (Turntable& camera : s.keyframes) camera.offset *= factor;
  for (Measurement& m : s.measurements)
    for (Vec3& p : m.points) p *= factor;
  for (BrushBall& ball : s.segment.balls) {
    ball.center *= factor;
    ball.radius *= factor;
  }
}

bool scale_to_length(ViewState& s, double length, double truth) {
  const double factor = s.geometry.axis_distance * truth / length;
  if (!(factor >= 0.01 && factor <= 100)) return false;
  s.geometry.axis_distance = factor;
  rescale_lengths(s, truth / length);
  return true;
}

bool same_list(const PetState& a, const PetState& b) { return a.scanner == b.scanner && a.flip_tof == b.flip_tof; }

namespace {

/// `steered`: whether values that steer may differ.
bool equal(const Parameters& left, const Parameters& right, bool steered = false) {
  return std::ranges::equal(left, right, [&](const Parameter& l, const Parameter& r) {
    return l.name == r.name && ((steered && l.steers) || l.text() == r.text());
  });
}

bool same_result(ReconState a, ReconState b, bool steered) {
  // These settings do not affect the result.
  a.on_failure = b.on_failure;
  a.interval = b.interval;
  a.lockstep = b.lockstep;
  a.follow = b.follow;
  a.steer = b.steer;
  return equal(reconstruction_section(a), reconstruction_section(b), steered);
}

}  // namespace

bool same_reconstruction(const ViewState& a, const ViewState& b) {
  if (a.geometry != b.geometry || a.grid != b.grid || !same_result(a.recon, b.recon, false)) return false;
  PetState p = a.pet, q = b.pet;
  p.weight = q.weight;
  p.dose = q.dose;
  return equal(pet_section(p), pet_section(q));
}

bool steers(const ReconState& from, const ReconState& to) {
  return to.steer && to.method.get<IterationOptions>() && same_result(from, to, true);
}

bool steers(const ViewState& from, const ViewState& to) {
  return from.geometry == to.geometry && from.grid == to.grid && steers(from.recon, to.recon);
}

}  // namespace backlit::viewer
