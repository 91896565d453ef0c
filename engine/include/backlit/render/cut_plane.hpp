// A plane anywhere in space, divided into square pixels.
#pragma once

#include <string>

#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// Pixel (0, 0) at the top left; pixel centres at integers; mm, world frame.
struct CutPlane {
  Vec3 center{0};       ///< the middle of the picture
  Vec3 right{1, 0, 0};  ///< unit vector, one step to the next column
  Vec3 up{0, 1, 0};     ///< unit vector, one step to the row above; perpendicular to `right`
  double pixel = 1;     ///< mm, side of a pixel
  std::int64_t width = 512, height = 512;

  /// mm, the position of a pixel; fractions allowed.
  Vec3 point(double column, double row) const {
    return center + pixel * ((column - 0.5 * static_cast<double>(width - 1)) * right -
                             (row - 0.5 * static_cast<double>(height - 1)) * up);
  }
  /// Unit vector towards the observer.
  Vec3 normal() const { return glm::cross(right, up); }
  /// Throws InputError(where) unless right and up are perpendicular unit vectors, the pixel size is valid, and both
  /// sides have 1 to 16,384 pixels.
  void check(const std::string& where) const;
  bool operator==(const CutPlane&) const = default;
};

/// A plane whose normal() is `normal`, towards the observer, with `up` upwards as far as the plane allows. A zero `up`
/// means +y where the normal is within 45 degrees of z, else +z: the orientation of axial, coronal and sagittal slices.
/// Throws InputError(where) when `normal` is zero or `up` is parallel to it.
CutPlane oriented_plane(const Vec3& normal, const Vec3& up, const std::string& where);

/// Reads a plane from text. "z=12.5" (x, y or z, mm) is a slice as --axis shows it. Otherwise the text has items
/// "center=X,Y,Z", "normal=X,Y,Z", "up=X,Y,Z", separated by spaces; center and up may be left out. Coordinates of the
/// centre that the text lacks come from `middle`. Pixels keep their defaults. Throws InputError(where).
CutPlane parse_plane(const std::string& text, const std::string& where, const Vec3& middle = Vec3(0));

/// The plane divided into pixels: squares of `pixel` mm (0: the smallest voxel side) that cover its cut through the box
/// of the grid. `size` > 0: so many pixels along the longer side instead, or along both where `pixel` is given too.
/// Throws InputError(where) as CutPlane::check() does.
CutPlane divided_plane(CutPlane plane, const VolumeGrid& box, double pixel, std::int64_t size,
                       const std::string& where);

}  // namespace backlit
