// Backlit's own format of scanners: a cylinder of crystals in a few lines of TOML.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/scanner_format.hpp>
#include <backlit/io/toml_reader.hpp>

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

double positive(const TomlTable& table, std::string_view key, std::optional<double> otherwise = {}) {
  const std::optional<double> value = table.number(key);
  if (!value && !otherwise) table.fail(key, "is missing", fmt::format("add {} = ...", key));
  if (value && !(*value > 0)) table.fail(key, fmt::format("{} is not positive", *value));
  return value.value_or(otherwise.value_or(0));
}

RingLayout read_ring(const TomlTable& ring) {
  ring.allow_only({"modules", "module_crystals", "axial_modules", "module_rings", "face_radius_mm", "pitch_mm",
                   "ring_spacing_mm", "axial_gap_mm", "first_deg", "layers_mm", "mean_depth_mm", "stopping_per_mm"});
  RingLayout layout;
  const auto count = [&](std::string_view key, std::optional<std::int64_t> otherwise) {
    const auto value = ring.integer(key);
    if (!value && !otherwise) ring.fail(key, "is missing", fmt::format("add {} = ...", key));
    return value.value_or(otherwise.value_or(0));
  };
  layout.modules = count("modules", {});
  layout.module_crystals = count("module_crystals", 1);
  layout.axial_modules = count("axial_modules", 1);
  layout.module_rings = count("module_rings", {});
  layout.face_radius_mm = positive(ring, "face_radius_mm");
  const double modules = static_cast<double>(std::max<std::int64_t>(3, layout.modules));
  const double face = 2 * layout.face_radius_mm * std::tan(pi / modules);
  layout.pitch_mm =
      positive(ring, "pitch_mm", face / static_cast<double>(std::max<std::int64_t>(1, layout.module_crystals)));
  layout.ring_spacing_mm = positive(ring, "ring_spacing_mm");
  layout.axial_gap_mm = ring.number("axial_gap_mm").value_or(0);
  layout.first_deg = ring.number("first_deg").value_or(0);
  layout.layers_mm = ring.numbers("layers_mm").value_or(std::vector<double>());
  if (layout.layers_mm.empty())
    ring.fail("layers_mm", "is missing", "give the crystals' thickness, layers_mm = [20.0]");
  layout.mean_depth_mm = ring.number("mean_depth_mm").value_or(0.5 * layout.layers_mm[0]);
  return layout;
}

Coincidence read_coincidence(const TomlTable& root, const RingLayout& layout) {
  Coincidence rule;
  const auto table = root.table("coincidence");
  if (!table) return rule;
  table->allow_only({"min_angle_deg", "field_of_view_mm", "max_ring_difference"});
  if (table->has("min_angle_deg") && table->has("field_of_view_mm"))
    table->fail("min_angle_deg", "and field_of_view_mm are both given", "keep one");
  rule.min_angle_deg = table->number("min_angle_deg").value_or(0);
  if (table->has("field_of_view_mm")) {
    const double diameter = 2 * (layout.face_radius_mm + layout.depth_mm(0)),
                 view = positive(*table, "field_of_view_mm");
    if (view > diameter)
      table->fail("field_of_view_mm", fmt::format("{} is wider than the ring", view),
                  fmt::format("give up to {:.6g}", diameter));
    rule.min_angle_deg = 2 * std::acos(view / diameter) / radians_per_degree;
  }
  if (const auto rings = table->integer("max_ring_difference")) {
    if (*rings < 0) table->fail("max_ring_difference", "is negative");
    if (layout.axial_modules > 1 && layout.axial_gap_mm > 0)
      table->fail("max_ring_difference", "is not one distance where there are gaps", "leave it out");
    rule.max_axial_mm = static_cast<double>(*rings) * layout.ring_spacing_mm;
  }
  return rule;
}

Scanner load_toml(const fs::path& path) {
  const TomlTable root = TomlTable::parse_file(path);
  root.allow_only({"name", "ring", "coincidence", "tof"});
  const auto ring = root.table("ring");
  if (!ring) root.fail("ring", "is missing", "describe the crystals in a table [ring]");
  const RingLayout layout = read_ring(*ring);
  const std::string name = root.text("name").value_or(path.stem().stem().string());
  Scanner scanner = make_ring_scanner(name, layout, read_coincidence(root, layout), path.string(),
                                      positive(*ring, "stopping_per_mm", 0.087));
  if (const auto tof = root.table("tof")) {
    tof->allow_only({"fwhm_ps"});
    scanner.tof_fwhm_ps = positive(*tof, "fwhm_ps");
  }
  return scanner;
}

/// Whether the file has the table [ring], which every scanner has.
bool has_ring(const FileFront& front) { return ("\n" + front.bytes).find("\n[ring]") != std::string::npos; }

}  // namespace

ScannerFormat scanner_toml_format() {
  ScannerFormat f;
  f.name = "scanner.toml";
  f.title = "Backlit scanner";
  f.extensions = {".scanner.toml", ".toml"};
  f.recognizes = has_ring;
  f.load = load_toml;
  f.notes = "text: rings of equal modules";
  return f;
}

}  // namespace backlit::formats
