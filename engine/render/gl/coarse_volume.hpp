// What a coarse reconstruction tells of a fine one: between which values it lies, cell by cell, so that rays need not
// look where nothing can be seen (Xu and Mueller, GPU-accelerated D2VR, Volume Graphics 2006, skip empty space so).
#pragma once

#include "render/gl/brick_skipping.hpp"
#include "render/gl/resident_views.hpp"

namespace backlit::gl {

/// Cells that fill a box, each with the range of the values in it: the least and largest at its corners and its middle,
/// widened by twice the largest difference, in it and its neighbours, between the value in a cell's middle and the mean
/// of its corners. For values that are smooth on the scale of a cell that is a bound, with a margin of two; detail much
/// finer than a cell may slip through it.
class CoarseVolume {
 public:
  /// The box of `region`, in cubes as good as may be, `cells` along its longest side. The views must outlive this.
  CoarseVolume(GlBackend&, const ResidentViews&, const VolumeGrid& region, std::int64_t cells, std::int64_t reach);

  /// Reconstructs it when the views have changed, which takes two points a cell, and finds out which cells can be seen
  /// when that or the options have changed.
  void update(const VolumeRenderOptions&, const Classifier&);

  /// Values at the corners of the cells, for windows in percentiles. Waits for the device.
  std::vector<float> values();

  const Texture& ranges() const { return tiles_[0].bricks; }   ///< RG32F, least and largest
  const Texture& leaps() const { return skipping_.leaps(0); }  ///< R8UI: cells to the nearest that can be seen
  /// Cells a mm.
  Vec3 per_mm() const { return 1.0 / cell_; }

 private:
  void refresh();
  void reconstruct_at(Program&, const Vec3& first, const Texture& target);

  GlBackend& backend_;
  const ResidentViews& views_;
  VolumeGrid region_;
  Vec3 cell_;  ///< mm, sides
  Texture nodes_, found_;
  std::vector<GlDisplayVolume::Tile> tiles_;  ///< one, whose bricks are the cells' ranges
  Program node_program_, cell_program_, range_program_;
  BrickSkipping skipping_;
  std::int64_t generation_ = -1;  ///< of the views it was made from
};

}  // namespace backlit::gl
