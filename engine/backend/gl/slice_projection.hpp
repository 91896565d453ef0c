// Projection through stacks of slices and its exact transpose: Joseph, IEEE Trans. Med. Imaging 1 (1982) 192, the way
// of Mueller & Xu on graphics hardware; or with voxels as boxes (projector/box_lengths.hpp). Every ray is followed
// through the stack of its own main axis; packed by quarter turns, four rays at a time through one stack along x.
#pragma once

#include <optional>

#include "backend/gl/projection_plan.hpp"
#include "backend/gl/ray_projection.hpp"
#include "backend/gl/slice_stacks.hpp"
#include "geometry/quarter_turns.hpp"

namespace backlit::gl {

/// A plan for one grid and one scan.
class SliceProjection final : public RayProjection {
 public:
  /// `turns` empty: not packed.
  SliceProjection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                  const CtOptions& options, const QuarterTurns& turns);
  ~SliceProjection() override { plan_.context->make_current(); }

  /// Why this device cannot pack a scan that has quarter turns; empty when it can.
  static std::string refusal(const Context&, const QuarterTurns&, const VolumeGrid&, std::int64_t views);

  void forward(const GlArray& volume, GlArray& projections, Layers, const Subset&, Write) override;
  void back(const GlArray& projections, Layers, const Subset&, GlArray& volume, Write) override;

  bool packed() const override { return !members_.empty(); }
  std::string name() const override { return plan_.variant.name(); }

 private:
  void project(std::size_t axis, const Stack& stack, const Texture& images, const ViewRun&);
  /// One view or two through the volume's own slices, where a stack would have to be copied for them.
  bool project_direct(std::size_t axis, const GlArray& volume, const Texture& images, const ViewRun&);
  void run(Program&, const char* name, std::size_t axis, const Stack& stack, const Texture& images, std::int64_t views);
  bool forward_packed(const GlArray& volume, GlArray& projections, Layers, const Subset&);
  bool gather_groups(Layers, const Subset&);
  void weigh(std::size_t axis, const Texture& projections, const ViewRun&);
  void gather(std::size_t axis, const ViewRun&, GlArray& volume);
  bool uses(std::size_t axis, const ViewRun&) const;

  ProjectionPlan plan_;
  SliceStacks stacks_;
  GlArray weighed_;  ///< some views of projections, as back() hands them to slices along one axis
  Sampler sampler_;
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
  Program project_, weigh_, gather_;
  Program project_direct_;  ///< empty where the volume's own slices do not serve

  /// Struct Group of shaders/project/groups.glsl.
  struct Group {
    std::int32_t layers[4], view[4];
  };
  struct Member {
    std::size_t group, channel;
  };
  std::vector<Member> members_;  ///< [view]; empty when not packed
  std::vector<Group> groups_;    ///< of the subset at hand
  Buffer group_buffer_;
  Texture drawn_;  ///< a layer a group, when drawn
  Program project_packed_, unpack_;
};

}  // namespace backlit::gl
