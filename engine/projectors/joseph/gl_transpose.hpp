// The transpose of Joseph's projection by compute shaders, where columns of the detector run along z (column_rays.hpp).
// It works column by column, or on four views on quarter turns at a time. First the pixels of some views are copied,
// times the length of their rays in a slice's slab. Then each voxel gathers from the copies.
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
  std::int32_t layers[4], view[4];  ///< layers of an array of projections; view[0]: the first view
};

/// A plan for one grid and one scan that column_rays() accepts. Tables, programs and copies of views are made at first
/// use.
class ColumnTranspose {
 public:
  /// `axes` as in column_rays().
  ColumnTranspose(std::shared_ptr<Context>, TimingTable&, const VolumeGrid&, const Scan&, std::vector<int> axes);

  /// Whether the tables and one view are small enough for one buffer of a shader.
  static bool fits(const Limits&, const Scan&);
  /// Most views of one call.
  std::int64_t most_views() const;
  /// volume = A' y, or volume += A' y, from some views in `projections`.
  void back(const Texture& projections, const ViewRun&, GlArray& volume, Write);

  /// Whether groups can be packed: a voxel takes at most two rows of a column, so one or two filtered fetches.
  bool packs();
  /// The same from groups of quarter turns, with views kept in fp16. The slices of a group's first view are along x.
  /// Only where packs() is true.
  void back_packed(const GlArray& projections, std::span<const TurnedViews>, GlArray& volume, Write);

 private:
  void make_tables();
  void make_gather();
  void make_orbits(std::int64_t groups);
  Choices choices() const;
  void describe(Program&) const;
  void bind_tables() const;
  /// Calls dispatch(blocks) for the blocks of `voxels` layers in each of the volume's textures.
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
  int voxels_ = 0;  ///< voxels on top of each other in one invocation of gather_
};

}  // namespace backlit::gl
