// Models whose rays keep to no stack of slices: ray casting (projector/raycast.hpp) and splats (projector/blob.hpp).
#pragma once

#include <optional>

#include "backend/gl/projection_plan.hpp"
#include "backend/gl/ray_projection.hpp"
#include "backend/gl/vector_ops.hpp"

namespace backlit::gl {

class LineProjection final : public RayProjection {
 public:
  /// Throws Unsupported for volumes of more slices than a texture array holds, for a source within the grid (splat) and
  /// for draw=slices.
  LineProjection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                 const CtOptions& options);
  ~LineProjection() override { plan_.context->make_current(); }

  void forward(const GlArray& volume, GlArray& projections, Layers, const Subset&, Write) override;
  void back(const GlArray& projections, Layers, const Subset&, GlArray& volume, Write) override;
  std::string name() const override;

 private:
  Program make_program(const char* name, std::vector<std::string> stages) const;
  const Texture& source(const GlArray& volume);
  void splat(const Texture& volume, const ViewRun&);
  bool splats() const { return plan_.model == Model::splat; }

  ProjectionPlan plan_;
  VectorOps ops_;
  float longest_;  ///< mm between samples
  Program fill_, project_, gather_;
  std::optional<Texture> box_;  ///< the volume as a 3-D texture
  std::uint64_t stamp_ = 0;     ///< of the volume it was made of
  float unit_ = 1;
  Sampler sampler_;
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
};

}  // namespace backlit::gl
