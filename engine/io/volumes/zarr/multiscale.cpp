#include "io/volumes/zarr/multiscale.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include "io/volumes/zarr/array.hpp"

namespace backlit::zarr {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

/// The attributes that OME-NGFF speaks of: 0.5 puts them under "ome", older versions at the top.
json attributes_of(const fs::path& group) {
  std::error_code error;
  if (fs::is_regular_file(group / ".zattrs", error)) return read_json(group / ".zattrs");
  if (!fs::is_regular_file(group / "zarr.json", error)) return {};
  const json attributes = read_json(group / "zarr.json").value("attributes", json::object());
  return attributes.value("ome", attributes);
}

/// mm in a unit of UDUNITS; nothing for units that are unknown or not said.
std::optional<double> millimetres(const std::string& unit) {
  constexpr std::pair<const char*, double> units[] = {{"meter", 1e3},       {"centimeter", 10},  {"millimeter", 1},
                                                      {"micrometer", 1e-3}, {"nanometer", 1e-6}, {"angstrom", 1e-7},
                                                      {"picometer", 1e-9}};
  for (const auto& [name, mm] : units)
    if (unit == name) return mm;
  return {};
}

/// The last three numbers of "scale" or "translation", z, y, x, onto x, y, z.
void apply(const json& transformations, std::size_t axes, Vec3& scale, Vec3& translation, bool& scaled) {
  for (const json& step : transformations) {
    const std::string type = step.at("type").get<std::string>();
    if (type != "scale" && type != "translation") continue;
    const json& numbers = step.at(type);
    if (numbers.size() != axes) continue;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, axes); ++i) {
      const double number = numbers[axes - 1 - i].get<double>();
      auto& one = scale[static_cast<glm::length_t>(i)];
      auto& place = translation[static_cast<glm::length_t>(i)];
      if (type == "scale")
        one *= number, place *= number;
      else
        place += number;
    }
    scaled = scaled || type == "scale";
  }
}

/// mm in the units of the axes x, y, z; 1 where they do not say.
Vec3 units_of(const json& axes) {
  Vec3 mm(1);
  const std::size_t count = axes.size();
  for (std::size_t i = 0; i < std::min<std::size_t>(3, count); ++i) {
    const json& axis = axes[count - 1 - i];
    if (axis.is_object()) mm[static_cast<glm::length_t>(i)] = millimetres(axis.value("unit", "")).value_or(1);
  }
  return mm;
}

/// A volume's last three axes are z, y, x. Axes without a type are taken for these.
void check_axes(const json& axes, const std::string& where) {
  if (axes.size() < 3) return;
  const json& third = axes[axes.size() - 3];
  if (!third.is_object() || third.value("type", "space") == "space") return;
  throw InputError(where,
                   fmt::format("its last three axes are not z, y, x but begin with '{}'", third.value("name", "")),
                   "save the images that you want as a volume");
}

ordered_json vector_json(const Vec3& v) { return {v.z, v.y, v.x}; }

}  // namespace

std::vector<Level> levels_of(const fs::path& group) {
  const std::string where = group.string();
  std::vector<Level> levels;
  try {
    const json attributes = attributes_of(group);
    if (!attributes.is_object() || !attributes.contains("multiscales")) return {};
    const json& scales = attributes.at("multiscales").at(0);
    const json axes = scales.value("axes", json::array());
    check_axes(axes, where);
    for (const json& dataset : scales.at("datasets")) {
      Level level;
      level.path = dataset.at("path").get<std::string>();
      if (const fs::path path(level.path); path.is_absolute() || path.lexically_normal().string().starts_with(".."))
        throw InputError(where, fmt::format("its array '{}' lies outside", level.path), "the file is damaged");
      Vec3 scale(1), translation(0);
      const Vec3 mm = units_of(axes);
      bool scaled = false;
      const std::size_t count = axes.size();
      apply(dataset.value("coordinateTransformations", json::array()), count, scale, translation, scaled);
      apply(scales.value("coordinateTransformations", json::array()), count, scale, translation, scaled);
      for (int i = 0; i < 3; ++i)
        if (!(scale[i] * mm[i] > 0) || !std::isfinite(scale[i] * mm[i]) || !std::isfinite(translation[i] * mm[i]))
          throw InputError(where, fmt::format("the scale of its array '{}' is not positive", level.path),
                           "the file is damaged");
      if (scaled) level.spacing = scale * mm;
      level.first = translation * mm;
      levels.push_back(std::move(level));
    }
  } catch (const json::exception& e) {
    throw InputError(where, fmt::format("its multiscales cannot be understood: {}", e.what()), "the file is damaged");
  }
  if (levels.empty()) throw InputError(where, "its multiscales name no array", "the file is damaged");
  return levels;
}

void write_group(const fs::path& group, const std::string& name, const std::vector<Level>& levels) {
  ordered_json axes = ordered_json::array(), datasets = ordered_json::array();
  for (const char* axis : {"z", "y", "x"}) axes.push_back({{"name", axis}, {"type", "space"}, {"unit", "millimeter"}});
  for (const Level& level : levels) {
    ordered_json steps = ordered_json::array();
    steps.push_back({{"type", "scale"}, {"scale", vector_json(*level.spacing)}});
    steps.push_back({{"type", "translation"}, {"translation", vector_json(level.first)}});
    datasets.push_back({{"path", level.path}, {"coordinateTransformations", std::move(steps)}});
  }
  ordered_json scales{{"version", "0.4"},
                      {"name", name},
                      {"axes", std::move(axes)},
                      {"datasets", std::move(datasets)},
                      {"type", "mean"}};
  ordered_json attributes;
  attributes["multiscales"] = ordered_json::array({std::move(scales)});
  write_text(group / ".zgroup", "{\"zarr_format\": 2}\n");
  write_text(group / ".zattrs", attributes.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace backlit::zarr
