// Ranges of a fine reconstruction's values, cell by cell, from a coarse reconstruction: rays skip cells where nothing
// is visible (Xu and Mueller, GPU-accelerated D2VR, Volume Graphics 2006, skip empty space so).
#pragma once

#include "render/gl/brick_skipping.hpp"
#include "render/gl/resident_views.hpp"

namespace backlit::gl {

/// Cells that fill a box, each with a range of values: the least and largest at its corners and its middle, widened.
/// The widening is twice the largest difference, in the cell and its neighbours, between the value in the middle and
/// the mean of the corners. For values that are smooth on the scale of a cell this is a bound, with a factor of two to
/// spare. Detail much finer than a cell may be missed.
class CoarseVolume {
 public:
  /// Fills the box of `region` with nearly cubic cells, `cells` along the longest side. The views must outlive this.
  CoarseVolume(GlBackend&, const ResidentViews&, const VolumeGrid& region, std::int64_t cells, std::int64_t reach);

  /// Reconstructs the volume again when the views have changed, at two points a cell. Finds the visible cells again
  /// when the volume or the options have changed.
  void update(const VolumeRenderOptions&, const Classifier&);

  /// Values at the corners of the cells, for windows in percentiles. Waits for the device.
  std::vector<float> values();

  const Texture& ranges() const { return tiles_[0].bricks; }   ///< RG32F, least and largest value
  const Texture& leaps() const { return skipping_.leaps(0); }  ///< R8UI: cells to the nearest visible one
  /// Binds storage buffer 1: the bits of the largest value, or of 0.
  void bind_largest() const { largest_.bind_storage(1); }
  /// Cells per mm.
  Vec3 per_mm() const { return 1.0 / cell_; }

 private:
  void refresh();
  void reconstruct_at(Program&, const Vec3& first, const Texture& target);

  GlBackend& backend_;
  const ResidentViews& views_;
  VolumeGrid region_;
  Vec3 cell_;  ///< sides of a cell, mm
  Texture nodes_, found_;
  Buffer largest_;
  std::vector<GlDisplayVolume::Tile> tiles_;  ///< one, whose bricks are the cells' ranges
  Program node_program_, cell_program_, range_program_;
  BrickSkipping skipping_;
  std::int64_t generation_ = -1;  ///< generation of the views in the volume
};

}  // namespace backlit::gl
