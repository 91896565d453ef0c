// How much light reaches each part of a volume: soft shadows and ambient occlusion, on a coarse grid. Light goes
// through the grid slice by slice and spreads on its way (Patel, Soltészová, Nordbotten, Bruckner, "Instant convolution
// shadows for volumetric detail mapping", ACM Trans. Graph. 32 (2013) 154). render/gl/light_volume.hpp is the same on
// devices.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include <backlit/render/volume_rendering.hpp>

namespace backlit {

/// Light that crosses the grid along one axis.
struct LightSweep {
  int axis = 0;
  bool from_upper = false;            ///< the end where it enters
  std::array<double, 2> shift{0, 0};  ///< cells along the other axes, to where light comes from in the slice before
  double path = 1;                    ///< mm through a cell
  double anew = 0;                    ///< share that comes from elsewhere in every slice: occlusion is local
  double spread = 0.5;                ///< cells to the four neighbours that give a sixth each; a third comes straight
};

/// The grid over the box of a volume: `cells` along its longest side, never finer than the voxels.
VolumeGrid light_grid(const VolumeGrid&, std::int64_t cells);
/// From a distant light, a unit vector.
LightSweep shadow_sweep(const VolumeGrid& cells, const Vec3& to_light);
/// From all sides, along the six directions of the axes.
std::vector<LightSweep> occlusion_sweeps(const VolumeGrid& cells);
/// iso: extinction, 1/mm, of what lies beyond the surface.
double solid_extinction(const VolumeGrid& cells);

class LightField {
 public:
  /// `extinction`: 1/mm at a point. Points of a cell are at its quarters.
  LightField(const VolumeGrid&, const VolumeRenderOptions&, const Vec3& to_light,
             const std::function<double(const Vec3&)>& extinction);
  /// The share of light that arrives at a point of a surface or body that faces `outward` (at most a unit vector).
  double arriving(const Vec3& point, const Vec3& outward) const;

 private:
  void sweep(const LightSweep&, double weight, std::vector<double>& light) const;
  double at(const std::vector<double>& light, const Vec3& point) const;

  VolumeGrid grid_;
  double shadows_, occlusion_;
  std::vector<double> extinction_, direct_, ambient_;
};

}  // namespace backlit
