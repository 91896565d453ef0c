// The passes of emission on the graphics pipeline. Slices are composited from the far one to the near one with a blur
// in between, for all views of a batch at once. The transpose runs in the opposite order
// (projectors/emission/emission.hpp).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include <backlit/projectors/emission/emission_options.hpp>
#include "device/gl/draw_state.hpp"
#include "device/gl/gl_array.hpp"
#include "device/gl/vector_ops.hpp"
#include "projectors/emission/emission.hpp"
#include "projectors/emission/gl_variant.hpp"
#include "projectors/shared/gl/projection_plan.hpp"
#include "projectors/shared/gl/slice_stacks.hpp"
#include "projectors/shared/gl/view_run.hpp"

namespace backlit::gl {

/// A plan for one grid and one scan. Its passes bind their inputs and leave them bound.
class EmissionPasses {
 public:
  /// A view and its layer in an array of projections, as in shaders/emission/crossing.glsl.
  struct Item {
    std::int32_t view, layer, unused[2];
  };
  /// Views that look along one axis, and the planes along their rays: plane 0 is the nearest to the detector.
  struct Batch {
    std::size_t axis;
    std::vector<Item> items;
    std::int64_t planes = 0;
    int directions = 0, reach = 0;  ///< directions: 1, some views look towards larger slices; 2, some towards smaller
  };

  /// `densest`: the largest normalised attenuation. Throws Unsupported where the device or the options do not allow it.
  EmissionPasses(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                 float densest, const EmissionOptions& options, const EmissionVariant& variant);
  ~EmissionPasses() { plan_.context->make_current_or_none(); }
  EmissionPasses(const EmissionPasses&) = delete;
  EmissionPasses& operator=(const EmissionPasses&) = delete;

  /// The views of a subset by axis, with all planes; as many at a time as forward() or back() takes.
  std::vector<Batch> batches_forward(Layers layers, const Subset& s) const { return batches(layers, s, most_views()); }
  std::vector<Batch> batches_back(Layers, const Subset&);

  /// The images of the present batch, a layer a view; columns x rows x most_views().
  const Texture& image() const { return images_[0].textures().front(); }
  std::int64_t most_views() const { return images_[0].shape().n2; }

  /// image() = the projections through all planes.
  void forward(const Batch&, const GlArray& attenuation, const GlArray& activity);
  /// activity += the transpose of image(), which is overwritten.
  void back(const Batch&, const GlArray& attenuation, GlArray& activity);

  /// load(): from the batch's layers of projections to image(). add_to(): adds image() to these layers.
  void load(const Batch&, const GlArray& projections);
  void add_to(const Batch&, GlArray& projections);

  Context& context() const { return *plan_.context; }
  TimingTable& timings() const { return plan_.timings; }
  bool facing() const { return options_.slices == EmissionOptions::Slices::facing; }
  bool matched() const;
  std::string variant_name() const;  ///< the variant's name
  std::string variant() const;       ///< the same with model and options

 private:
  /// Numbers of shaders/emission/pass.glsl.
  enum Pass {
    march,
    composite,
    blur_columns,
    blur_rows,
    blur_columns_back,
    blur_rows_back,
    share,
    attenuate,
    load_views,
    emit,
    copy,
    spread,
    march_back
  };

  void describe_views(const Scan&);
  std::int64_t most_planes() const;  ///< largest number of planes of a view
  std::vector<Batch> batches(Layers, const Subset&, std::int64_t most) const;
  void add_view(Batch&, std::int64_t view, std::int64_t layer) const;
  Program& program(Pass);
  float fill(const GlArray& from, std::optional<Texture>& box, const char* label);
  void begin(const Batch&, const GlArray& attenuation, const GlArray* activity);
  void bind_views(const Batch&);
  Program& prepare(Pass, const Batch&, std::int64_t plane);
  void run(Pass, const Batch&, std::int64_t plane, const Texture& from, const Texture& to);
  void step(Pass, const Batch&, std::int64_t plane);
  void project(const Batch&);
  void project_blended(const Batch&, DrawState&);
  /// Distributes the image to the planes and gathers in voxels: computed for many of a batch's planes at once, or drawn
  /// plane by plane.
  void back_computed(const Batch&, bool scatters, const std::vector<Texture>& volume);
  void back_drawn(const Batch&, bool scatters, const std::vector<Texture>& volume);
  std::int64_t make_shares();
  void make_spread();
  void blur_in_front_back(const Batch&);
  void march_planes(const Batch&, std::int64_t first, std::int64_t count, bool scatters);
  void march_on(const Batch&, std::int64_t plane, std::int64_t count);
  void blur_back(const Batch&, std::int64_t plane);
  void prepare_gather(const Batch&, const Texture& shares);
  /// Gathers from shares_, which holds planes first .. first + count - 1, into slices from first_z on.
  void gather_held(const Batch&, std::int64_t first, std::int64_t count, const Texture& volume, std::int64_t first_z);
  void gather_facing(const Batch&, std::int64_t first, std::int64_t count, const Texture& volume, std::int64_t first_z);
  void gather_into(const Batch&, const std::array<std::int64_t, 3>& size);
  void gather(const Batch&, std::int64_t plane, const std::vector<Texture>& volume);
  /// Whether compute shaders transpose many planes of a batch at once; always where slices face the detector.
  bool gathers_all() const { return plan_.computes() || facing(); }
  bool blurs_back() const { return options_.back == EmissionOptions::Back::matched && options_.scatter_mm > 0; }
  bool gives_by_attenuation() const { return options_.back != EmissionOptions::Back::plain; }
  bool blurs_in_front() const { return options_.scatter_by_distance && !options_.scatter_by_attenuation; }

  EmissionOptions options_;
  EmissionVariant variant_;
  ProjectionPlan plan_;
  std::vector<PlaneStack> planes_;
  std::vector<int> axes_, reaches_;  ///< [view]
  /// Copies of the volumes: slices along the views' axes, or 3-D textures where planes face the detector.
  std::optional<SliceStacks> activity_stacks_, attenuation_stacks_;
  std::optional<Texture> activity_box_, attenuation_box_;
  VectorOps ops_;
  float densest_;
  Buffer views_, items_;
  GlArray images_[3];      ///< the present one, the next one, and the share of a plane, for a batch
  Texture spread_[2];      ///< transpose: each pixel's value over the sum of its kernel, and the kernels' variances
  Texture seen_;           ///< blended: emission, and in alpha transparency, of the planes so far
  Texture shares_;         ///< computed: the shares of planes; made when first used
  std::int64_t held_ = 0;  ///< planes per view in shares_, in the present batch
  std::map<Pass, Program> programs_;
  Program gather_, add_, fill_;
  Sampler sampler_;
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
  bool attenuates_ = true;  ///< in the present pass
  float activity_unit_ = 1, attenuation_unit_ = 1;
};

}  // namespace backlit::gl
