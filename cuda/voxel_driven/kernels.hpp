// Backprojection kernels: their parameters and launches.
//
// A voxel gets the sum over views of the view's bilinear sample at the voxel's position, times (R / depth)^2 when
// weighted. Volumes are linear, x fastest. All kernels keep K sums of one (x, y) column in registers and run through
// all views of a launch. The loop over views is the outer one and z the inner one, so that neighbouring fetches stay in
// one layer: kernel B of Zinsser and Keck, "Systematic performance optimization of cone-beam back-projection on the
// Kepler architecture" (Fully3D 2013). Texture coordinates already include the half texel of CUDA.
#pragma once

#include "cuda/device/launch.hpp"
#include "cuda/device/layered_textures.hpp"
#include "geometry/view_map.hpp"

namespace backlit::cuda {

struct VolumeSlab {
  float* voxels;   ///< the first voxel of slice z0
  int nx, ny, nz;  ///< nz slices
  int z0;          ///< grid index of the slab's first slice
  bool accumulate;
};

struct Sampling {
  cudaTextureObject_t texture;
  const float* unit;    ///< on the device: value of a stored 1, for each layer of the texture
  float columns, rows;  ///< detector; positions outside are skipped
  bool weighted;
};

/// Any flat view: a, b, w affine in voxel indices (i, j, k, 1), all divided by R, so that 1 / w^2 is FDK's weight.
struct GeneralView {
  float a[4], b[4], w[4];
};
struct GeneralViews {
  static constexpr int capacity = 512;
  int count, first_layer;
  bool behind;  ///< some voxel may lie behind the source: such voxels get nothing
  GeneralView view[capacity];
};
void backproject_general(Stream&, const Sampling&, const GeneralViews&, const VolumeSlab&);

/// A view whose column, depth and weight do not depend on z: circular and helical scans without tilt. Flat: column =
/// 0.5 + a / w, row = row0 + b / w. Curved (focused): column = column0 + columns atan(a / w), row = row0 + b / sqrt(a^2
/// + w^2); this root is also the depth. All in units of R, so that 1 / depth^2 is FDK's weight.
struct ColumnView {
  float a[3], w[3];  ///< affine in (i, j, 1)
  float b[2];        ///< b[0] k + b[1]
  float row0;
};
struct ColumnViews {
  static constexpr int capacity = 512;
  int count, first_layer;
  ColumnView view[capacity];
};
struct ColumnDetector {
  float column0, columns;
  bool curved;
};
void backproject_columns(Stream&, const Sampling&, const ColumnDetector&, const ColumnViews&, const VolumeSlab&);

/// An untilted circular scan in quarter-turn groups over a square, centred grid; see projectors/voxel_driven/orbit.hpp.
struct OrbitScan {
  float spacing;           ///< mm, in x and y
  float z[2];              ///< mm: z[0] k + z[1]
  float distance;          ///< mm, source to axis
  float column0, columns;  ///< column = column0 + columns b / (distance - a)
  float row0, rows;        ///< row = row0 + rows z / (distance - a)
  bool parallel;           ///< then distance - a is replaced by 1
};
struct OrbitGroups {
  static constexpr int capacity = 2048;
  int count, first_layer;
  float2 direction[capacity];  ///< cos, sin of the group's first view
};
void backproject_orbit(Stream&, const Sampling&, const OrbitScan&, const OrbitGroups&, const VolumeSlab&);

/// The same with exact weights instead of the texture's 8 bits: along u from two texels, along v in registers. For cone
/// beams whose rows run along z. Fastest where voxels are no taller than a pixel.
void backproject_orbit_fine(Stream&, const Sampling&, const OrbitScan&, const OrbitGroups&, const VolumeSlab&);

/// Any detector, any view. Voxels are counted from the grid's middle and pixels from the detector's, which halves
/// rounding errors (both middles are integers).
struct ExactView {
  ViewMap<float> map;
  float weight;       ///< R^2
  std::int64_t slot;  ///< first pixel of the view's image
};
struct ExactViews {
  const ExactView* view;  ///< on the device
  int count;
  bool flat;          ///< the detector is flat
  int columns, rows;  ///< detector; its middle pixel is (columns / 2, rows / 2)
  int middle[3];      ///< voxel
};

/// Linear views interpolated in software.
void backproject_exact(Stream&, const float* projections, const ExactViews&, bool weighted, const VolumeSlab&);

/// SART's correction in one pass, with the same interpolation: voxel = max(voxel + factor sum / share, least), where
/// `share` is the result for views of ones. A voxel that no view sees becomes max(voxel, least). slab.accumulate is not
/// used.
void relax_exact(Stream&, const float* projections, const ExactViews&, float factor, float least, const VolumeSlab&);

}  // namespace backlit::cuda
