// Branchless distance-driven projection in compute shaders: what lies within a footprint is a difference of summed
// areas at its four corners (Liu, Fu, De Man and Yu, IEEE Trans. Comput. Imaging 3 (2017) 617).
#pragma once

#include <memory>
#include <optional>

#include <backlit/device/backend.hpp>
#include <backlit/device/box.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include "device/gl/vector_ops.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"
#include "projectors/shared/gl/ray_projection.hpp"
#include "projectors/shared/gl/view_run.hpp"
#include "projectors/shared/gl/view_table.hpp"

namespace backlit::gl {

/// An invocation is a line of cells or voxels, whose corners are shared ("bz"), or, for studies, looked up for each
/// footprint ("bl"). Projection adds up slabs, backprojection looks a voxel's rectangle up on the detector: the pair
/// matches to about 1e-3. Tables are fp32, sums in them are made in double, a mean is taken away before.
class AreaProjection final : public RayProjection {
 public:
  /// A volume of more slabs than a texture has layers, or with more edges across than one has texels, has several
  /// tables. Throws Unsupported for what make_distance_driven() refuses, and for more slices, columns or rows than a
  /// texture has room for.
  AreaProjection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                 const CtOptions& options, bool corners_apart);

  /// Device memory of such a plan's tables, for `views` at a time.
  static std::int64_t table_bytes(const VolumeGrid&, const Scan&, std::int64_t views);

  void forward(const GlArray& volume, GlArray& projections, Layers, const Subset&, Write) override;
  void back(const GlArray& projections, Layers, const Subset&, GlArray& volume, Write) override;
  std::string name() const override { return apart_ ? "bl" : "bz"; }

 private:
  /// Summed areas of some slabs.
  struct Part {
    Box box;
    Texture areas;
  };
  /// Of all slabs perpendicular to an axis.
  struct Stack {
    std::vector<Part> parts;
    std::uint64_t stamp = 0;  ///< of the volume it was made of
    float mean = 0;
  };

  void store_columns(const VolumeGrid& grid, const Scan& scan);
  void make_parts(std::size_t axis);
  Program make_program(const char* name, const char* path, Defines = {}) const;
  void bind_views() const;
  void tabulate(std::size_t axis, const GlArray& volume);
  void sum_across(const Texture& areas, std::int64_t images);
  void project(std::size_t axis, const Part&, GlArray& projections, Layers, const Subset&);

  std::shared_ptr<Context> context_;
  TimingTable& timings_;
  VectorOps ops_;
  VolumeGrid grid_;
  Detector detector_;
  int lines_;   ///< neighbours along of an invocation
  bool apart_;  ///< ... which share no corners
  bool gathered_;
  ViewTable maps_;
  Buffer columns_, kinds_;
  bool seen_along_[2] = {};  ///< some view has this main axis
  Sampler sampler_;
  Program sum_slices_, sum_rows_, sum_across_, project_, backproject_;
  Stack stacks_[2];
  std::int64_t batch_;  ///< views whose tables are made at once, at most
  std::optional<Texture> images_;
};

/// Throws Unsupported for grids and scans that an AreaProjection cannot serve.
void require_areas(Backend&, const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::gl
