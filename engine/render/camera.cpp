#include <backlit/render/camera.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

void require_pixels(std::int64_t width, std::int64_t height) {
  if (width < 1 || height < 1)
    throw InputError("camera", fmt::format("a picture of {} x {} pixels", width, height), "give at least 1 x 1");
}

void require_range(const char* name, double value, double low, double high) {
  if (!(value >= low && value <= high))
    throw InputError("camera", fmt::format("{} {}", name, value), fmt::format("give {} to {}", low, high));
}

struct Frame {
  Vec3 back, right, up;  ///< back: from the target to the eye
};

Frame frame_of(const Turntable& t) {
  const double a = t.azimuth * radians_per_degree, e = t.elevation * radians_per_degree;
  const Vec3 back(std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e));
  const Vec3 right(-std::sin(a), std::cos(a), 0);
  return {back, right, glm::cross(back, right)};
}

double middle(std::int64_t n) { return 0.5 * static_cast<double>(n - 1); }

}  // namespace

CameraRays camera_rays(const Turntable& t, const VolumeGrid& grid, std::int64_t width, std::int64_t height) {
  require_pixels(width, height);
  require_range("azimuth", t.azimuth, -1e6, 1e6);
  require_range("elevation", t.elevation, -90, 90);
  require_range("field of view", t.fov, 0, 170);
  require_range("zoom", t.zoom, 1e-3, 1e6);
  const Frame f = frame_of(t);
  const Vec3 target = grid.center + t.offset;
  const double radius = 0.5 * glm::length(grid.upper() - grid.lower());
  const double half_angle = 0.5 * t.fov * radians_per_degree;
  // Half of the picture's shorter side at the target's distance, mm.
  const bool orthographic = t.fov == 0;
  const double distance = orthographic ? 2 * radius : radius / std::sin(half_angle);
  const double half = (orthographic ? radius : distance * std::tan(half_angle)) / t.zoom;
  const double pixel = 2 * half / static_cast<double>(std::min(width, height));
  const Vec3 step_x = pixel * f.right, step_y = -pixel * f.up;
  const Vec3 eye = target + distance * f.back;
  const Vec3 corner = -middle(width) * step_x - middle(height) * step_y;  // from the target to pixel (0, 0)
  CameraRays rays{width, height};
  rays.endless = orthographic;
  if (orthographic) {
    rays.origin = eye + corner;
    rays.origin_x = step_x;
    rays.origin_y = step_y;
    rays.direction = -f.back;
  } else {
    rays.origin = eye;
    rays.direction = corner - distance * f.back;
    rays.direction_x = step_x;
    rays.direction_y = step_y;
  }
  return rays;
}

void orbit(Turntable& t, double azimuth, double elevation) {
  t.azimuth = 180 - std::fmod(std::fmod(180 - (t.azimuth + azimuth), 360) + 360, 360);
  t.elevation = std::clamp(t.elevation + elevation, -90.0, 90.0);
}

void pan(Turntable& t, const CameraRays& rays, const VolumeGrid& grid, double x, double y) {
  // A pixel's width at the distance of the target.
  const double reach = rays.endless ? 0 : glm::length(grid.center + t.offset - rays.origin);
  const double along = rays.endless ? 1
                                    : glm::length(rays.direction + middle(rays.width) * rays.direction_x +
                                                  middle(rays.height) * rays.direction_y);
  t.offset -= x * (rays.origin_x + rays.direction_x * (reach / along));
  t.offset -= y * (rays.origin_y + rays.direction_y * (reach / along));
}

CameraRays camera_rays(const Detector& d, const View& view, std::int64_t width, std::int64_t height) {
  require_pixels(width, height);
  if (d.shape == Detector::Shape::curved)
    throw Unsupported("camera", "a curved detector has no flat picture", "use `azimuth` and `elevation`");
  Vec3 step_x = view.u, step_y = -view.v;
  if (width != d.columns || height != d.rows) {
    const double u = glm::length(view.u), v = glm::length(view.v);
    const double pixel = std::max(static_cast<double>(d.columns) * u / static_cast<double>(width),
                                  static_cast<double>(d.rows) * v / static_cast<double>(height));
    step_x *= pixel / u;
    step_y *= pixel / v;
  }
  const Vec3 corner = view.center - middle(width) * step_x - middle(height) * step_y;
  CameraRays rays{width, height};
  rays.endless = view.beam == Beam::parallel;
  if (rays.endless) {
    rays.origin = corner;
    rays.origin_x = step_x;
    rays.origin_y = step_y;
    rays.direction = view.direction;
  } else {
    rays.origin = view.source;
    rays.direction = corner - view.source;
    rays.direction_x = step_x;
    rays.direction_y = step_y;
  }
  return rays;
}

std::array<std::int64_t, 2> picture_size(const Detector& d, const View& view, std::int64_t longest) {
  if (longest <= 0) return {d.columns, d.rows};
  const double width = static_cast<double>(d.columns) * glm::length(view.u);
  const double height = static_cast<double>(d.rows) * glm::length(view.v);
  const double scale = static_cast<double>(longest) / std::max(width, height);
  const auto side = [&](double mm) { return std::max<std::int64_t>(1, std::llround(mm * scale)); };
  return {side(width), side(height)};
}

CameraRays supersampled(CameraRays r, std::int64_t n) {
  const double share = 1 / static_cast<double>(n), shift = -0.5 * (1 - share);  // to the first ray within pixel (0, 0)
  r.origin += shift * (r.origin_x + r.origin_y);
  r.direction += shift * (r.direction_x + r.direction_y);
  for (Vec3* step : {&r.origin_x, &r.origin_y, &r.direction_x, &r.direction_y}) *step *= share;
  r.width *= n;
  r.height *= n;
  return r;
}

Vec3 project(const CameraRays& r, const Vec3& point) {
  if (r.endless)
    return glm::inverse(glm::dmat3(r.origin_x, r.origin_y, glm::normalize(r.direction))) * (point - r.origin);
  const Vec3 p = glm::inverse(glm::dmat3(r.direction_x, r.direction_y, r.direction)) * (point - r.origin);
  return {p.x / p.z, p.y / p.z, p.z};
}

glm::dmat4 clip_matrix(const CameraRays& r, double near_mm, double far_mm) {
  const bool flat = r.endless;
  const double unit =
      flat ? 1 : glm::length(r.direction + middle(r.width) * r.direction_x + middle(r.height) * r.direction_y);
  const glm::dmat3 inverse = flat ? glm::inverse(glm::dmat3(r.origin_x, r.origin_y, glm::normalize(r.direction)))
                                  : glm::inverse(glm::dmat3(r.direction_x, r.direction_y, r.direction));
  glm::dmat4 to_pixels(0);  // (x, y, z, 1) -> (pixel x [w], pixel y [w], depth in mm, 1 or depth)
  for (int i = 0; i < 3; ++i) to_pixels[i] = glm::dvec4(inverse[i], 0);
  to_pixels[3] = glm::dvec4(-(inverse * r.origin), 1);
  glm::dmat4 window(0);  // pixels to -1..1
  const auto w = static_cast<double>(r.width), h = static_cast<double>(r.height);
  window[0][0] = 2 / w;
  window[1][1] = -2 / h;
  const double x0 = 1 / w - 1, y0 = 1 - 1 / h, depth = far_mm - near_mm;
  if (flat) {
    window[3] = glm::dvec4(x0, y0, -(far_mm + near_mm) / depth, 1);
    window[2][2] = 2 / depth;
  } else {  // w is z, in units of the middle ray
    window[2] = unit * glm::dvec4(x0, y0, (far_mm + near_mm) / depth, 1);
    window[3][2] = -2 * far_mm * near_mm / depth;
    window[0][0] *= unit;
    window[1][1] *= unit;
  }
  return window * to_pixels;
}

}  // namespace backlit
