// Emission with attenuation and scatter on the graphics pipeline: slices composited from the far one to the near one
// with a blur in between, all views of a batch at once, and the transpose the other way round
// (projector/emission.hpp).
#pragma once

#include <map>
#include <optional>
#include <span>

#include "backend/emission_options.hpp"
#include "backend/gl/gl_ct.hpp"
#include "backend/gl/projection_plan.hpp"
#include "backend/gl/slice_stacks.hpp"
#include "projector/emission.hpp"

namespace backlit::gl {

/// Written "composite=front_to_back,draw=compute"; what is left out is chosen.
struct EmissionVariant {
  /// front_to_back: a ray marches on its own with its transparency so far, without scatter only; back_to_front: planes
  /// one after the other over an image of all rays.
  enum class Composite { front_to_back, back_to_front, best };
  enum class Draw { fragment, compute, best };

  Composite composite = Composite::best;
  Draw draw = Draw::best;

  /// Throws InputError naming keys and values there are.
  static EmissionVariant parse(const std::string& text);
};

class GlEmission final : public GlCt {
 public:
  /// `attenuation`: 1/mm, of every voxel. Throws Unsupported for more slices or views than a texture array holds.
  GlEmission(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
             std::span<const float> attenuation, const EmissionOptions& options);
  ~GlEmission() override { plan_.context->make_current(); }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  bool matched() const override;
  /// A plane of one view is far too little for a device's processors.
  std::int64_t least_rows() const override;
  std::string variant() const override;

 private:
  /// Numbers of shaders/emission/pass.glsl.
  enum Pass {
    march,
    composite,
    blur_columns,
    blur_rows,
    blur_columns_back,
    blur_rows_back,
    give,
    pass_on,
    load,
    spread,
    march_back
  };
  struct Item {
    std::int32_t view, layer, unused[2];
  };
  /// Views that look along one axis.
  struct Batch {
    std::size_t axis;
    std::vector<Item> items;
    std::int64_t planes;
    int ways, reach;
  };

  void add_back(const GlArray& y, Layers, const Subset&, GlArray& x, Write) override;
  std::string way() const override;

  void describe_views(const Scan&);
  void upload_attenuation(std::span<const float>);
  Program& program(Pass);
  /// At most `most` views each.
  std::vector<Batch> batches(Layers, const Subset&, std::int64_t most) const;
  void begin(const Batch&, const GlArray* volume);
  Program& prepare(Pass, const Batch&, std::int64_t plane);
  void run(Pass, const Batch&, std::int64_t plane, const Texture& from, const Texture& to);
  void step(Pass, const Batch&, std::int64_t plane);
  void project(const Batch&);
  /// What planes are given on the way back: computed for many of a batch's planes at once, or drawn plane by plane.
  void back_computed(const Batch&, bool scatters, const GlArray& volume);
  void back_drawn(const Batch&, bool scatters, const GlArray& volume);
  std::int64_t make_given();
  void make_spread();
  void march_on(const Batch&, std::int64_t plane, std::int64_t count);
  void blur_back(const Batch&, std::int64_t plane);
  void prepare_gather(const Batch&, const Texture& given);
  /// From given_, which holds planes first .. first + count - 1.
  void gather_held(const Batch&, std::int64_t first, std::int64_t count, const GlArray& volume);
  void gather(const Batch&, std::int64_t plane, const GlArray& volume);
  bool facing() const { return options_.slices == EmissionOptions::Slices::facing; }
  /// On the way back, many planes of a batch at once by compute shaders: slices that face the detector always.
  bool gathers_all() const { return plan_.computes() || facing(); }
  bool blurs_back() const { return options_.back == EmissionOptions::Back::matched && options_.scatter_mm > 0; }
  bool blurs_in_front() const { return options_.scatter_by_distance && !options_.scatter_by_attenuation; }

  EmissionOptions options_;
  EmissionVariant variant_;
  ProjectionPlan plan_;
  std::vector<PlaneStack> planes_;
  std::vector<int> axes_, reaches_;  ///< [view]
  GlArray attenuation_;              ///< normalised
  std::optional<SliceStacks> activity_slices_, attenuation_slices_;
  std::optional<Texture> activity_box_, attenuation_box_;
  float densest_ = 0;
  Buffer views_, items_;
  GlArray images_[3];  ///< of a batch: the one at hand, the next, what a plane is given
  Texture spread_[2];  ///< on their way back: what pixels spread, over their kernels' sums, and the kernels' variances
  Texture given_;      ///< computed: what planes are given, made when first used
  std::int64_t held_ = 0;  ///< planes of a view in given_, of the batch at hand
  std::map<Pass, Program> programs_;
  Program gather_, add_, fill_;
  Sampler sampler_;
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
  bool attenuates_ = true;  ///< in the pass at hand
  float activity_unit_ = 1, attenuation_unit_ = 1;
};

}  // namespace backlit::gl
