// Filtered projections that stay on the device as layered textures, so that any point of space can be reconstructed
// when it is looked at.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <backlit/core/progress.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include "device/gl/gl_array.hpp"
#include "device/gl/gl_backend_class.hpp"
#include "gl/program.hpp"

namespace backlit::gl {

struct ResidentOptions {
  Precision precision = Precision::fast;  ///< of values; see Precision. Slopes are halves, filtered in hardware
  bool slopes = false;                    ///< keep (q, dq/dcolumn, dq/drow) as well: gradients from one fetch a view
};

/// Where shaders read the views' matrices from. Uniform buffers take 64 KiB, 1,024 views; they are faster.
enum class ViewTableIn { automatic, storage, uniform };
inline constexpr std::array view_table_names{"auto", "storage", "uniform"};

/// One layer a view, in the order of their angles whatever the order of the scan: neighbours in space read neighbours
/// in memory. At most as many views as an array texture has layers (2,048 wherever we looked).
///
/// Stored values are multiplied by scale(), which brings the largest of the first load to 1,024: halves have no better
/// place, and values that come later may be 60 times as large.
class ResidentViews {
 public:
  /// `scan` as its filter made it (ProjectionFilter::scan()). Throws Unsupported for geometries that the gl backend
  /// does not take and for too many views; Failure when the device has no room.
  ResidentViews(GlBackend&, const Scan& scan, const ResidentOptions&);

  /// All views, in the scan's order, filtered and weighted. Sets the scale.
  void load(GlArray& filtered);

  /// A stream's next view in place of the scan's `index`-th: the newest for the oldest. `filtered` holds that one view,
  /// weighted for its place among the others (ProjectionFilter::run(index, ...)), and `view` says where it was taken.
  void replace(std::int64_t index, const View& view, const GlArray& filtered);
  /// The same for the view that has been here longest; returns its index.
  std::int64_t replace_oldest(const View& view, const GlArray& filtered);

  const Scan& scan() const { return scan_; }
  const ResidentOptions& options() const { return options_; }
  std::int64_t count() const { return scan_.view_count(); }
  float scale() const { return scale_; }
  /// Counts load() and replace(): tells whether what was derived from the views is out of date.
  std::int64_t generation() const { return generation_; }

  /// Textures, samplers and the table of views, where shaders/d2vr/reconstruct.glsl looks for them: texture units 0
  /// (values) and 1 (slopes), storage buffer 0 and uniform buffer 1.
  void bind() const;
  /// What reconstruct.glsl must be compiled with; `source_inside`: points asked for may lie at or behind a source.
  Defines defines(ViewTableIn = ViewTableIn::automatic) const;
  Choices choices(ViewTableIn = ViewTableIn::automatic, bool source_inside = true) const;
  /// Whether some of a box lies at or behind some view's source.
  bool source_inside(const VolumeGrid& box) const;
  /// What automatic comes to; throws Unsupported when a uniform buffer was asked for and there are too many views.
  ViewTableIn place_of_table(ViewTableIn asked) const;
  /// Sets the uniforms of reconstruct.glsl: every `stride`-th view, weighed up for those left out.
  void set_uniforms(Program&, std::int64_t stride = 1) const;

  static constexpr std::int64_t uniform_views = 1024;

 private:
  void store(const GlArray& from, std::int64_t layer_from, std::int64_t index);
  void write_table();

  GlBackend& backend_;
  Scan scan_;
  ResidentOptions options_;
  std::vector<std::int64_t> layer_;  ///< of each view of the scan
  Texture values_, slopes_;
  Buffer table_;
  Sampler linear_, value_sampler_;
  Program pack_;
  float scale_ = 1;
  std::int64_t oldest_ = 0, generation_ = 0;
};

/// Reads, filters and loads all views of a source, stage "filter". Throws Cancelled between two batches.
ResidentViews load_resident_views(GlBackend&, ProjectionSource&, ProjectionFilter&, const ResidentOptions&,
                                  const Watch& = {});

}  // namespace backlit::gl
