// The text format of assets/phantoms/ (its README documents it).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <backlit/core/assets.hpp>
#include <backlit/core/error.hpp>
#include <backlit/phantom/phantom.hpp>
#include "phantom/phantom_table.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".phantom.toml";
constexpr std::size_t most_bodies = 100'000;
constexpr std::int64_t most_cutters = 64;  // bodies that one body is within, with the bodies that these are within
constexpr int deepest_include = 8;

Phantom load_file(const fs::path& path, int depth);

/// Radii along local x and y, half length along local z.
Vec3 round_half(PhantomTable& table) {
  const std::vector<double> radius = table.sizes("radius", 2);
  return {radius[0], radius[1], 0.5 * table.positive("length")};
}

Vec3 three(const std::vector<double>& sizes) { return {sizes[0], sizes[1], sizes[2]}; }

void read_shape(PhantomTable& table, Body& body) {
  const std::string shape = table.text("shape", "");
  if (shape == "sphere") {
    body.half = Vec3(table.positive("radius"));
  } else if (shape == "ellipsoid") {
    body.half = three(table.sizes("half", 3));
  } else if (shape == "cylinder") {
    body.shape = Body::Shape::cylinder;
    body.half = round_half(table);
  } else if (shape == "cone") {
    body.shape = Body::Shape::cone;
    body.half = round_half(table);
    body.top = table.number("top", 0.0);
    if (body.top < 0) table.fail("top", fmt::format("{} is negative", body.top), "give upper over lower radius");
  } else if (shape == "box") {
    body.shape = Body::Shape::box;
    body.half = 0.5 * three(table.sizes("size", 3));
  } else if (shape == "gaussian") {
    body.shape = Body::Shape::gaussian;
    body.half = three(table.sizes("sigma", 3));
  } else {
    table.fail("shape", shape.empty() ? "is missing" : fmt::format("unknown shape '{}'", shape),
               "choose one of sphere, ellipsoid, cylinder, cone, box, gaussian");
  }
}

glm::dmat3 rotation(const Vec3& degrees) {
  const Vec3 c = glm::cos(degrees * radians_per_degree), s = glm::sin(degrees * radians_per_degree);
  const glm::dmat3 about_x(1, 0, 0, 0, c.x, s.x, 0, -s.x, c.x), about_y(c.y, 0, -s.y, 0, 1, 0, s.y, 0, c.y),
      about_z(c.z, s.z, 0, -s.z, c.z, 0, 0, 0, 1);
  return about_z * about_y * about_x;
}

Vec3 direction(PhantomTable& table, std::string_view key) {
  const Vec3 v = table.vector(key);
  if (!(glm::length(v) > 1e-9)) table.fail(key, "has no length");
  return glm::normalize(v);
}

glm::dmat3 read_axes(PhantomTable& table) {
  if (!table.has("axis")) {
    if (table.has("x_axis")) table.fail("x_axis", "is given without axis");
    return rotation(table.vector("angles", Vec3(0)));
  }
  if (table.has("angles")) table.fail("angles", "and axis are both given", "keep one");
  const Vec3 z = direction(table, "axis");
  const Vec3 wish =
      table.has("x_axis") ? direction(table, "x_axis") : (std::abs(z.x) < 0.9 ? Vec3(1, 0, 0) : Vec3(0, 1, 0));
  const Vec3 rest = wish - glm::dot(wish, z) * z;
  if (!(glm::length(rest) > 1e-3)) table.fail("x_axis", "is parallel to axis");
  const Vec3 x = glm::normalize(rest);
  return glm::dmat3(x, glm::cross(z, x), z);
}

/// The centres of a body's copies: `center` or every point of `at`, each repeated `count` times by `step`.
std::vector<Vec3> read_centers(PhantomTable& table) {
  if (table.has("center") && table.has("at")) table.fail("at", "and center are both given", "keep one");
  std::vector<Vec3> starts = table.points("at");
  if (starts.empty()) starts.push_back(table.vector("center", Vec3(0)));
  const std::int64_t count = table.whole("count", 1, static_cast<std::int64_t>(most_bodies), 1);
  if (count > 1 && !table.has("step")) table.fail("step", "is missing", "count needs it");
  const Vec3 step = table.vector("step", Vec3(0));
  if (starts.size() > most_bodies / static_cast<std::size_t>(count))
    table.fail("count", fmt::format("makes more than {} bodies", most_bodies));
  std::vector<Vec3> centers;
  for (const Vec3& start : starts)
    for (std::int64_t i = 0; i < count; ++i) centers.push_back(start + static_cast<double>(i) * step);
  return centers;
}

std::int64_t cutters(const Body& body) {
  std::int64_t count = 0;
  for (const Body& other : body.within) count += 1 + cutters(other);
  return count;
}

/// The bodies of one file, in its own units.
class BodyReader {
 public:
  void read(PhantomTable& table, std::size_t index, std::vector<Body>& bodies) {
    const std::string name = table.text("name", "");
    table.rename(name.empty() ? fmt::format("body {}", index) : fmt::format("body {} ({})", index, name));
    Body body;
    read_shape(table, body);
    body.axes = read_axes(table);
    body.value = table.number("value");
    read_clips(table, body);
    for (const std::string& other : table.names("within")) {
      if (!named_.contains(other))
        table.fail("within", fmt::format("there is no body '{}' above", other), "name one that comes earlier");
      body.within.push_back(named_.at(other));
      if (cutters(body) > most_cutters)
        table.fail("within", fmt::format("adds up to more than {} bodies", most_cutters));
    }
    if (body.shape == Body::Shape::gaussian && !(body.clips.empty() && body.within.empty()))
      table.fail("shape", "a gaussian cannot be clipped", "drop clip and within");
    const std::vector<Vec3> centers = read_centers(table);
    table.refuse_unknown();
    if (bodies.size() + centers.size() > most_bodies) table.fail("", fmt::format("more than {} bodies", most_bodies));
    remember(table, name, body, centers);
    if (body.value == 0) return;  // only used by `within` of other bodies
    for (const Vec3& center : centers) {
      body.center = center;
      bodies.push_back(body);
    }
  }

 private:
  static void read_clips(PhantomTable& table, Body& body) {
    for (PhantomTable& clip : table.tables("clip")) {
      body.clips.push_back({clip.vector("point"), direction(clip, "normal")});
      clip.refuse_unknown();
    }
  }

  void remember(PhantomTable& table, const std::string& name, Body body, const std::vector<Vec3>& centers) {
    if (name.empty() || centers.size() != 1 || body.shape == Body::Shape::gaussian) return;
    body.center = centers.front();
    if (!named_.emplace(name, body).second) table.fail("name", "is used twice", "give each body its own");
  }

  std::map<std::string, Body> named_;
};

toml::table parse(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw InputError(path.string(), "cannot be read", "check the path");
  return parse_toml(text, path.string());
}

void read_include(PhantomTable& table, const fs::path& path, int depth, Phantom& phantom) {
  const std::string include = table.text("include", "");
  if (include.empty()) return;
  if (depth >= deepest_include) table.fail("include", "files include each other too deeply");
  const fs::path other = path.parent_path() / include;
  std::error_code none;
  if (!fs::is_regular_file(other, none)) table.fail("include", fmt::format("there is no file {}", other.string()));
  phantom.bodies = load_file(other, depth + 1).bodies;
}

Phantom load_file(const fs::path& path, int depth) {
  const toml::table root = parse(path);
  PhantomTable table(root, path.string(), "");
  const std::string file = path.filename().string();
  Phantom phantom;
  phantom.name = table.text("name", file.substr(0, file.find('.')));
  const double scale = table.positive("scale", 1.0), value_scale = table.positive("value_scale", 1.0);
  std::vector<PhantomTable> tables = table.tables("body");
  Phantom own;
  BodyReader reader;
  for (std::size_t i = 0; i < tables.size(); ++i) reader.read(tables[i], i + 1, own.bodies);
  read_include(table, path, depth, phantom);
  table.refuse_unknown();
  own = scaled(std::move(own), scale, value_scale);
  phantom.bodies.insert(phantom.bodies.end(), own.bodies.begin(), own.bodies.end());
  if (phantom.bodies.empty()) table.fail("", "no bodies", "add a [[body]]");
  return phantom;
}

}  // namespace

std::vector<std::string> shipped_phantoms() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(asset_folder("phantoms"), none)) {
    const std::string file = entry.path().filename().string();
    if (file.ends_with(extension)) names.push_back(file.substr(0, file.size() - extension.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Phantom load_phantom(const std::string& path_or_name) {
  std::error_code none;
  if (fs::is_regular_file(path_or_name, none)) return load_file(path_or_name, 0);
  const std::vector<std::string> names = shipped_phantoms();
  if (std::find(names.begin(), names.end(), path_or_name) == names.end())
    throw InputError(path_or_name, "no such phantom",
                     fmt::format("give a {} file or {}", extension, one_of_shipped(names)));
  return load_file(asset_folder("phantoms") / (path_or_name + std::string(extension)), 0);
}

}  // namespace backlit
