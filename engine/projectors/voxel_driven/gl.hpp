// Voxel-driven backprojection by drawing slices: Xu & Mueller, "Real-time 3D computed tomographic reconstruction using
// commodity graphics hardware", Phys. Med. Biol. 52 (2007) 3405.
#pragma once

#include <memory>
#include <optional>

#include <backlit/projectors/linear_operator.hpp>
#include "device/gl/gl_array.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"
#include "projectors/shared/gl/pass_programs.hpp"
#include "projectors/shared/gl/view_run.hpp"
#include "projectors/shared/gl/view_table.hpp"
#include "projectors/voxel_driven/gl_half_views.hpp"
#include "projectors/voxel_driven/gl_kill_mask.hpp"
#include "projectors/voxel_driven/gl_shaders.hpp"
#include "projectors/voxel_driven/gl_variant.hpp"

namespace backlit::gl {

/// A plan for one grid and one scan. Packing `slices` sums four adjacent slices in the channels of an RGBA32F texture
/// (one matrix and one offset serve all four) and unpacks at the end of a call. Precision half fetches from a copy of
/// the views in halves. Programs for fewer views than the variant's (the last pass of a subset) are compiled when first
/// needed, everything else when the plan is made.
class Backprojection {
 public:
  /// `half_views`: views that the copy in halves should hold, at most.
  Backprojection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                 const CtOptions& options, const BackprojectionVariant&, std::int64_t half_views);
  ~Backprojection() { context_->make_current_or_none(); }

  void run(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume, Write write);
  /// volume = max(volume + factor A'y / A'1, least), see LinearOperator::relax(). False when the views lie in more than
  /// one texture, are more than a copy in halves holds or, with transform=vertex, than a pass has; and for variants
  /// that give other values, or would find places elsewhere than run() does (transform=vertex stored to images,
  /// packed).
  bool relax(const GlArray& projections, const GlArray& view_of_ones, Layers layers, const Subset& subset,
             GlArray& volume, float factor, float least);

  /// Complete, with the number of views a pass that was chosen; ",varyings=124" where the components that varyings may
  /// have kept that below what was asked for, and ",killed=0.215" with the share of fragments that die early.
  std::string name() const;
  bool packs_slices() const { return packs_; }

 private:
  using V = BackprojectionVariant;
  static constexpr int slices_per_invocation = 16;  ///< of compute shaders: sums kept in registers
  static constexpr int slices_relaxed = 4;          ///< the same of relax(), which sums little and moves much

  struct Target {
    std::int64_t first_slice, layers;
    Texture* volume;
    Texture* scratch;
    const KillMask* mask;
  };
  void run_drawn(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume, Write write);
  void run_compute(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume, Write write);
  void add_pass(const GlArray& projections, const ViewRun& views, Target& target, bool accumulate);
  void draw_layers(Program& program, const Target& target, std::int64_t views);
  Program& relax_columns();
  Program& relax_slices(std::int64_t views);
  void relax_in_place(const Texture& target);
  void redraw(Program&, Texture& target, std::size_t c, std::int64_t views);
  void draw_columns(const Texture& target);
  void make_scratch();
  void unpack(const Texture& volume, bool accumulate);
  void mark();
  void set_pass(Program& program, const ViewRun& views, std::int64_t first_slice, bool accumulate);
  ViewRun next_pass(const GlArray& projections, Layers layers, const Subset& subset, std::int64_t done) const;
  /// The views of a pass where the shader is to fetch them, bound to unit 0.
  ViewRun bind_views(const GlArray& projections, const ViewRun& views);
  void make_masks(const Scan& scan);
  Program make_program(const std::string& name, const std::vector<std::string>& stages, const Defines&) const;
  Program make_drawing(const std::string& name, SliceWork, std::int64_t views) const;
  Program& program(std::int64_t views);
  Program make_program_for(std::int64_t views) const;
  bool ping_pong() const { return variant_.accumulate == V::Accumulate::ping_pong; }
  bool blends() const { return !computes() && variant_.target != V::Target::image && !ping_pong(); }
  bool computes() const { return variant_.draw == V::Draw::compute; }
  bool loops() const { return variant_.accumulate == V::Accumulate::loop; }
  std::int64_t layers_of(std::int64_t slices) const { return packs_ ? (slices + 3) / 4 : slices; }

  std::shared_ptr<Context> context_;
  TimingTable& timings_;
  VolumeGrid grid_;
  Scan scan_;
  Weighting weighting_;
  BackprojectionVariant variant_;
  bool exact_, packs_, layer_from_vertex_;
  ViewTable table_;
  Sampler sampler_;
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
  Program relax_;                     ///< made when first used
  PassPrograms relax_slices_;         ///< by views
  Framebuffer nothing_;               ///< without attachments
  PassPrograms programs_;             ///< by views a pass; 0 loops
  std::vector<std::int64_t> depths_;  ///< slices of each of a volume's textures
  std::vector<Texture> scratch_;      ///< the other volume of the ping-pong, made when first used
  Texture sums_;                      ///< packing slices: RGBA32F, as deep as the deepest texture of a volume
  Program unpack_;
  std::vector<KillMask> masks_;
  Program mark_;
  std::optional<HalfViews> halves_;
};

}  // namespace backlit::gl
