// The `.scan.toml`: a geometry, and the paths of its projections, flats and darks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/io/scans/geometry_file.hpp>
#include <backlit/io/scans/scan_data.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include "io/scans/corrections_toml.hpp"
#include "io/scans/scan_notes.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/volumes/stacks/ordered_stack.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<StackReader> open_at(const TomlTable& table, std::string_view key, const std::string& spec) {
  std::unique_ptr<StackReader> reader;
  try {
    reader = open_stack(spec);
  } catch (const InputError& error) {
    table.fail(key, error.what());
  }
  const auto order = table.text("order");
  if (!order) return reader;
  try {
    return in_order(std::move(reader), *order, key != "projections");
  } catch (const InputError& error) {
    table.fail("order", error.what());
  }
}

void read_data(ScanFile& file, const TomlTable& table, const fs::path& folder, std::unique_ptr<StackReader> reader) {
  const auto complain = [&](std::string_view key) {
    return [&table, key](const std::string& problem, const std::string& remedy) { table.fail(key, problem, remedy); };
  };
  const auto frames = [&](std::string_view key) -> std::shared_ptr<ProjectionSource> {
    const auto spec = table.text(key);
    if (!spec) return nullptr;
    if (file.kind != ScanFile::Kind::counts)
      table.fail(key, "line integrals are corrected already", "set kind = \"counts\", or leave it out");
    const std::string path = resolve_path(folder, *spec);
    auto opened = open_at(table, key, path);
    try {
      return open_frames(std::move(opened), path, file.scan, complain(key));
    } catch (const InputError& error) {
      const std::string what = error.what();
      if (what.find(fmt::format("{} {}: ", table.name(), key)) != std::string::npos) throw;
      table.fail(key, what);
    }
  };
  const std::string spec = resolve_path(folder, *table.text("projections"));
  if (const auto kind = table.text("kind"))
    file.kind = static_cast<ScanFile::Kind>(choose(table, "kind", *kind, {"line_integrals", "counts"}));
  const double scale = table.number("scale").value_or(1);
  if (scale == 0) table.fail("scale", "0 leaves nothing of the projections", "give what to multiply them by");
  if (table.has("scale") && file.kind == ScanFile::Kind::counts)
    table.fail("scale", "counts become line integrals without it", "leave it out, or set kind = \"line_integrals\"");
  file.projections = open_projections(std::move(reader), spec, file.scan, complain("projections"), scale);
  file.flats = frames("flats");
  if (const auto counts = table.number("open_beam")) {
    if (file.flats) table.fail("open_beam", "flats are given as well, and hold the open beam", "keep one of them");
    if (!(*counts > 0)) table.fail("open_beam", "is not positive", "give the counts of a pixel without an object");
    if (file.kind != ScanFile::Kind::counts)
      table.fail("open_beam", "line integrals are corrected already", "set kind = \"counts\", or leave it out");
    set_open_beam(file, *counts);
  }
  file.darks = frames("darks");
  if (file.kind == ScanFile::Kind::counts && !file.flats) file.notes.emplace_back(no_flats);
}

/// [data] scan: takes projections, flats and darks from a scan in another format, with this file's geometry.
void take_data(ScanFile& file, const TomlTable& table, const fs::path& folder) {
  const fs::path path = resolve_path(folder, *table.text("scan"));
  if (has_extension(path, {".toml"})) table.fail("scan", "it is a Backlit scan itself", "name its projections here");
  ScanFile other;
  try {
    other = load_scan(path);
  } catch (const InputError& error) {
    table.fail("scan", error.what());
  }
  if (!other.projections) table.fail("scan", "it has no projections", "name them here");
  const Detector &a = file.scan.detector, &b = other.scan.detector;
  if (a.columns != b.columns || a.rows != b.rows || file.scan.view_count() != other.scan.view_count())
    table.fail("scan",
               fmt::format("{} views of {} x {} pixels where this geometry has {} of {} x {}", other.scan.view_count(),
                           b.columns, b.rows, file.scan.view_count(), a.columns, a.rows),
               "give a view for each of its images");
  file.kind = other.kind;
  file.projections = std::make_shared<PlacedViews>(other.projections, file.scan);
  file.flats = other.flats;
  file.darks = other.darks;
  file.water = other.water;
  file.photons = std::move(other.photons);
  file.patient_frame = other.patient_frame;
  file.facts = std::move(other.facts);
  file.unused = std::move(other.unused);
  if (file.kind == ScanFile::Kind::counts && !file.flats) file.notes.emplace_back(no_flats);
  file.inputs.insert(file.inputs.end(), other.inputs.begin(), other.inputs.end());
}

Size3 read_size(const TomlTable& table) {
  const auto values = *table.numbers("size", 3);
  Size3 size;
  for (std::size_t a = 0; a < 3; ++a) {
    if (values[a] != std::floor(values[a]) || values[a] < 1 || values[a] > (1 << 20))
      table.fail("size", fmt::format("{} voxels along {}", values[a], "xyz"[a]),
                 "give whole numbers from 1 to 1048576");
    size[a] = static_cast<std::int64_t>(values[a]);
  }
  return size;
}

Vec3 vector_of(const std::vector<double>& values) { return {values[0], values[1], values[2]}; }

/// Values that [volume] lacks follow from base_grid() by the rule of chosen_grid().
VolumeGrid read_volume(const TomlTable& table, const Scan& scan) {
  table.allow_only({"size", "voxel_mm", "center_mm"});
  const auto voxel = table.numbers("voxel_mm", 3, true);
  for (std::size_t a = 0; voxel && a < 3; ++a)
    if (!((*voxel)[a] > 0)) table.fail("voxel_mm", fmt::format("{} mm is not positive", (*voxel)[a]));
  GridOptions asked;
  if (table.has("size")) asked.size = read_size(table);
  if (voxel) asked.voxel = vector_of(*voxel);
  if (const auto center = table.numbers("center_mm", 3)) asked.center = vector_of(*center);
  const VolumeGrid base = base_grid(scan, asked);
  try {
    return chosen_grid(base, asked);
  } catch (const InputError& error) {
    table.fail("", error.what());
  }
}

/// Every file that a scan file names.
std::vector<fs::path> named_files(const TomlTable& root, const fs::path& folder) {
  std::vector<fs::path> files;
  const auto add = [&](std::string_view table, std::initializer_list<std::string_view> keys) {
    const auto found = root.table(table);
    for (std::string_view key : keys)
      if (const auto spec = found ? found->text(key) : std::nullopt)
        for (const auto& file : files_of(resolve_path(folder, *spec))) files.push_back(file);
  };
  add("data", {"projections", "flats", "darks"});
  add("trajectory", {"angles", "geometry"});
  return files;
}

/// A .scan.toml, its tables checked for unknown keys.
struct ScanTables {
  TomlTable root;
  fs::path folder;
  std::optional<TomlTable> data;

  ScanTables(TomlTable tables, const fs::path& path)
      : root(std::move(tables)), folder(path.parent_path()), data(root.table("data")) {
    root.allow_only({"detector", "trajectory", "view", "data", "volume", "corrections"});
    if (!data) return;
    data->allow_only({"projections", "order", "kind", "scale", "flats", "open_beam", "darks", "scan"});
    if (names_scan())
      for (const char* key : {"projections", "order", "kind", "scale", "flats", "open_beam", "darks"})
        if (data->has(key)) data->fail(key, "scan is given as well, and has its own", "keep one of them");
    if (!names_scan() && !data->text("projections"))
      data->fail("", "projections is missing", "name a file, \"raw_*.tiff\" or \"file.h5:/path\"");
  }

  bool names_scan() const { return data && data->has("scan"); }

  std::unique_ptr<StackReader> open_projections() const {
    return data && !names_scan() ? open_at(*data, "projections", resolve_path(folder, *data->text("projections")))
                                 : nullptr;
  }
};

ScanGeometry geometry_of(const ScanTables& tables, const StackReader* reader) {
  return read_scan_geometry(tables.root, tables.folder, reader ? std::optional(reader->info()) : std::nullopt);
}

/// Null where there are no projections yet.
std::unique_ptr<StackReader> open_if_there(const ScanTables& tables) {
  try {
    return tables.open_projections();
  } catch (const InputError&) {
    return nullptr;
  }
}

/// Whether the views depend on the projections' headers.
bool needs_header(const ScanTables& tables) {
  const auto trajectory = tables.root.table("trajectory");
  const auto file = trajectory ? trajectory->text("geometry") : std::nullopt;
  return file && image_frame_counts(resolve_path(tables.folder, *file));
}

/// Opens the projections only if the tables lack something.
ScanGeometry geometry_alone(const ScanTables& tables) {
  std::unique_ptr<StackReader> reader = needs_header(tables) ? open_if_there(tables) : nullptr;
  try {
    return geometry_of(tables, reader.get());
  } catch (const InputError&) {
    if (reader || !(reader = open_if_there(tables))) throw;  // the error names what is missing
    return geometry_of(tables, reader.get());
  }
}

ScanFile without_data(const fs::path& path, const ScanTables& tables, ScanGeometry geometry) {
  ScanFile file;
  file.path = path;
  file.scan = std::move(geometry.scan);
  file.angles_deg = std::move(geometry.angles_deg);
  file.trajectory_toml = std::move(geometry.toml);
  file.notes = std::move(geometry.notes);
  file.scan.check(path.c_str());
  if (const auto volume = tables.root.table("volume")) file.volume = read_volume(*volume, file.scan);
  file.inputs = named_files(tables.root, tables.folder);
  return file;
}

ScanFile load_toml(const fs::path& path, bool with_data) {
  const ScanTables tables(TomlTable::parse_file(path), path);
  if (!with_data) return without_data(path, tables, geometry_alone(tables));
  auto reader = tables.open_projections();
  ScanFile file = without_data(path, tables, geometry_of(tables, reader.get()));
  if (reader) read_data(file, *tables.data, tables.folder, std::move(reader));
  if (tables.names_scan()) take_data(file, *tables.data, tables.folder);
  if (const auto corrections = tables.root.table("corrections")) {
    file.corrections = read_corrections(*corrections);
    if (std::string& spectrum = file.corrections.water_spectrum; !spectrum.empty())
      spectrum = resolve_path(tables.folder, spectrum);
  }
  return file;
}

/// Writes a `.scan.toml`.
void save_toml(const Scan& scan, const ScanWriteOptions& options, const fs::path& path) {
  write_text(path, scan_text(scan, options, path.string()));
}

}  // namespace

namespace formats {

ScanFormat scan_toml_format() {
  ScanFormat f;
  f.name = "scan.toml";
  f.title = "Backlit scan";
  f.extensions = {".scan.toml", ".toml"};
  f.saved_as = {".scan.toml"};
  f.load = load_toml;
  f.checks_directions = false;
  f.save = save_toml;
  f.notes = "text: geometry, and the files of projections, flats and darks";
  return f;
}

}  // namespace formats

ScanFile parse_scan_geometry(const std::string& text, const std::string& name) {
  const ScanTables tables(TomlTable::parse(text, name), name);
  const auto refuse = [](const TomlTable& table, std::string_view key) {
    if (table.has(key)) table.fail(key, "a scan that comes as a message names no files", "send the numbers themselves");
  };
  refuse(tables.root, "data");
  if (const auto trajectory = tables.root.table("trajectory"))
    for (const char* key : {"angles", "geometry"}) refuse(*trajectory, key);
  return without_data(name, tables, geometry_of(tables, nullptr));
}

std::string scan_text(const Scan& scan, const ScanWriteOptions& options, const std::string& where) {
  scan.check(where.c_str());
  std::string text;
  if (!options.trajectory_toml.empty()) {
    const auto same = read_scan_geometry(TomlTable::parse(options.trajectory_toml, where), {}, {}).scan;
    if (same.detector == scan.detector && same.views == scan.views) text = options.trajectory_toml;
  }
  if (text.empty()) text = geometry_toml(scan);
  if (!options.scan.empty()) text += fmt::format("\n[data]\nscan = {}\n", toml_text(options.scan));
  if (!options.projections.empty()) {
    text += fmt::format("\n[data]\nprojections = {}\nkind = \"{}\"\n", toml_text(options.projections),
                        options.kind == ScanFile::Kind::counts ? "counts" : "line_integrals");
    if (!options.flats.empty()) text += fmt::format("flats = {}\n", toml_text(options.flats));
    if (!options.darks.empty()) text += fmt::format("darks = {}\n", toml_text(options.darks));
  }
  if (const auto& grid = options.volume) {
    const auto numbers = [](const Vec3& a) { return toml_numbers({a.x, a.y, a.z}); };
    text += fmt::format("\n[volume]\nsize = [{}, {}, {}]\nvoxel_mm = {}\ncenter_mm = {}\n", grid->size[0],
                        grid->size[1], grid->size[2], numbers(grid->spacing), numbers(grid->center));
  }
  return text + corrections_toml(options.corrections);
}

}  // namespace backlit
