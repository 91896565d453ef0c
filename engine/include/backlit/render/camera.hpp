// Cameras: a ray for every pixel of a picture. Software and device renderers of volumes and of projections share them.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// The rays of a picture, in world mm. The ray of pixel (x, y) is ray_origin + t ray_direction. Both are linear in x
/// and y, the direction before it is normalized. Row 0 is the top, pixel centres are at integers.
struct CameraRays {
  std::int64_t width = 0, height = 0;
  Vec3 origin{0}, origin_x{0}, origin_y{0};           ///< of pixel (0, 0), and its change for a step in x and in y
  Vec3 direction{0}, direction_x{0}, direction_y{0};  ///< the same; not of length 1
  bool endless = false;  ///< orthographic and parallel: rays have t < 0 too; otherwise rays begin at the eye, t = 0
  Vec3 light{0};         ///< for a part of a picture: light_of() the whole picture; 0: light_of() this one

  Vec3 ray_origin(double x, double y) const { return origin + x * origin_x + y * origin_y; }
  Vec3 ray_direction(double x, double y) const { return glm::normalize(direction + x * direction_x + y * direction_y); }
  Vec3 middle_direction() const {
    return ray_direction(0.5 * static_cast<double>(width - 1), 0.5 * static_cast<double>(height - 1));
  }
  /// Unit vectors of the world along the picture's columns and rows.
  Vec3 right() const { return glm::normalize(origin_x + direction_x); }
  Vec3 up() const { return -glm::normalize(origin_y + direction_y); }
};

/// A camera that circles an object like the source of a scan. At azimuth phi it is at (cos phi, sin phi) times its
/// distance, raised by `elevation`, +z up. Azimuth -90, elevation 90 shows +x to the right and +y up.
struct Turntable {
  double azimuth = -60;   ///< degrees
  double elevation = 20;  ///< degrees, -90 to 90
  double fov = 30;        ///< degrees that the shorter side of the picture spans at zoom 1, below 170; 0: orthographic
  double zoom = 1;        ///< 1: the volume's bounding sphere fills the shorter side; magnifies, the eye stays
  Vec3 offset{0};         ///< mm from the middle of the volume to the point in the middle of the picture

  bool operator==(const Turntable&) const = default;
};

/// Throws InputError when a number is out of its range or a picture has no pixels.
CameraRays camera_rays(const Turntable&, const VolumeGrid&, std::int64_t width, std::int64_t height);

/// Turns by degrees; azimuth is kept within (-180, 180], elevation within +-90.
void orbit(Turntable&, double azimuth, double elevation);
/// Moves the picture's content by a number of pixels to the right and down.
void pan(Turntable&, const CameraRays&, const VolumeGrid&, double x, double y);

/// A camera that looks from a view's source (parallel: along its rays) at the whole detector, +v upwards. Pixels are
/// square on the detector. A picture of the detector's size has one pixel for each detector pixel, square or not.
/// Throws Unsupported for curved detectors.
CameraRays camera_rays(const Detector&, const View&, std::int64_t width, std::int64_t height);

/// Width and height of a picture of the whole detector. Its longest side is `longest`; 0: one pixel for each detector
/// pixel.
std::array<std::int64_t, 2> picture_size(const Detector&, const View&, std::int64_t longest);

/// The same picture with `n` x `n` rays in place of each.
CameraRays supersampled(CameraRays, std::int64_t n);

/// Projects a point to the picture: x and y in pixels, and a depth z. z is in mm along the rays when they are endless.
/// Otherwise z counts lengths of the direction before it is normalized, and z > 0 is in front of the eye.
Vec3 project(const CameraRays&, const Vec3& point);

/// Matrix from world mm to OpenGL's clip coordinates, y up, for drawing over a picture. near and far are at -1 and 1.
/// They are mm along the middle ray, measured from the eye or from the plane of the rays' origins.
glm::dmat4 clip_matrix(const CameraRays&, double near_mm, double far_mm);

}  // namespace backlit
