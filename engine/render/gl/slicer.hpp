// Slices on demand: any plane, any pixel size, on the device.
#pragma once

#include <string>

#include <backlit/render/cut_plane.hpp>
#include "device/gl/gl_display_volume.hpp"
#include "render/gl/resident_views.hpp"

namespace backlit::gl {

/// "draw=compute,table=uniform,pixels=2"; keys left out keep their defaults.
struct SliceVariant {
  enum class Draw { compute, fragment };  ///< a compute shader, or a triangle that covers the picture
  Draw draw = Draw::compute;
  ViewTableIn table = ViewTableIn::automatic;
  std::int64_t pixels = 2;  ///< per invocation, 1 to 8; compute only

  std::string name() const;
  static SliceVariant parse(const std::string& text);  ///< throws InputError naming the keys and values allowed
};

/// Draws the values of a plane straight from filtered views, without a volume. FDK's weights are those of the plane's
/// own points. The views must outlive this. render() allocates nothing.
class ViewSlicer {
 public:
  explicit ViewSlicer(GlBackend&, const ResidentViews&, const SliceVariant& = {});
  /// `target`: 2-D R32F, plane.width x plane.height, row 0 at the top, overwritten. Uses every `stride`-th view.
  void render(const CutPlane& plane, const Texture& target, std::int64_t stride = 1);

 private:
  GlBackend& backend_;
  const ResidentViews& views_;
  SliceVariant variant_;
  Program program_;
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
};

/// A slice that is thick: which of the values across it is shown.
struct Slab {
  enum class Show { largest, smallest, mean };
  double thickness = 0;  ///< mm; 0: a plane
  Show show = Show::largest;

  bool operator==(const Slab&) const = default;
};

/// The same picture from a volume: trilinear, in hardware.
class VolumeSlicer {
 public:
  explicit VolumeSlicer(GlBackend&);
  /// As above; the volume's outermost half voxel takes its nearest centre's value, outside is 0. A slab is sampled
  /// along the plane's normal, to both sides alike, half a voxel apart where that takes no more than 512 samples; what
  /// lies outside the volume does not count. Planes that are not `smooth` have the value of the nearest voxel.
  void render(const GlDisplayVolume::Front& volume, const CutPlane& plane, const Texture& target, const Slab& slab = {},
              bool smooth = true);

 private:
  GlBackend& backend_;
  Program program_, slab_program_;
  Sampler sampler_, nearest_;
};

}  // namespace backlit::gl
