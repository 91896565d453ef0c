// Volume rendering: options for all renderers. Samples are trilinear between voxel centres and constant over the outer
// half voxel. A ray samples the part of the grid's box inside the crop box and the clip planes.
#pragma once

#include <string>
#include <vector>

#include <backlit/data/volume.hpp>
#include <backlit/render/camera.hpp>
#include <backlit/render/picture.hpp>
#include <backlit/render/transfer_function.hpp>

namespace backlit {

/// mip: the largest value; average: the mean along the ray within the volume; drr: the line integral (values in
/// 1/mm give a dimensionless one, like a projection); iso: the first point with value >= iso, refined by bisection;
/// dvr: emission and absorption by a transfer function (Max, IEEE Trans. Vis. Comput. Graph. 1 (1995) 99).
enum class VolumeMode { mip, average, drr, iso, dvr };
const std::vector<std::string>& volume_mode_names();
/// Throws InputError listing the names.
VolumeMode volume_mode_from(const std::string& name);
PictureKind picture_kind(VolumeMode);

/// A half space: points x with dot(normal, x - point) <= 0 are shown. World mm.
struct RenderPlane {
  Vec3 point{0};
  Vec3 normal{0};
};

struct VolumeRenderOptions {
  VolumeMode mode = VolumeMode::dvr;
  /// Largest distance between samples, as a share of the smallest voxel side, 0.05 to 2. A ray's path is divided into
  /// equal steps, with one sample in the middle of each. In mode dvr a step absorbs what Classifier::between() says of
  /// the values at its ends (pre-integration).
  double step = 1;
  double iso = 0;         ///< mode iso, in the volume's values
  double opaque = 0.995;  ///< dvr: rays end where this share of their light is stopped; 1: at the end of the volume
  bool shaded = true;     ///< dvr: samples with strong gradients are lit
  double gradient_opacity = 0;    ///< dvr, 0 to 1: how far opacity is that of places where values change
  double shadows = 0;             ///< dvr, iso, 0 to 1: how dark what the light does not reach becomes
  double occlusion = 0;           ///< dvr, iso, 0 to 1: how dark hollows and gaps become (ambient occlusion)
  std::int64_t light_cells = 96;  ///< of the grid for both, along the volume's longest side; 8 to 256
  bool jitter = false;            ///< samples of each ray shifted by a share of a step that differs between pixels
  bool skip_empty = true;         ///< skip invisible bricks; pictures stay the same
  Vec3 crop_low{-1e30}, crop_high{1e30};  ///< mm, a box to which the volume is cut
  std::vector<RenderPlane> clips;         ///< at most max_clips
  static constexpr std::size_t max_clips = 6;

  /// Whether shadows or occlusion are asked for in a mode that has them.
  bool has_light_field() const;
  /// Throws InputError naming the option that cannot be used.
  void check() const;
};

/// mm, the largest distance between samples: `step` times the smallest voxel side.
double largest_step(const VolumeRenderOptions&, const VolumeGrid&);

/// The share of its extinction that a sample keeps, by the length of its gradient; `range`: of the transfer function.
double gradient_share(double gradient, double range, double voxel, double gradient_opacity);

/// Renders on all cores in double precision: the reference for the devices' pictures. Four numbers a pixel, rows from
/// the top; see PictureKind. Bricks are not used; interpolation is exact.
std::vector<double> render_reference(const Volume&, const CameraRays&, const VolumeRenderOptions&, const Classifier&);

/// The noise that jitters pixel (x, y), 0 <= noise < 1; shaders/render/camera.glsl has the same.
double pixel_noise(std::int64_t x, std::int64_t y);

/// dvr: the gradient from which on samples are lit fully, as a share of the transfer function's range a voxel.
inline constexpr double full_light_gradient = 0.05;
/// dvr: the gradient from which on gradient_opacity takes nothing away, in the same unit.
inline constexpr double full_opacity_gradient = 0.15;
/// Shadows keep this share of the light; nothing becomes darker than least_light.
inline constexpr double shadow_light = 0.25, least_light = 0.02;
/// What is farther away than about this share of the volume's longest side does not occlude.
inline constexpr double occlusion_reach = 0.12;
/// Number of halvings of a step to find a surface.
inline constexpr int bisections = 10;

}  // namespace backlit
