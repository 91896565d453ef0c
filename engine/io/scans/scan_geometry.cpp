#include <backlit/io/scans/scan_geometry.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <backlit/io/scans/geometry_file.hpp>
#include "io/volumes/stacks/ordered_stack.hpp"

namespace backlit {
namespace {

constexpr std::int64_t most_views = 1'000'000;
constexpr std::int64_t most_pixels_a_side = 1 << 20;

double require_positive(const TomlTable& table, std::string_view key, std::string_view meaning) {
  const auto value = table.number(key);
  if (!value) table.fail("", fmt::format("{} is missing", key), fmt::format("it is {}", meaning));
  if (!(*value > 0)) table.fail(key, fmt::format("{} is not positive", *value), fmt::format("it is {}", meaning));
  return *value;
}

void refuse_keys(const TomlTable& table, const std::vector<std::string_view>& keys, std::string_view reason) {
  for (std::string_view key : keys)
    if (table.has(key)) table.fail(key, reason, "leave it out");
}

std::optional<std::int64_t> count_key(const TomlTable& table, std::string_view key, std::int64_t most) {
  const auto value = table.integer(key);
  if (value && (*value < 1 || *value > most)) table.fail(key, fmt::format("{} is not between 1 and {}", *value, most));
  return value;
}

/// The content of [detector]. Sizes are 0 where the data must give them; everything else is final.
struct DetectorTable {
  TomlTable table;
  Detector detector;
  bool has_pixel = false;
  DetectorPlacement placement;
};

DetectorTable read_detector(const TomlTable& root) {
  const auto table = root.table("detector");
  if (!table) root.fail("", "there is no [detector]", "add it with columns, rows and pixel_mm");
  table->allow_only({"columns", "rows", "pixel_mm", "shape", "radius_mm", "offset_px", "tilt_deg"});
  DetectorTable d{*table, {}, false, {}};
  d.detector.columns = count_key(*table, "columns", most_pixels_a_side).value_or(0);
  d.detector.rows = count_key(*table, "rows", most_pixels_a_side).value_or(0);
  if (const auto pixel = table->numbers("pixel_mm", 2, true)) {
    if (!((*pixel)[0] > 0) || !((*pixel)[1] > 0)) table->fail("pixel_mm", "a pixel size that is not positive");
    d.detector.pixel_u = (*pixel)[0];
    d.detector.pixel_v = (*pixel)[1];
    d.has_pixel = true;
  }
  if (const auto shape = table->text("shape"))
    d.detector.shape = static_cast<Detector::Shape>(choose(*table, "shape", *shape, {"flat", "curved"}));
  if (table->has("radius_mm")) {
    if (d.detector.shape == Detector::Shape::flat)
      table->fail("radius_mm", "a flat detector has no radius", "leave it out, or set shape = \"curved\"");
    d.detector.radius = require_positive(*table, "radius_mm", "the radius of the curved detector, mm");
  }
  if (const auto offset = table->numbers("offset_px", 2)) {
    d.placement.offset_u = (*offset)[0];
    d.placement.offset_v = (*offset)[1];
  }
  if (const auto tilt = table->numbers("tilt_deg", 3)) {
    d.placement.tilt_u = (*tilt)[0];
    d.placement.tilt_v = (*tilt)[1];
    d.placement.tilt_n = (*tilt)[2];
  }
  return d;
}

void require_pixel(const DetectorTable& d) {
  if (!d.has_pixel)
    d.table.fail("", "pixel_mm is missing",
                 "give [width, height] of a pixel in mm; [1.0, 1.0] when unknown, all lengths are then in pixels");
}

/// What to write where sizes differ: the order of the array's dimensions, if another one fits. `views` 0: unknown.
std::string remedy_for(const Detector& d, const std::optional<StackInfo>& images, std::int64_t views) {
  const std::string order = images ? order_that_fits(*images, d.columns, d.rows, views) : "";
  if (order.empty()) return "correct it, or leave it out: the data say";
  return fmt::format("correct it, or write order = \"{}\" in [data], which fits their array of {}", order,
                     fmt::join(images->dimensions, " x "));
}

/// Takes sizes that [detector] lacks from the data, and refuses sizes that differ from the data's.
void settle_sizes(DetectorTable& d, const StackLayout& data, const std::optional<StackInfo>& images,
                  std::int64_t views) {
  const std::string remedy = remedy_for(d.detector, images, views);
  const auto settle = [&](std::string_view key, std::int64_t& size, std::int64_t in_data) {
    if (size == 0 && in_data == 0)
      d.table.fail("", fmt::format("{} is missing", key), "only [data] projections could stand in for it");
    if (size > 0 && in_data > 0 && size != in_data)
      d.table.fail(key, fmt::format("{} {} where the projections have {}", size, key, in_data), remedy);
    if (size == 0) size = in_data;
  };
  settle("columns", d.detector.columns, data.columns);
  settle("rows", d.detector.rows, data.rows);
}

// --- values of the images' headers
// ------------------------------------------------------------------------------------

/// Takes the pixel size that [detector] lacks from the headers, and refuses one that differs. Many writers write 1 x 1
/// for an unknown size: it is ignored, unless the geometry needs the header (`counts`).
void settle_pixel_size(DetectorTable& d, const std::optional<StackInfo>& images, bool sinogram, bool counts) {
  if (!images || !images->pixel_mm || (!counts && *images->pixel_mm == glm::dvec2(1))) return;
  const glm::dvec2 said = *images->pixel_mm;
  if (sinogram && !d.has_pixel) return;  // its rows are views: it has no pixel height
  const auto far = [](double a, double b) { return std::abs(a - b) > 0.01 * b; };
  const bool rows_count = !sinogram && d.detector.rows > 1;
  if (d.has_pixel && (far(said.x, d.detector.pixel_u) || (rows_count && far(said.y, d.detector.pixel_v))))
    d.table.fail("pixel_mm",
                 fmt::format("{:.6g} x {:.6g} mm where the header of the projections says {:.6g} x {:.6g} mm",
                             d.detector.pixel_u, d.detector.pixel_v, said.x, said.y),
                 "correct one of them, or leave pixel_mm out: the header says");
  if (d.has_pixel && !counts) return;
  d.detector.pixel_u = said.x;
  if (!d.has_pixel || rows_count) d.detector.pixel_v = said.y;
  d.has_pixel = true;
}

/// The middle of the images from the headers. Nothing for a middle at 0, or an origin at 0, which many writers write
/// for an unknown origin. `counts`: the geometry needs the header, so that every origin counts.
std::optional<glm::dvec2> stated_middle(const DetectorTable& d, const std::optional<StackInfo>& images, bool sinogram,
                                        bool counts) {
  if (!images || !images->middle_mm) return {};
  glm::dvec2 middle = *images->middle_mm;
  const glm::dvec2 pixel = images->pixel_mm.value_or(glm::dvec2(1));
  const glm::dvec2 origin = middle - 0.5 * pixel * glm::dvec2(images->columns - 1, images->rows - 1);
  if (!counts && glm::length(origin) < 1e-6 * glm::length(pixel)) return {};
  if (sinogram) middle.y = 0;
  constexpr double least = 1e-3;  // of a pixel
  if (std::abs(middle.x) < least * d.detector.pixel_u && std::abs(middle.y) < least * d.detector.pixel_v) return {};
  return middle;
}

std::string middle_text(const glm::dvec2& middle) { return fmt::format("({:.6g}, {:.6g}) mm", middle.x, middle.y); }

/// A scan file gives the position of its detector. A different origin in the headers is refused or noted.
void settle_origin(const DetectorTable& d, const std::optional<glm::dvec2>& middle, bool in_views,
                   std::vector<std::string>& notes) {
  if (!middle) return;
  const glm::dvec2 offset(0.0 - d.placement.offset_u * d.detector.pixel_u,
                          0.0 - d.placement.offset_v * d.detector.pixel_v);
  constexpr double near = 0.05;  // of a pixel
  if (!in_views && std::abs(middle->x - offset.x) <= near * d.detector.pixel_u &&
      std::abs(middle->y - offset.y) <= near * d.detector.pixel_v)
    return;
  if (!in_views && d.table.has("offset_px"))
    d.table.fail("offset_px",
                 fmt::format("[{:.6g}, {:.6g}] puts the detector's middle at {}, the header of the projections at {}",
                             d.placement.offset_u, d.placement.offset_v, middle_text(offset), middle_text(*middle)),
                 "correct one of them");
  notes.push_back(
      fmt::format("the header of the projections puts their middle at {}: not used, {} says where the "
                  "detector is",
                  middle_text(*middle), in_views ? "the geometry" : "[detector] offset_px"));
}

// --- [trajectory] with a kind ---------------------------------------------------------------------------------------

constexpr std::string_view how_to_give_angles =
    "give views (with start_deg and arc_deg), angles_deg = [...], or angles = \"angles.txt\"";

std::vector<double> part_of_angles(const TomlTable& table, std::vector<double> angles) {
  const auto range = table.numbers("angles_range", 2);
  if (!range) return angles;
  const double first = (*range)[0], count = (*range)[1];
  const auto total = static_cast<double>(angles.size());
  if (first != std::floor(first) || count != std::floor(count) || first < 0 || count < 1 || first + count > total)
    table.fail("angles_range", fmt::format("[{}, {}] is not a part of {} angles", first, count, angles.size()),
               "it is [first, count], first counted from 0");
  const auto begin = angles.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// The listed angles; nothing when the angles divide an arc.
std::optional<std::vector<double>> listed_angles(const TomlTable& table, const std::filesystem::path& folder) {
  if (table.has("angles_deg") && table.has("angles"))
    table.fail("angles", "angles_deg is given as well", "keep one of them");
  if (!table.has("angles_deg") && !table.has("angles")) {
    refuse_keys(table, {"angles_range"}, "there is no list of angles to take a part of");
    return {};
  }
  refuse_keys(table, {"start_deg", "arc_deg"}, "the angles are listed already");
  std::vector<double> angles;
  const std::string_view key = table.has("angles") ? "angles" : "angles_deg";
  if (const auto file = table.text("angles"))
    angles = read_numbers(resolve_path(folder, *file));
  else
    angles = *table.numbers("angles_deg");
  if (angles.empty()) table.fail(key, "there are no angles in it", how_to_give_angles);
  for (std::size_t i = 0; i < angles.size(); ++i)
    if (!std::isfinite(angles[i])) table.fail(key, fmt::format("angle {} is not a finite number", i));
  angles = part_of_angles(table, std::move(angles));
  const auto views = count_key(table, "views", most_views);
  if (views && *views != static_cast<std::int64_t>(angles.size()))
    table.fail("views", fmt::format("{} views but {} angles", *views, angles.size()), "leave it out");
  return angles;
}

void set_arc(Trajectory& t, const TomlTable& table, std::int64_t views) {
  if (views == 0) table.fail("", "there are no angles", how_to_give_angles);
  const double whole = t.kind == Trajectory::Kind::parallel ? 180 : 360;
  t.arc = Trajectory::Arc{table.number("start_deg").value_or(0), table.number("arc_deg").value_or(whole), views};
  if (t.arc->arc_deg == 0 && views > 1)
    table.fail("arc_deg", "all views would be the same", "give the angle that they share, such as 360.0");
  t.angles_deg = equal_angles(views, t.arc->start_deg, t.arc->arc_deg);
}

/// Refuses keys of other kinds of trajectory, unless their value is 0.
void refuse_other_kinds(const Trajectory& t, const TomlTable& table, const std::string& kind) {
  using Kind = Trajectory::Kind;
  const auto refuse = [&](std::string_view key, bool known) {
    if (const auto value = table.number(key); value && *value != 0 && !known)
      table.fail(key, fmt::format("a {} trajectory has none", kind), "leave it out, or change kind");
  };
  refuse("source_to_axis_mm", t.kind != Kind::parallel);
  refuse("source_to_detector_mm", t.kind != Kind::parallel);
  refuse("pitch_mm", t.kind == Kind::helical);
  refuse("start_z_mm", t.kind == Kind::helical);
  refuse("elevation_deg", t.kind == Kind::laminographic);
}

void read_distances(Trajectory& t, const TomlTable& table) {
  t.source_to_axis = require_positive(table, "source_to_axis_mm", "the distance from the focal spot to the axis");
  t.source_to_detector =
      require_positive(table, "source_to_detector_mm", "the distance from the focal spot to the detector");
  if (t.source_to_detector < t.source_to_axis)
    table.fail("source_to_detector_mm",
               fmt::format("{} is less than source_to_axis_mm = {}", t.source_to_detector, t.source_to_axis),
               "are the two exchanged?");
}

/// Reads [trajectory] except its angles.
Trajectory read_trajectory(const TomlTable& table, const std::string& kind) {
  using Kind = Trajectory::Kind;
  table.allow_only({"kind", "start_deg", "arc_deg", "views", "angles_deg", "angles", "angles_range",
                    "source_to_axis_mm", "source_to_detector_mm", "pitch_mm", "start_z_mm", "elevation_deg",
                    "focal_spot_u_mm", "focal_spot_z_mm", "shift_u_px", "shift_v_px"});
  Trajectory t;
  t.kind = static_cast<Kind>(choose(table, "kind", kind, {"circular", "parallel", "helical", "laminographic"}));
  refuse_other_kinds(t, table, kind);
  const bool distances = table.has("source_to_axis_mm") || table.has("source_to_detector_mm");
  if (t.kind == Kind::circular || t.kind == Kind::helical || (t.kind == Kind::laminographic && distances))
    read_distances(t, table);
  if (t.kind == Kind::helical) {
    if (!table.has("pitch_mm")) table.fail("", "pitch_mm is missing", "it is the axial travel per turn, signed");
    t.pitch = *table.number("pitch_mm");
  }
  if (t.kind == Kind::laminographic) {
    if (!table.has("elevation_deg"))
      table.fail("", "elevation_deg is missing", "it is the angle of the rays above the plane of rotation");
    t.elevation_deg = *table.number("elevation_deg");
    if (std::abs(t.elevation_deg) >= 90)
      table.fail("elevation_deg", fmt::format("{} degrees leave nothing of the rotation", t.elevation_deg),
                 "it lies between -90 and 90");
  }
  return t;
}

/// Reads the shifts of a flying focal spot. The detector does not move.
void read_focal_spots(Trajectory& t, const TomlTable& table, const DetectorTable& d) {
  for (auto [key, spots] : {std::pair("focal_spot_u_mm", &t.focal_spot_u), {"focal_spot_z_mm", &t.focal_spot_z}}) {
    if (!table.has(key)) continue;
    *spots = *table.numbers(key);
    if (spots->empty()) table.fail(key, "there are no places in it", "give mm, one or more that views take in turn");
    if (t.source_to_axis == 0) table.fail(key, "parallel beams have no focal spot", "leave it out");
    if (d.detector.shape == Detector::Shape::curved && d.detector.radius == 0)
      d.table.fail("", "radius_mm is missing: the focal spot moves, the curved detector does not",
                   "it is source_to_detector_mm where the detector is focused on the spot at rest");
  }
}

/// Reads the shifts of single views.
void read_shifts(Trajectory& t, const TomlTable& table, const DetectorTable& d) {
  for (auto [key, part] : {std::pair("shift_u_px", &ViewShift::u), {"shift_v_px", &ViewShift::v}}) {
    if (!table.has(key)) continue;
    const std::vector<double> shifts = *table.numbers(key);
    if (shifts.size() != t.angles_deg.size())
      table.fail(key, fmt::format("{} shifts for {} views", shifts.size(), t.angles_deg.size()), "give one for each");
    if (d.detector.shape == Detector::Shape::curved)
      table.fail(key, "views of curved detectors are not shifted", "leave it out");
    t.shifts.resize(shifts.size());
    for (std::size_t i = 0; i < shifts.size(); ++i) t.shifts[i].*part = shifts[i];
  }
}

void center_helix(Trajectory& t, const TomlTable& table) {
  const double travel = t.pitch * (t.angles_deg.back() - t.angles_deg.front()) / 360;
  t.start_z = table.number("start_z_mm").value_or(-0.5 * travel);
}

// --- explicit views -------------------------------------------------------------------------------------------------

Vec3 require_vector(const TomlTable& table, std::string_view key) {
  const auto values = table.numbers(key, 3);
  if (!values) table.fail("", fmt::format("{} is missing", key), "a view has source or direction, center, u and v");
  return {(*values)[0], (*values)[1], (*values)[2]};
}

View read_view(const TomlTable& table) {
  table.allow_only({"source", "direction", "center", "u", "v"});
  View view;
  if (table.has("source") && table.has("direction"))
    table.fail("direction", "source is given as well", "cone beams have a source, parallel beams a direction");
  if (table.has("direction")) {
    view.beam = Beam::parallel;
    view.direction = require_vector(table, "direction");
    const double length = glm::length(view.direction);
    if (!(length > 0)) table.fail("direction", "it has no length");
    // A unit vector stays unchanged, so that written views are read back bit for bit.
    if (std::abs(length - 1) > 1e-15) view.direction /= length;
  } else {
    view.source = require_vector(table, "source");
  }
  view.center = require_vector(table, "center");
  view.u = require_vector(table, "u");
  view.v = require_vector(table, "v");
  return view;
}

/// Views hold pixel sizes of their own. The sizes of [detector] must agree with them, and are set from them where
/// [detector] has none.
void settle_pixels(DetectorTable& d, const std::vector<View>& views) {
  if (views.empty()) return;
  if (!d.has_pixel) {
    d.detector.pixel_u = glm::length(views.front().u);
    d.detector.pixel_v = glm::length(views.front().v);
  }
  const auto far = [](double a, double b) { return std::abs(a - b) > 0.01 * b; };
  for (std::size_t i = 0; d.has_pixel && i < views.size(); ++i) {
    const double u = glm::length(views[i].u), v = glm::length(views[i].v);
    if (far(u, d.detector.pixel_u) || far(v, d.detector.pixel_v))
      d.table.fail("pixel_mm", fmt::format("view {} has pixels of {:.6g} x {:.6g} mm", i, u, v),
                   "correct one of them, or leave pixel_mm out");
  }
}

void refuse_placement(const DetectorTable& d) {
  refuse_keys(d.table, {"offset_px", "tilt_deg"}, "the views say already where the detector is");
}

/// Views as explicit tables or from another toolkit's file.
std::vector<View> read_explicit_views(const TomlTable& root, const std::optional<TomlTable>& trajectory,
                                      const std::filesystem::path& folder, DetectorTable& d,
                                      const std::optional<StackInfo>& images, bool sinogram,
                                      std::vector<std::string>& notes) {
  refuse_placement(d);
  std::vector<View> views;
  if (!trajectory) {
    for (const TomlTable& table : root.tables("view")) views.push_back(read_view(table));
    if (views.empty()) root.fail("view", "there are no views", "write [[view]] above each");
    settle_pixels(d, views);
    d.has_pixel = true;
    settle_pixel_size(d, images, sinogram, false);
    settle_origin(d, stated_middle(d, images, sinogram, false), true, notes);
    return views;
  }
  trajectory->allow_only({"geometry", "source_to_detector_mm"});
  const std::filesystem::path file = resolve_path(folder, *trajectory->text("geometry"));
  const bool counts = image_frame_counts(file);
  settle_pixel_size(d, images, sinogram, counts);
  require_pixel(d);
  const auto middle = stated_middle(d, images, sinogram, counts);
  if (!counts)
    settle_origin(d, middle, true, notes);
  else if (middle)
    notes.push_back(fmt::format("the header of the projections puts their middle at {}: the detector is moved by that",
                                middle_text(*middle)));
  double distance = 0;
  if (trajectory->has("source_to_detector_mm"))
    distance = require_positive(*trajectory, "source_to_detector_mm", "the distance from source to detector, mm");
  views = read_geometry(file, d.detector, distance, counts ? middle.value_or(glm::dvec2(0)) : glm::dvec2(0));
  settle_pixels(d, views);
  return views;
}

std::vector<View> resting_views(const Trajectory& t, const Detector& detector) {
  switch (t.kind) {
    case Trajectory::Kind::parallel:
      return parallel_views(detector, t.angles_deg, t.placement);
    case Trajectory::Kind::helical:
      return helical_views(detector, t.angles_deg, t.source_to_axis, t.source_to_detector, t.pitch, t.start_z,
                           t.placement);
    case Trajectory::Kind::laminographic:
      return laminographic_views(detector, t.angles_deg, t.source_to_axis, t.source_to_detector, t.elevation_deg,
                                 t.placement);
    default:
      return circular_views(detector, t.angles_deg, t.source_to_axis, t.source_to_detector, t.placement);
  }
}

}  // namespace

std::vector<View> make_views(const Trajectory& t, const Detector& detector) {
  std::vector<View> views = resting_views(t, detector);
  const auto place = [](const std::vector<double>& spots, std::size_t i) {
    return spots.empty() ? 0.0 : spots[i % spots.size()];
  };
  for (std::size_t i = 0; i < views.size(); ++i)
    views[i].source += place(t.focal_spot_u, i) * glm::normalize(views[i].u) + Vec3(0, 0, place(t.focal_spot_z, i));
  return t.shifts.empty() ? views : shifted({detector, std::move(views)}, t.shifts).views;
}

StackLayout stack_layout(const StackInfo& info, std::int64_t rows, std::int64_t views) {
  const bool single = info.images == 1 && info.rows > 1;
  if (single && (rows > 0 ? rows == 1 : views != 1)) return {info.columns, 1, info.rows, true};
  return {info.columns, info.rows, info.images, false};
}

ScanGeometry read_scan_geometry(const TomlTable& root, const std::filesystem::path& folder,
                                const std::optional<StackInfo>& images) {
  DetectorTable d = read_detector(root);
  const auto trajectory = root.table("trajectory");
  if (trajectory && root.has("view")) root.fail("view", "[trajectory] is given as well", "keep one of them");
  if (!trajectory && !root.has("view"))
    root.fail("", "there is neither [trajectory] nor [[view]]", "say how source and detector move");
  const auto layout = [&](std::int64_t views) {
    return images ? stack_layout(*images, d.detector.rows, views) : StackLayout{};
  };

  ScanGeometry geometry;
  if (!trajectory || trajectory->has("geometry")) {
    if (trajectory && trajectory->has("kind"))
      trajectory->fail("kind", "geometry names a file with all views already", "keep one of them");
    // A geometry file may need the sizes. Its number of views is not known before it is read.
    const std::int64_t tables = trajectory ? 0 : static_cast<std::int64_t>(root.tables("view").size());
    const StackLayout data = layout(tables);
    settle_sizes(d, data, images, tables);
    auto views = read_explicit_views(root, trajectory, folder, d, images, data.sinogram, geometry.notes);
    geometry.scan = {d.detector, std::move(views)};
    geometry.toml = geometry_toml(geometry.scan);
    return geometry;
  }

  const auto kind = trajectory->text("kind");
  if (!kind)
    trajectory->fail("", "kind is missing", "circular, parallel, helical or laminographic; or geometry = \"file.xml\"");
  Trajectory t = read_trajectory(*trajectory, *kind);
  t.placement = d.placement;
  const auto listed = listed_angles(*trajectory, folder);
  std::int64_t views =
      listed ? static_cast<std::int64_t>(listed->size()) : count_key(*trajectory, "views", most_views).value_or(0);
  const StackLayout data = layout(views);
  settle_sizes(d, data, images, views);
  if (views == 0) views = data.views;
  settle_pixel_size(d, images, data.sinogram, false);
  require_pixel(d);
  settle_origin(d, stated_middle(d, images, data.sinogram, false), false, geometry.notes);
  if (listed)
    t.angles_deg = *listed;
  else
    set_arc(t, *trajectory, views);
  if (t.kind == Trajectory::Kind::helical) center_helix(t, *trajectory);
  read_focal_spots(t, *trajectory, d);
  read_shifts(t, *trajectory, d);
  if (d.detector.shape == Detector::Shape::curved && t.source_to_axis == 0)
    d.table.fail("shape", "parallel beams need a flat detector", "set shape = \"flat\"");
  geometry.scan = {d.detector, make_views(t, d.detector)};
  geometry.angles_deg = t.angles_deg;
  geometry.toml = geometry_toml(d.detector, t);
  return geometry;
}

std::string resolve_path(const std::filesystem::path& folder, const std::string& spec) {
  const std::filesystem::path path(spec);
  return path.is_absolute() || folder.empty() ? spec : (folder / path).string();
}

std::size_t choose(const TomlTable& table, std::string_view key, const std::string& value,
                   const std::vector<std::string_view>& choices) {
  const auto found = std::find(choices.begin(), choices.end(), value);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  const std::string nearest = nearest_word(value, choices);
  table.fail(key, fmt::format("unknown value '{}'", value),
             nearest.empty() ? fmt::format("choose one of {}", fmt::join(choices, ", "))
                             : fmt::format("did you mean \"{}\"? Known are {}", nearest, fmt::join(choices, ", ")));
}

}  // namespace backlit
