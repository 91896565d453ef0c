// Two-dimensional cuts and projections of a volume, still as values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <backlit/data/volume.hpp>
#include <backlit/render/colormap.hpp>
#include <backlit/render/cut_plane.hpp>
#include <backlit/render/image.hpp>

namespace backlit {

enum class Axis { x = 0, y = 1, z = 2 };
Axis axis_from(const std::string& name);  ///< "x", "y" or "z"; throws InputError

/// Values seen against `axis`, row 0 at the top. z: +x to the right, +y up; y: +x right, +z up; x: +y right, +z up.
struct Plane {
  std::int64_t width = 0;
  std::int64_t height = 0;
  double pixel_x = 1;  ///< mm, one step to the right
  double pixel_y = 1;  ///< mm, one step down
  std::vector<float> values;

  float at(std::int64_t x, std::int64_t y) const { return values[static_cast<std::size_t>(y * width + x)]; }
};

/// The slice at `position` mm along `axis`, linear between the neighbouring slices. Throws InputError outside the grid.
Plane extract_slice(const Volume&, Axis axis, double position);

/// The values of a volume on a plane anywhere: width x height numbers, row by row from the top, overwritten. Trilinear
/// between voxel centres; the outermost half voxel has the value of its nearest centre; 0 outside.
void cut_volume(const Volume&, const CutPlane&, std::span<float> values);

/// The largest value along `axis`, NaN left out.
Plane maximum_projection(const Volume&, Axis axis);

/// Colours for `values`, scaled to square pixels of `mm_per_pixel` (0: the smaller pixel side) by linear interpolation;
/// exact copies of the values where no scaling is needed.
Image colorize(const Plane&, const Window&, const Colormap&, double mm_per_pixel = 0);

}  // namespace backlit
