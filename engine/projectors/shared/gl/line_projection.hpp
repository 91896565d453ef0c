// Models whose rays keep to no stack of slices: ray casting (projectors/raycast/samples.hpp) and splats
// (projectors/blob/blob.hpp).
#pragma once

#include <optional>

#include <backlit/device/backend.hpp>
#include <backlit/device/box.hpp>
#include "device/gl/vector_ops.hpp"
#include "projectors/shared/gl/projection_plan.hpp"
#include "projectors/shared/gl/ray_projection.hpp"
#include "projectors/shared/gl/view_run.hpp"

namespace backlit::gl {

class LineProjection final : public RayProjection {
 public:
  /// A volume larger than 3-D textures is cut into several. Throws Unsupported for volumes of more slices than a
  /// texture array holds, and for a source within the grid (splat).
  LineProjection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                 const CtOptions& options, const ProjectionVariant&);
  ~LineProjection() override { plan_.context->make_current_or_none(); }

  void forward(const GlArray& volume, GlArray& projections, Layers, const Subset&, Write) override;
  void back(const GlArray& projections, Layers, const Subset&, GlArray& volume, Write) override;
  std::string name() const override;

 private:
  Program make_program(const char* name, std::vector<std::string> stages) const;
  void make_bricks();
  void fill_bricks(const GlArray& volume);
  void project(const Texture& box, const Texture& images, const ViewRun&);
  void splat(const Texture& volume, const ViewRun&);
  bool splats() const { return plan_.model == Model::blob; }

  ProjectionPlan plan_;
  VectorOps ops_;
  double quad_pixels_;   ///< of a splat drawn as a quad, about
  float longest_;        ///< mm between samples
  double cost_of_step_;  ///< beside half a voxel's, at least 1
  Program fill_, project_, gather_;
  /// A part of the volume that is sampled on its own: the trilinear value is the sum of what its voxels on either side
  /// of a border give. Samples are those of the whole volume.
  struct Brick {
    Box box;
    std::optional<Texture> texture;  ///< a 3-D one; empty: the volume's own slices
  };
  std::vector<Brick> bricks_;
  std::uint64_t stamp_ = 0;  ///< of the volume that they were made of
  float unit_ = 1;
  Sampler sampler_;
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
};

/// Throws Unsupported for grids and scans that a LineProjection of options.model cannot serve.
void require_line_projection(Backend&, const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::gl
