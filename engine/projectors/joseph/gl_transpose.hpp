// The transpose of Joseph's projection by compute shaders where columns of the detector run along z (column_rays.hpp):
// column by column, or four views on quarter turns at a time. The pixels of some views, times the length of their rays
// in a slice's slab, are copied first; then each voxel gathers from the copies.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "device/gl/gl_array.hpp"
#include "device/gl/vector_ops.hpp"
#include "gl/limits.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"
#include "projectors/joseph/column_rays.hpp"
#include "projectors/shared/gl/view_run.hpp"

namespace backlit::gl {

/// Struct Group of shaders/joseph/groups.glsl: four views on quarter turns.
struct TurnedViews {
  std::int32_t layers[4], view[4];  ///< of an array of projections; view[0]: the first
};

/// A plan for one grid and one scan that column_rays() takes. Tables, programs and copies of views are made when they
/// are first wanted.
class ColumnTranspose {
 public:
  /// `axes` as of column_rays().
  ColumnTranspose(std::shared_ptr<Context>, TimingTable&, const VolumeGrid&, const Scan&, std::vector<int> axes);

  /// Whether its tables and one view are no larger than what a shader may read at once.
  static bool fits(const Limits&, const Scan&);
  /// Views that one call may take.
  std::int64_t most_views() const;
  /// volume = A' y, or volume += A' y, from some views, which `projections` holds.
  void back(const Texture& projections, const ViewRun&, GlArray& volume, Write);

  /// Whether groups pay: where rows are no closer than voxels, one filtered fetch is all that a voxel needs of a
  /// column.
  bool packs();
  /// The same from groups of quarter turns, whose first views' slices are along x, with views kept in fp16. For what
  /// packs().
  void back_packed(const GlArray& projections, std::span<const TurnedViews>, GlArray& volume, Write);

 private:
  void make_tables();
  void make_gather();
  void make_orbits(std::int64_t groups);
  Choices choices() const;
  void describe(Program&) const;
  void bind_tables() const;
  /// Calls dispatch(blocks) for the blocks of `voxels` layers of each of the volume's textures.
  template <class Dispatch>
  void for_layers(Program&, GlArray& volume, int voxels, std::int64_t views, Dispatch&&);

  std::shared_ptr<Context> context_;
  TimingTable& timings_;
  VectorOps reductions_;
  VolumeGrid grid_;
  Scan scan_;
  std::vector<int> axes_;
  ColumnRays columns_;  ///< without its lists, which are on the device
  Buffer views_, rays_;
  Buffer weighed_, groups_;
  Texture packed_;
  Sampler sampler_;
  Program weigh_, gather_, weigh_groups_, gather_orbits_;
  int voxels_ = 0;  ///< on top of each other, of an invocation of gather_
};

}  // namespace backlit::gl
