// Backprojection of views packed by quarter turns into RGBA: four fetches make sixteen updates (projection packing, Xu
// & Mueller 2007; see projectors/voxel_driven/orbit.hpp).
#pragma once

#include <memory>
#include <optional>

#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "device/gl/gl_array.hpp"
#include "device/gl/vector_ops.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"
#include "projectors/shared/gl/pass_programs.hpp"
#include "projectors/shared/gl/view_run.hpp"
#include "projectors/voxel_driven/gl_kill_mask.hpp"
#include "projectors/voxel_driven/gl_shaders.hpp"
#include "projectors/voxel_driven/gl_variant.hpp"
#include "recon/fdk/fdk_schedule.hpp"

namespace backlit::gl {

/// A plan for one grid and one scan with quarter-turn groups. Scans in the order of these come in batches: a few groups
/// are packed at a time, so that the plan takes little memory. Precision half stores RGBA16F, in units of a power of
/// two chosen from the data; fast stores RGBA32F.
class OrbitBackprojection {
 public:
  /// Why the views cannot be packed here; empty when they can.
  static std::string refusal(const Context&, const QuarterTurns&, const VolumeGrid&, std::int64_t views);

  OrbitBackprojection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                      const CtOptions& options, const BackprojectionVariant&, const QuarterTurns& turns);
  ~OrbitBackprojection() { context_->make_current_or_none(); }

  /// Whether these views are packed: all, or whole groups of a scan that has them in order.
  bool takes(Layers layers, const Subset& subset) const;
  bool takes_groups() const { return in_order_; }
  /// Views that takes() says yes to.
  void run(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume, Write write);
  std::string name() const;

 private:
  void choose_unit(const GlArray& projections);
  void pack(const GlArray& projections, std::int64_t first_layer, const Run& groups);
  void run_compute(GlArray& volume, const Run& groups, bool accumulate);
  void run_slices(GlArray& volume, const Run& groups, bool accumulate);
  void set_height(Program&) const;
  /// Of so many groups a pass; 0 loops over as many as it is told.
  Program slices_program(std::int64_t groups) const;
  Program make_program(const std::string& name, const std::vector<std::string>& stages, Defines) const;
  bool loops() const { return variant_.accumulate == BackprojectionVariant::Accumulate::loop; }
  void make_mask(const Scan&);
  void mark();

  std::shared_ptr<Context> context_;
  TimingTable& timings_;
  VectorOps reductions_;
  VolumeGrid grid_;
  QuarterTurns turns_;
  Detector detector_;
  BackprojectionVariant variant_;
  bool half_;
  Weighting weighting_;
  bool layer_from_vertex_, in_order_;
  float unit_ = 1;
  std::int64_t group_count_, groups_per_pass_ = 1;
  Buffer order_, directions_;
  Sampler sampler_;
  Texture packed_;                ///< groups of a pass over the volume, as many as the largest had so far
  std::int64_t most_packed_ = 0;  ///< groups
  Program pack_, compute_, unpack_, mark_;
  std::optional<KillMask> mask_;
  PassPrograms slices_;  ///< by groups a pass
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
  Texture orbits_;  ///< RGBA32F, one texel an orbit and slice; only where slices are drawn
};

}  // namespace backlit::gl
