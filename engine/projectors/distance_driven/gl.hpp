// Branchless distance-driven projection in compute shaders: the sum within a footprint is a difference of summed areas
// at its four corners (Liu, Fu, De Man and Yu, IEEE Trans. Comput. Imaging 3 (2017) 617).
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

/// An invocation works on a line of cells or voxels, whose footprints share corners ("bz"). For studies it can look up
/// each footprint's corners ("bl"). Projection sums slabs; backprojection looks a voxel's rectangle up on the detector.
/// So the pair matches to about 1e-3 only. Tables are fp32, but are summed in double after a mean is subtracted.
class AreaProjection final : public RayProjection {
 public:
  /// A volume has several tables when it has more slabs than a texture has layers, or more edges across than a texture
  /// has texels. Throws Unsupported where make_distance_driven() does, and for more slices, columns or rows than a
  /// texture has room for.
  AreaProjection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                 const CtOptions& options, bool corners_apart);

  /// Device memory of such a plan's tables, with `views` views at a time.
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
  /// The parts of all slabs perpendicular to an axis.
  struct Stack {
    std::vector<Part> parts;
    std::uint64_t stamp = 0;  ///< stamp of the volume that the tables were made from
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
  int lines_;   ///< cells or voxels per invocation, along the line
  bool apart_;  ///< neighbours share no corners
  bool gathered_;
  ViewTable maps_;
  Buffer columns_, kinds_;
  bool seen_along_[2] = {};  ///< some view has this main axis
  Sampler sampler_;
  Program sum_slices_, sum_rows_, sum_across_, project_, backproject_;
  Stack stacks_[2];
  std::int64_t batch_;  ///< largest number of views whose tables are made at once
  std::optional<Texture> images_;
};

/// Throws Unsupported for grids and scans that an AreaProjection cannot serve.
void require_areas(Backend&, const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::gl
