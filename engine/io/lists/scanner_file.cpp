#include <backlit/io/lists/scanner_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <backlit/core/assets.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/output_file.hpp>
#include <backlit/io/toml_reader.hpp>
#include "io/byte_source.hpp"
#include "io/lists/castor_header.hpp"
#include "io/text_fields.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".scanner.toml";
constexpr std::int64_t most_crystals = 16'000'000;

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

fs::path lut_beside(fs::path hscan) { return hscan.replace_extension(".lut"); }

/// The layers of an .hscan: crystals in each, and values that are one number for all layers or one for each.
class HscanLayers {
 public:
  HscanLayers(const CastorHeader& header, std::int64_t crystals) : header_(header) {
    const std::int64_t layers = header.integer("number of layers", 1, 64, 1);
    count_ = {crystals};
    if (layers == 1) return;
    const std::string key = "number of crystals in each layer";
    count_ = parse_integers(header.required_text(key), static_cast<std::size_t>(layers), header.where(), key);
    if (*std::min_element(count_.begin(), count_.end()) < 0 ||
        *std::max_element(count_.begin(), count_.end()) > crystals ||
        std::accumulate(count_.begin(), count_.end(), std::int64_t{0}) != crystals)
      throw InputError(header.where(), "its layers do not hold all its crystals", "give the crystals of each layer");
  }
  const std::vector<std::int64_t>& counts() const { return count_; }
  double value(const std::string& key, std::size_t layer, double otherwise) const {
    const auto text = header_.text(key);
    if (!text) return otherwise;
    const auto values = parse_numbers(*text, 0, header_.where(), key);
    if (values.size() != 1 && values.size() != count_.size())
      throw InputError(header_.where(), fmt::format("'{}' holds {} numbers", key, values.size()),
                       fmt::format("give 1, or one for each of {} layers", count_.size()));
    return values.size() == 1 ? values[0] : values[layer];
  }
  /// From a crystal's middle to its mean depth of interaction; a negative depth stands for the middle.
  double shift(std::int64_t crystal) {
    while (crystal >= end_) {
      const double depth = value("mean depth of interaction", layer_, -1);
      shift_ = depth >= 0 ? depth - 0.5 * value("crystals size depth", layer_, 0) : 0.0;
      end_ += count_[layer_++];
    }
    return shift_;
  }

 private:
  const CastorHeader& header_;
  std::vector<std::int64_t> count_;
  std::size_t layer_ = 0;  ///< shift() is asked for crystals in order
  std::int64_t end_ = 0;
  double shift_ = 0;
};

/// Ours, in a CASToR header: each layer's share of the photons.
void read_efficiencies(const CastorHeader& header, const HscanLayers& layers, std::vector<float>& efficiency) {
  if (!header.has("layer efficiencies")) return;
  for (std::size_t layer = 0; layer < layers.counts().size(); ++layer) {
    const double value = layers.value("layer efficiencies", layer, 1);
    if (!(value > 0))
      throw InputError(header.where(), fmt::format("a layer efficiency of {}", value), "give a positive number");
    efficiency.insert(efficiency.end(), static_cast<std::size_t>(layers.counts()[layer]), static_cast<float>(value));
  }
}

/// Six floats a crystal: centre (mm) and outward direction. A positive mean depth moves each along its direction.
Scanner load_hscan(const fs::path& path) {
  const CastorHeader header(path);
  if (const auto modality = header.text("modality"); modality && *modality != "PET")
    throw InputError(path.string(), fmt::format("its modality is '{}'", *modality), "scanners of PET can be used");
  Scanner scanner;
  scanner.name = header.required_text("scanner name");
  const std::int64_t crystals = header.integer("number of elements", 1, most_crystals);
  HscanLayers layers(header, crystals);
  scanner.crystal_mm = {layers.value("crystals size transaxial", 0, 0), layers.value("crystals size axial", 0, 0),
                        layers.value("crystals size depth", 0, 0)};
  scanner.coincidence.min_angle_deg = header.number("min angle difference", 0);
  scanner.tof_fwhm_ps = header.number("tof resolution (ps)", 0);
  read_efficiencies(header, layers, scanner.efficiency);
  const double depth = layers.value("mean depth of interaction", 0, -1);
  scanner.depth_mm = depth >= 0 ? depth : 0.5 * scanner.crystal_mm.z;
  const fs::path table = lut_beside(path);
  const auto bytes = open_bytes(table);
  if (bytes->size() != crystals * 24)
    throw InputError(table.string(),
                     fmt::format("is {} bytes long, but {} crystals take {}", bytes->size(), crystals, crystals * 24),
                     fmt::format("{} and it do not belong together", path.filename().string()));
  std::vector<float> values(static_cast<std::size_t>(crystals * 6));
  bytes->read(0, std::as_writable_bytes(std::span(values)));
  for (std::int64_t i = 0; i < crystals; ++i) {
    const float* v = &values[static_cast<std::size_t>(6 * i)];
    const Vec3f center(v[0], v[1], v[2]), outward(v[3], v[4], v[5]);
    const float length = glm::length(outward);
    if (!(glm::dot(center, center) < 1e10f) || !(std::abs(length - 1) < 0.01f))
      throw InputError(table.string(), fmt::format("crystal {} is not a place (mm) and a unit vector", i),
                       "is the table of CASToR's kind: six float32 a crystal?");
    scanner.outward.push_back(outward / length);
    scanner.position.push_back(center + static_cast<float>(layers.shift(i)) * scanner.outward.back());
  }
  return scanner;
}

Scanner load_by_content(const fs::path& path) {
  const std::string ending = file_extension(path.string());
  if (ending == ".toml") return load_toml(path);
  if (ending == ".hscan") return load_hscan(path);
  if (ending == ".geom")
    throw InputError(path.string(), "CASToR's .geom files are not read",
                     "make its .lut with CASToR, and name the .hscan");
  return load_crystal_map(path).scanner;
}

}  // namespace

CrystalMap load_crystal_map(const fs::path& path) {
  constexpr std::int64_t longest = std::int64_t{1} << 30;
  const std::string where = path.string();
  const auto bytes = open_bytes(path);
  if (bytes->size() > longest)
    throw InputError(where, fmt::format("{} bytes are too many for a crystal map", bytes->size()));
  const std::string text = read_front(path, static_cast<std::size_t>(longest));
  CrystalMap map;
  map.scanner.name = path.stem().string();
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const std::string place = fmt::format("{}:{}", where, number);
    const auto v = parse_numbers(line, 0, place, "a column");
    if (v.size() != 5 && v.size() != 6)
      throw InputError(place, fmt::format("{} columns", v.size()),
                       "a crystal map has ring, detector, (layer,) x, y, z");
    const std::size_t ids = v.size() - 3;
    std::array<std::int64_t, 3> id{};
    for (std::size_t i = 0; i < ids; ++i) {
      if (!(v[i] >= 0 && v[i] < 1e6 && v[i] == std::floor(v[i])))
        throw InputError(place, fmt::format("{} is no number of a ring, detector or layer", v[i]));
      id[i] = static_cast<std::int64_t>(v[i]);
    }
    const Vec3 p(v[ids], v[ids + 1], v[ids + 2]);
    const double radius = std::hypot(p.x, p.y);
    if (!(radius > 1e-3 && radius < 1e5 && std::abs(p.z) < 1e5))
      throw InputError(place, "the crystal is not beside the axis within 100 m", "x, y, z are in mm, z along the axis");
    if (!map.number.emplace(id, static_cast<std::uint32_t>(map.scanner.position.size())).second)
      throw InputError(place, fmt::format("crystal {} {} {} is given twice", id[0], id[1], id[2]), "keep one");
    map.scanner.position.push_back(Vec3f(p));
    map.scanner.outward.push_back(Vec3f(Vec3(p.x, p.y, 0) / radius));
  }
  if (map.scanner.position.empty())
    throw InputError(where, "holds no crystals", "a line is: ring detector layer x y z (mm)");
  return map;
}

std::vector<std::string> shipped_scanners() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(asset_folder("scanners"), none)) {
    const std::string file = entry.path().filename().string();
    if (file.ends_with(extension)) names.push_back(file.substr(0, file.size() - extension.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Scanner load_scanner(const std::string& path_or_name) {
  std::error_code none;
  if (fs::is_regular_file(path_or_name, none)) return load_by_content(path_or_name);
  const auto names = shipped_scanners();
  if (std::find(names.begin(), names.end(), path_or_name) == names.end())
    throw InputError(path_or_name, "no such scanner",
                     fmt::format("give a {} file, an .hscan, a crystal map, or one of {}", extension.substr(1),
                                 fmt::join(names, ", ")));
  return load_toml(asset_folder("scanners") / (path_or_name + std::string(extension)));
}

void save_castor_scanner(const Scanner& scanner, const fs::path& path) {
  const std::int64_t layers = scanner.layout ? scanner.layout->layers() : 1, in_layer = scanner.crystals() / layers;
  std::string text = fmt::format(
      "modality: PET\nscanner name: {}\nnumber of elements: {}\nnumber of layers: {}\n"
      "number of crystals in each layer: {}\nmin angle difference: {}\n"
      "crystals size transaxial: {}\ncrystals size axial: {}\ncrystals size depth: {}\n"
      "mean depth of interaction: -1\n",
      scanner.name, scanner.crystals(), layers, fmt::join(std::vector(static_cast<std::size_t>(layers), in_layer), ","),
      scanner.coincidence.min_angle_deg, scanner.crystal_mm.x, scanner.crystal_mm.y, scanner.crystal_mm.z);
  if (scanner.tof_fwhm_ps > 0) text += fmt::format("TOF resolution (ps): {}\n", scanner.tof_fwhm_ps);
  if (!scanner.efficiency.empty()) {
    std::vector<float> values;
    for (std::int64_t layer = 0; layer < layers; ++layer)
      values.push_back(scanner.efficiency[static_cast<std::size_t>(layer * in_layer)]);
    text += fmt::format("layer efficiencies: {}\n", fmt::join(values, ","));
  }
  OutputFile header(path), table(lut_beside(path));
  header.write(std::string_view(text));
  std::vector<float> rows;
  for (std::size_t i = 0; i < scanner.position.size(); ++i)
    for (const Vec3f& v : {scanner.position[i], scanner.outward[i]}) rows.insert(rows.end(), {v.x, v.y, v.z});
  table.write(rows);
  header.close();
  table.close();
  table.commit();
  header.commit();
}

}  // namespace backlit
