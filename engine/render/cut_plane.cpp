#include <backlit/render/cut_plane.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <vector>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr std::int64_t most_pixels = 16384;  // a side
constexpr const char* example = "write it like \"z=12.5\" or \"center=0,0,10 normal=0.3,0,1 up=0,1,0\" (mm)";

std::vector<double> numbers(const std::string& text, std::size_t count, const std::string& where) {
  std::vector<double> list;
  const char *at = text.data(), *end = at + text.size();
  while (at != end) {
    double value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || !std::isfinite(value) || (stop != end && *stop != ',')) break;
    list.push_back(value);
    at = stop == end ? end : stop + 1;
  }
  if (at != end || list.size() != count || text.ends_with(','))
    throw InputError(where, fmt::format("'{}' is not {}", text, count == 1 ? "a number" : "three numbers"), example);
  return list;
}

Vec3 vector_of(const std::string& text, const std::string& where) {
  const auto n = numbers(text, 3, where);
  return {n[0], n[1], n[2]};
}

/// Pictures against x show +y to the right, against y +x, against z +x; up is +z, +z, +y.
CutPlane slice_along(char axis, double position, const Vec3& middle) {
  CutPlane plane;
  plane.center = middle;
  if (axis == 'x') plane.right = {0, 1, 0};
  if (axis != 'z') plane.up = {0, 0, 1};
  plane.center[axis - 'x'] = position;
  return plane;
}

}  // namespace

void CutPlane::check(const std::string& where) const {
  const bool square = std::abs(glm::length(right) - 1) < 1e-6 && std::abs(glm::length(up) - 1) < 1e-6 &&
                      std::abs(glm::dot(right, up)) < 1e-6;
  if (!square) throw InputError(where, "right and up are not perpendicular unit vectors", "see oriented_plane()");
  if (!(pixel > 0) || !std::isfinite(pixel))
    throw InputError(where, fmt::format("pixels of {} mm", pixel), "give a size above 0");
  if (width < 1 || height < 1 || width > most_pixels || height > most_pixels)
    throw InputError(where, fmt::format("a picture of {} x {} pixels", width, height),
                     fmt::format("give 1 to {} a side", most_pixels));
}

CutPlane oriented_plane(const Vec3& normal, const Vec3& up, const std::string& where) {
  const double length = glm::length(normal);
  if (!(length > 0) || !std::isfinite(length)) throw InputError(where, "the normal is zero", example);
  const Vec3 n = normal / length;
  Vec3 high = up;
  if (glm::length(up) == 0) high = std::abs(n.z) > std::sqrt(0.5) ? Vec3(0, 1, 0) : Vec3(0, 0, 1);
  const Vec3 in_plane = high - glm::dot(high, n) * n;
  if (!(glm::length(in_plane) > 1e-6 * glm::length(high)))
    throw InputError(where, "up is parallel to the normal, so that the picture has no upright direction", example);
  CutPlane plane;
  plane.up = glm::normalize(in_plane);
  plane.right = glm::cross(plane.up, n);
  return plane;
}

CutPlane parse_plane(const std::string& text, const std::string& where, const Vec3& middle) {
  if (text.size() > 2 && text[0] >= 'x' && text[0] <= 'z' && text[1] == '=')
    return slice_along(text[0], numbers(text.substr(2), 1, where)[0], middle);
  Vec3 center = middle, normal(0), up(0);
  std::istringstream items(text);
  for (std::string item; items >> item;) {
    const auto equals = item.find('=');
    const std::string key = item.substr(0, equals), value = equals == item.npos ? "" : item.substr(equals + 1);
    if (key == "center")
      center = vector_of(value, where);
    else if (key == "normal")
      normal = vector_of(value, where);
    else if (key == "up")
      up = vector_of(value, where);
    else
      throw InputError(where, fmt::format("'{}' is not understood", item), example);
  }
  CutPlane plane = oriented_plane(normal, up, where);
  plane.center = center;
  return plane;
}

CutPlane divided_plane(CutPlane plane, const VolumeGrid& box, double pixel, std::int64_t size,
                       const std::string& where) {
  const Vec3 extent = box.upper() - box.lower();
  const double across = glm::dot(glm::abs(plane.right), extent), along = glm::dot(glm::abs(plane.up), extent);
  plane.pixel = pixel > 0 ? pixel : std::min({box.spacing.x, box.spacing.y, box.spacing.z});
  if (size > 0 && !(pixel > 0)) plane.pixel = std::max(across, along) / static_cast<double>(size);
  const auto pixels = [&](double mm) { return std::max(1.0, std::round(std::min(mm / plane.pixel, 1e9))); };
  plane.width = size > 0 && pixel > 0 ? size : static_cast<std::int64_t>(pixels(across));
  plane.height = size > 0 && pixel > 0 ? size : static_cast<std::int64_t>(pixels(along));
  plane.check(where);
  return plane;
}

}  // namespace backlit
