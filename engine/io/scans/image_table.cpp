// A folder of images with a table of their angles: "file,angle_deg" lines as CSV. Lines "# key = value" give the
// distances.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_data.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scan_notes.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> cells_of(std::string_view line) {
  const char separator = line.find(';') != std::string_view::npos    ? ';'
                         : line.find('\t') != std::string_view::npos ? '\t'
                                                                     : ',';
  std::vector<std::string> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    std::string_view cell = trimmed(line.substr(begin, end - begin));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    cells.emplace_back(cell);
    begin = end + 1;
  }
  return cells;
}

/// Columns of the table by their content; -1: there is none.
struct Columns {
  int file = -1, angle = -1;
  bool radians = false;
};

Columns columns_of(std::string_view heading) {
  Columns c;
  const auto cells = cells_of(heading);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string cell = lower_case(cells[i]);
    if (c.file < 0 && (cell.starts_with("file") || cell == "image" || cell == "name")) c.file = static_cast<int>(i);
    if (c.angle < 0 && (cell.starts_with("angle") || cell.starts_with("theta"))) {
      c.angle = static_cast<int>(i);
      c.radians = cell.find("rad") != std::string::npos;
    }
  }
  return c;
}

struct Table {
  HeaderFields fields;
  std::vector<fs::path> images;
  std::vector<double> angles_deg;
};

Table read_table(const fs::path& path) {
  Table t{HeaderFields(path.string()), {}, {}};
  const std::string text = read_small_text(path);
  Columns columns;
  for (TextLines lines(text); lines.next();) {
    const std::string_view line = lines.line();
    const std::string number = fmt::format("line {}", lines.number()),
                      where = fmt::format("{}:{}", path.string(), lines.number());
    if (line.empty()) continue;
    if (line.front() == '#') {
      if (const std::size_t equals = line.find('='); equals != std::string_view::npos)
        t.fields.add(std::string(trimmed(line.substr(1, equals - 1))), std::string(trimmed(line.substr(equals + 1))),
                     number);
      continue;
    }
    if (columns.angle < 0) {
      columns = columns_of(line);
      if (columns.file < 0 || columns.angle < 0)
        throw InputError(where, "names no columns 'file' and 'angle_deg'", "begin the table with: file,angle_deg");
      const auto names = cells_of(line);
      for (int i = 0; i < static_cast<int>(names.size()); ++i)
        if (i != columns.file && i != columns.angle)
          t.fields.add(std::string(names[static_cast<std::size_t>(i)]), "(a column)", number);
      continue;
    }
    const auto cells = cells_of(line);
    if (static_cast<int>(cells.size()) <= std::max(columns.file, columns.angle))
      throw InputError(where, fmt::format("has {} columns", cells.size()), "give a file and an angle");
    t.images.push_back(path.parent_path() / cells[static_cast<std::size_t>(columns.file)]);
    const double angle = parse_numbers(cells[static_cast<std::size_t>(columns.angle)], 1, where, "the angle")[0];
    t.angles_deg.push_back(columns.radians ? angle / radians_per_degree : angle);
  }
  if (t.images.empty()) throw InputError(path.string(), "lists no images");
  return t;
}

/// The value of a key, or the first choice, which is then a fact, too.
std::string choice(HeaderFields& fields, const char* key, const char* meaning, const std::array<const char*, 2>& of) {
  const auto given = fields.text(key, meaning);
  if (!given) fields.note_fact(meaning, of[0], fmt::format("unless a line says '# {} = {}'", key, of[1]));
  const std::string value = lower_case(given.value_or(of[0]));
  if (value != of[0] && value != of[1]) fields.fail(key, fmt::format("'{}' is neither {} nor {}", value, of[0], of[1]));
  return value;
}

void read_image_order(HeaderFields& fields, DetectorPlacement& placement) {
  const bool top = choice(fields, "first_row", "first row of the images", {"bottom", "top"}) == "top";
  place_first_pixel(placement, top,
                    choice(fields, "first_column", "first column, seen from the source", {"left", "right"}) == "right");
}

void read_geometry_keys(HeaderFields& fields, Detector& d, Trajectory& t, bool& known) {
  if (fields.has("pixel_mm")) {
    d.pixel_u = d.pixel_v = fields.require_positive("pixel_mm", "side of a pixel", "mm");
    known = true;
  }
  if (fields.has("source_to_axis_mm")) {
    t.kind = Trajectory::Kind::circular;
    t.source_to_axis = fields.require_positive("source_to_axis_mm", "source to axis", "mm");
    t.source_to_detector = fields.require_positive("source_to_detector_mm", "source to detector", "mm");
    if (t.source_to_detector < t.source_to_axis)
      fields.fail("source_to_detector_mm", "is less than source_to_axis_mm", "are the two exchanged?");
  }
  if (const auto center = fields.number("center_px", "column of the axis", "px"))
    t.placement.offset_u = *center - d.middle_column();
  read_image_order(fields, t.placement);
}

ScanFile load_image_table(const fs::path& path, bool) {
  Table table = read_table(path);
  const StackInfo info = open_files({table.images.front()})->info();
  Detector d;
  d.columns = info.columns;
  d.rows = info.rows;
  Trajectory trajectory;
  trajectory.kind = Trajectory::Kind::parallel;
  trajectory.angles_deg = table.angles_deg;
  const std::string first = table.images.front().filename().string();
  table.fields.note_fact("angles", angles_text(table.angles_deg), path.filename().string() + ", the column of angles");
  note_image_size(table.fields, d, first);
  bool known = info.pixel_mm.has_value();
  if (known) {
    d.pixel_u = info.pixel_mm->x;
    d.pixel_v = info.pixel_mm->y;
    if (!table.fields.has("pixel_mm"))
      table.fields.note_fact("pixels", fmt::format("{:.6g} x {:.6g} mm", d.pixel_u, d.pixel_v), first);
  }
  read_geometry_keys(table.fields, d, trajectory, known);
  ScanFile file = scan_without_data(path, d, trajectory);
  file.pixel_size_known = known;
  if (!known) file.notes.emplace_back("there is no line '# pixel_mm = ...': 1 mm is assumed, so lengths are in pixels");
  set_projection_files(file, std::move(table.images));
  file.kind = ScanFile::Kind::counts;
  if (table.fields.has("open_beam"))
    set_open_beam(file, table.fields.require_positive("open_beam", "counts of the open beam"));
  for (auto [key, frames] : {std::pair{"flats", &file.flats}, {"darks", &file.darks}})
    if (const auto spec = table.fields.text(key, key)) {
      const std::string full = resolve_path(path.parent_path(), *spec);
      *frames = open_frames(full, file.scan, [&](const std::string& problem, const std::string& remedy) {
        throw InputError(full, problem, remedy);
      });
      for (auto& input : files_of(full)) file.inputs.push_back(std::move(input));
    }
  if (!file.flats) file.notes.emplace_back(no_flats);
  table.fields.add_to(file);
  return file;
}

}  // namespace

ScanFormat image_table_format() {
  ScanFormat f;
  f.name = "image table";
  f.title = "table of images and angles";
  f.extensions = {".csv"};
  f.recognizes = [](const FileFront& front) {
    if (!has_extension(front.path, {".csv"})) return false;
    for (TextLines lines(front.bytes); lines.next();) {
      const std::string_view line = lines.line();
      if (line.empty() || line.front() == '#') continue;
      const Columns columns = columns_of(line);
      return columns.file >= 0 && columns.angle >= 0;
    }
    return false;
  };
  f.load = load_image_table;
  f.notes =
      "`file,angle_deg`; lines `# pixel_mm = 0.1`, `source_to_axis_mm`, `source_to_detector_mm`, `center_px`, "
      "`first_row`, `first_column`, `open_beam`, `flats`, `darks`";
  return f;
}

}  // namespace backlit::formats
