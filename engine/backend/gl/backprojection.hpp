// Voxel-driven backprojection by drawing slices: Xu & Mueller, "Real-time 3D computed tomographic reconstruction using
// commodity graphics hardware", Phys. Med. Biol. 52 (2007) 3405.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "backend/gl/backprojection_variant.hpp"
#include "backend/gl/gl_array.hpp"
#include "backend/gl/view_table.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"
#include "operator/linear_operator.hpp"

namespace backlit::gl {

/// A plan for one grid and one scan. Programs for fewer views than the variant's (the last pass of a subset) are
/// compiled when first needed, everything else when the plan is made.
class Backprojection {
 public:
  Backprojection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                 const CtOptions& options);
  ~Backprojection() { context_->make_current(); }

  void run(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume, Write write);

  /// volume = max(volume + factor A'y / A'1, least), see LinearOperator::relax(); by fragments where it must `draw`,
  /// else computed. False when the views lie in more than one texture.
  bool relax(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume, float factor,
             float least, bool draw);

  /// Complete, with the number of views a pass that was chosen.
  const BackprojectionVariant& variant() const { return variant_; }
  /// ",varyings=124" where the components that varyings may have kept the views a pass below what was asked for.
  const std::string& limited_by() const { return limited_by_; }

 private:
  static constexpr int slices_per_invocation = 16;  ///< of compute shaders: sums kept in registers
  static constexpr int slices_relaxed = 4;          ///< the same of relax(), which sums little and moves much

  struct Target {
    std::int64_t first_slice;
    Texture* volume;
    Texture* scratch;
  };
  void run_compute(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume, Write write);
  void set_pass(Program& program, const ViewRun& views, std::int64_t first_slice, bool accumulate);
  void draw(Program& program, const Texture& projections, const ViewRun& views, Target& target, bool accumulate);
  void draw_columns(const Texture& target);
  ViewRun next_pass(const GlArray& projections, Layers layers, const Subset& subset, std::int64_t done) const;
  /// Takes as many of variant_.views as the program links with.
  void fit_varyings();
  Program& program(std::int64_t views);
  Program make_program(const std::string& label, const std::vector<std::string>& stages, std::int64_t views) const;
  Defines defines(std::int64_t views) const;
  bool ping_pong() const { return variant_.accumulate != BackprojectionVariant::Accumulate::blend; }
  bool computes() const { return variant_.draw == BackprojectionVariant::Draw::compute; }
  bool loops() const { return variant_.accumulate == BackprojectionVariant::Accumulate::loop; }

  std::shared_ptr<Context> context_;
  TimingTable& timings_;
  VolumeGrid grid_;
  Detector detector_;
  BackprojectionVariant variant_;
  bool exact_, fdk_, layer_from_vertex_;
  std::string limited_by_;
  ViewTable table_;
  Sampler sampler_;
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
  Program relax_, drawn_relax_;               ///< made when first used
  Framebuffer nothing_;                       ///< without attachments
  std::map<std::int64_t, Program> programs_;  ///< by views a pass; 0 loops
  std::optional<GlArray> scratch_;            ///< the other volume of the ping-pong
};

}  // namespace backlit::gl
