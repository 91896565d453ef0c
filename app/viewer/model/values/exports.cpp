#include "model/values/exports.hpp"

#include <fmt/format.h>

#include <cmath>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/file_format.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/render/png.hpp>

namespace backlit::viewer {
namespace {

/// Interpolates between b (t = 0) and c (t = 1), with slopes from the neighbours (Catmull and Rom, 1974).
double spline(double a, double b, double c, double d, double t) {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/// `angle` plus whole turns, as close to `to` as possible.
double unwound(double angle, double to) { return angle + 360 * std::round((to - angle) / 360); }

}  // namespace

void save_slice(const Plane& plane, const order::ExportSlice& order) {
  if (has_extension(order.path, {".png"}))
    return save_png(colorize(plane, order.window, colormap(order.map)), order.path);
  Volume one(VolumeGrid{{plane.width, plane.height, 1}, {plane.pixel_x, plane.pixel_y, 1}, Vec3(0)});
  std::copy(plane.values.begin(), plane.values.end(), one.values.begin());
  save_volume(one, order.path);
}

void save_csv(const std::vector<CsvColumn>& columns, const std::filesystem::path& path) {
  std::string text;
  for (const CsvColumn& c : columns) text += (text.empty() ? "" : ",") + c.name;
  text += '\n';
  const std::size_t rows = columns.empty() ? 0 : columns.front().values.size();
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < columns.size(); ++c)
      text += fmt::format("{}{}", columns[c].values[i], c + 1 < columns.size() ? "," : "\n");
  write_text(path, text);
}

std::string numbered(const std::string& pattern, std::int64_t number) {
  const std::size_t end = pattern.find_last_of('#');
  if (end == std::string::npos) {  // no #: insert the number before the extension
    const std::filesystem::path path(pattern);
    return numbered((path.parent_path() / path.stem()).string() + "_####" +
                        (path.has_extension() ? path.extension().string() : ".png"),
                    number);
  }
  std::size_t begin = end;
  while (begin > 0 && pattern[begin - 1] == '#') --begin;
  return pattern.substr(0, begin) + fmt::format("{:0{}}", number, end - begin + 1) + pattern.substr(end + 1);
}

std::vector<Turntable> turntable_path(const Turntable& start, std::int64_t count) {
  if (count < 1) throw InputError("turntable", "the number of pictures is 0", "give at least 1");
  std::vector<Turntable> path(static_cast<std::size_t>(count), start);
  for (std::int64_t i = 0; i < count; ++i)
    orbit(path[static_cast<std::size_t>(i)], 360.0 * static_cast<double>(i) / static_cast<double>(count), 0);
  return path;
}

std::vector<Turntable> keyframe_path(const std::vector<Turntable>& keys, std::int64_t count) {
  if (keys.size() < 2)
    throw InputError("camera path", fmt::format("{} keyframes are no path", keys.size()), "add two at the least");
  if (count < 2) throw InputError("camera path", "the number of pictures is below 2", "ask for more");
  std::vector<Turntable> unrolled = keys;
  for (std::size_t i = 1; i < keys.size(); ++i) unrolled[i].azimuth = unwound(keys[i].azimuth, unrolled[i - 1].azimuth);
  const auto last = static_cast<std::int64_t>(keys.size()) - 1;
  std::vector<Turntable> path;
  for (std::int64_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(i) * static_cast<double>(last) / static_cast<double>(count - 1);
    const auto k = std::min<std::int64_t>(static_cast<std::int64_t>(at), last - 1);
    const double t = at - static_cast<double>(k);
    const auto key = [&](std::int64_t n) -> const Turntable& {
      return unrolled[static_cast<std::size_t>(std::clamp<std::int64_t>(n, 0, last))];
    };
    const auto blend = [&](auto&& get) {
      return spline(get(key(k - 1)), get(key(k)), get(key(k + 1)), get(key(k + 2)), t);
    };
    Turntable c;
    c.elevation = std::clamp(blend([](const Turntable& x) { return x.elevation; }), -90.0, 90.0);
    c.fov = std::clamp(blend([](const Turntable& x) { return x.fov; }), 0.0, 169.0);
    c.zoom = std::exp(blend([](const Turntable& x) { return std::log(x.zoom); }));
    for (int a = 0; a < 3; ++a) c.offset[a] = blend([a](const Turntable& x) { return x.offset[a]; });
    c.azimuth = 0;
    orbit(c, blend([](const Turntable& x) { return x.azimuth; }), 0);
    path.push_back(c);
  }
  return path;
}

}  // namespace backlit::viewer
