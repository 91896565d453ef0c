// Projection through stacks of slices and its exact transpose: Joseph, IEEE Trans. Med. Imaging 1 (1982) 192, the way
// of Mueller & Xu on graphics hardware. Every ray is followed through the stack of its own main axis.
#pragma once

#include <memory>
#include <optional>

#include "backend/ct_options.hpp"
#include "backend/gl/projection_variant.hpp"
#include "backend/gl/ray_table.hpp"
#include "backend/gl/slice_stacks.hpp"
#include "backend/gl/view_table.hpp"

namespace backlit::gl {

/// A plan for one grid and one scan.
class SliceProjection {
 public:
  SliceProjection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                  const CtOptions& options);
  ~SliceProjection() { context_->make_current(); }

  void forward(const GlArray& volume, GlArray& projections, Layers, const Subset&, Write);
  void back(const GlArray& projections, Layers, const Subset&, GlArray& volume, Write);

  const ProjectionVariant& variant() const { return variant_; }

 private:
  using Draw = ProjectionVariant::Draw;

  Program make_program(const char* name, std::vector<std::string> stages) const;
  void set_axis(Program&, std::size_t axis) const;
  void set_views(Program&, const ViewRun&) const;
  void project(std::size_t axis, const GlArray& stack, const Texture& projections, const ViewRun&);
  void weigh(std::size_t axis, const Texture& projections, const ViewRun&);
  void gather(std::size_t axis, const ViewRun&, GlArray& volume);

  std::shared_ptr<Context> context_;
  TimingTable& timings_;
  VolumeGrid grid_;
  Detector detector_;
  ProjectionVariant variant_;
  bool exact_, layer_from_vertex_;
  RayTable rays_;
  ViewTable pixels_, fractions_;  ///< where voxels fall; fractions for draw=slices only
  SliceStacks stacks_;
  GlArray weighed_;  ///< some views of projections, as back() hands them to slices along one axis
  Sampler sampler_;
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
  Program project_, weigh_, gather_;
};

}  // namespace backlit::gl
