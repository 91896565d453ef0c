#include <backlit/geometry/grid_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/geometry/default_grid.hpp>

namespace backlit {
namespace {

/// Reads three numbers separated by 'x' or ','. With `one_for_all` a single number means all three.
template <class T>
std::vector<T> three_numbers(const std::string& text, const std::string& where, const char* example,
                             bool one_for_all = true) {
  std::vector<T> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (true) {
    T number{};
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc{}) break;
    numbers.push_back(number);
    at = stop;
    if (at == end || (*at != 'x' && *at != ',')) break;
    ++at;
  }
  if (at != end || text.empty() || (numbers.size() != 3 && !(one_for_all && numbers.size() == 1)))
    throw InputError(where, fmt::format("'{}' is not understood", text), fmt::format("give it like {}", example));
  if (numbers.size() == 1) numbers.assign(3, numbers.front());
  return numbers;
}

Size3 positive_size(const std::string& text, const std::string& where) {
  const Size3 size = parse_size(text, where);
  VolumeGrid{size, Vec3(1), Vec3(0)}.check(where.c_str());
  return size;
}

Vec3 positive_voxel(const std::string& text, const std::string& where) {
  const Vec3 voxel = parse_vector(text, where);
  VolumeGrid{{1, 1, 1}, voxel, Vec3(0)}.check(where.c_str());
  return voxel;
}

/// A parameter whose text `parse` converts to the member; an empty text gives the member's default.
template <class Member, Member (*parse)(const std::string&, const std::string&), std::string (*text)(const Member&)>
Written member(Member& value) {
  return {&value, [](const void* v) { return text(*static_cast<const Member*>(v)); },
          [](void* v, const std::string& given, const std::string& where) {
            *static_cast<Member*>(v) = given.empty() ? Member{} : parse(given, where);
          }};
}

std::string written_size(const Size3& n) {
  return n == Size3{0, 0, 0} ? std::string() : fmt::format("{}x{}x{}", n[0], n[1], n[2]);
}
std::string written_voxel(const Vec3& v) {
  return v == Vec3(0) ? std::string() : fmt::format("{}x{}x{}", v.x, v.y, v.z);
}
std::string written_center(const std::optional<Vec3>& c) {
  return c ? fmt::format("{},{},{}", c->x, c->y, c->z) : std::string();
}
std::optional<Vec3> parse_center(const std::string& text, const std::string& where) { return parse_point(text, where); }

}  // namespace

Size3 parse_size(const std::string& text, const std::string& where) {
  const auto n = three_numbers<std::int64_t>(text, where, "256x256x200 or 256");
  return {n[0], n[1], n[2]};
}

Vec3 parse_vector(const std::string& text, const std::string& where) {
  const auto n = three_numbers<double>(text, where, "0.5x0.5x1 or 0.5");
  return {n[0], n[1], n[2]};
}

Vec3 parse_point(const std::string& text, const std::string& where) {
  const auto n = three_numbers<double>(text, where, "10,-2.5,0 (mm)", false);
  if (!std::isfinite(n[0] + n[1] + n[2])) throw InputError(where, fmt::format("'{}' is not a point", text));
  return {n[0], n[1], n[2]};
}

std::string size_text(const Size3& s) { return fmt::format("{} x {} x {}", s[0], s[1], s[2]); }

std::string spacing_text(const Vec3& s) {
  return s.x == s.y && s.y == s.z ? fmt::format("{:.4g} mm", s.x)
                                  : fmt::format("{:.4g} x {:.4g} x {:.4g} mm", s.x, s.y, s.z);
}

Parameters describe(GridOptions& g) {
  return {
      {"grid", member<Size3, positive_size, written_size>(g.size),
       "voxels along x, y and z (default: the scan file's [volume], else the region that every view sees)", "NXxNYxNZ"},
      {"voxel", member<Vec3, positive_voxel, written_voxel>(g.voxel),
       "voxel size, one number or three (default: a pixel seen at the axis)", "mm"},
      {"grid_center", member<std::optional<Vec3>, parse_center, written_center>(g.center),
       "middle of the volume, x,y,z (default: the scan file's [volume]; 0,0,0 with grid and voxel, if every view sees "
       "it; else the middle of what every view sees)",
       "mm"}};
}

VolumeGrid base_grid(const Scan& scan, const GridOptions& options) {
  if (!options.complete()) return default_grid(scan);
  VolumeGrid grid{options.size, options.voxel, Vec3(0)};
  try {
    const VolumeGrid seen = default_grid(scan);
    if (seen.lower().z > 0 || seen.upper().z < 0) grid.center = seen.center;
  } catch (const InputError&) {  // the options suffice without a box
  }
  return grid;
}

VolumeGrid chosen_grid(const VolumeGrid& base, const GridOptions& options) {
  VolumeGrid grid = base;
  const Vec3 extent = base.upper() - base.lower();
  const bool sized = std::ranges::any_of(options.size, [](std::int64_t n) { return n != 0; }),
             spaced = options.voxel != Vec3(0);
  const char* const where = sized ? "grid" : spaced ? "voxel" : "grid_center";
  if (options.center) grid.center = *options.center;
  if (spaced) grid.spacing = options.voxel;
  for (std::size_t a = 0; a < 3; ++a)
    if (options.size[a] != 0) grid.size[a] = options.size[a];
  grid.check(where);
  if (spaced) {
    for (int a = 0; a < 3; ++a) {
      auto& n = grid.size[static_cast<std::size_t>(a)];
      if (options.size[static_cast<std::size_t>(a)] == 0 && n > 1)
        n = std::llround(std::clamp(std::ceil(extent[a] / grid.spacing[a] - 1e-6), 1.0, 1e9));
    }
  } else if (sized) {
    double side = 0;
    for (int a = 0; a < 3; ++a)
      if (const auto n = grid.size[static_cast<std::size_t>(a)]; n > 1 || side == 0)
        side = std::max(side, extent[a] / static_cast<double>(n));
    grid.spacing = Vec3(side);
  }
  grid.check(where);
  return grid;
}

}  // namespace backlit
