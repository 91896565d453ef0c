// Projection through stacks of slices and its exact transpose: Joseph, IEEE Trans. Med. Imaging 1 (1982) 192, the way
// of Mueller & Xu on graphics hardware; or with voxels as boxes (projectors/siddon/box_lengths.hpp). Every ray is
// followed through the stack of its own main axis, or all rays of a view through the one most parallel to the detector;
// packed by quarter turns, always by view, four rays at a time through one stack along x; with packing slices, four
// rows of the detector at a time through texels of four voxels along z.
#pragma once

#include <optional>

#include <backlit/geometry/quarter_turns.hpp>
#include "projectors/joseph/gl_transpose.hpp"
#include "projectors/shared/gl/drawn_views.hpp"
#include "projectors/shared/gl/projection_plan.hpp"
#include "projectors/shared/gl/ray_projection.hpp"
#include "projectors/shared/gl/slice_stacks.hpp"
#include "projectors/shared/gl/view_run.hpp"

namespace backlit::gl {

/// A plan for one grid and one scan.
class SliceProjection final : public RayProjection {
 public:
  /// `turns` empty: not packed; else the variant's stack is view.
  SliceProjection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                  const CtOptions& options, const ProjectionVariant&, const QuarterTurns& turns);
  ~SliceProjection() override { plan_.context->make_current_or_none(); }

  /// Why this device cannot pack a scan that has quarter turns; empty when it can.
  static std::string refusal(const Context&, const QuarterTurns&, const VolumeGrid&, const Scan&);

  void forward(const GlArray& volume, GlArray& projections, Layers, const Subset&, Write) override;
  void back(const GlArray& projections, Layers, const Subset&, GlArray& volume, Write) override;

  /// Device memory of the stacks and groups of such a plan where it may be packed by quarter turns, for `views` at a
  /// time; else 0.
  static std::int64_t packed_bytes(const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t views);

  /// Why packing slices cannot serve this scan; empty when it can.
  static std::string rows_refusal(const Context&, const VolumeGrid&, const Scan&, StackChoice);

  Packing packing() const override {
    return rows_ ? Packing::slices : members_.empty() ? Packing::none : Packing::orbit;
  }
  bool prefers_whole() const override { return partners_apart_; }
  std::string name() const override;

 private:
  void project(std::size_t axis, const Stack& stack, const Texture& images, const ViewRun&);
  /// One view or two through the volume's own slices, where a stack would have to be copied for them.
  void project_direct(std::size_t axis, const GlArray& volume, const Texture& images, const ViewRun&);
  /// Into `images`, or into `apart` where that is drawn and then added.
  void run(Program&, const char* name, std::size_t axis, const Stack& stack, const Texture& images, DrawnViews& apart,
           std::int64_t views);
  bool forward_packed(const GlArray& volume, GlArray& projections, Layers, const Subset&);
  bool gather_groups(Layers, const Subset&);
  void back_by_pixels(const GlArray& projections, Layers, const Subset&, GlArray& volume);
  void weigh(std::size_t axis, const Texture& projections, const ViewRun&);
  void gather(std::size_t axis, const ViewRun&, GlArray& volume);
  void draw_gather(const Texture& slices, std::int64_t views);
  bool uses(std::size_t axis, const ViewRun&) const;
  std::vector<std::string> project_stages() const;
  std::int64_t detector_rows() const { return rows_ ? (plan_.detector.rows + 3) / 4 : plan_.detector.rows; }

  ProjectionPlan plan_;
  bool rows_;  ///< four of them share a texel
  SliceStacks stacks_;
  /// The transpose where it is by columns; else some views of projections, as back_by_pixels() hands them to slices
  /// along one axis.
  std::optional<ColumnTranspose> columns_;
  std::optional<GlArray> weighed_;
  Sampler sampler_;
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
  Program project_, weigh_, gather_;
  Program project_direct_;  ///< empty where the volume's own slices do not serve
  DrawnViews apart_;        ///< some views; empty where they are drawn or stored into the projections

  struct Member {
    std::size_t group, channel;
  };
  std::vector<Member> members_;  ///< [view]; empty when not packed
  bool partners_apart_;  ///< quarter turns of a view are not next to it, so parts of scans hold few whole groups
  std::vector<TurnedViews> groups_;  ///< of the subset at hand
  Buffer group_buffer_;
  DrawnViews drawn_groups_;  ///< a layer a group, when drawn
  Program project_packed_;
};

}  // namespace backlit::gl
