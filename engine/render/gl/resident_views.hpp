// Filtered projections that stay on the device as layered textures, so that any point in space can be reconstructed on
// demand.
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
  Precision precision = Precision::fast;  ///< precision of the values; slopes are halves, filtered in hardware
  bool slopes = false;                    ///< keep (q, dq/dcolumn, dq/drow) as well: a gradient takes one fetch a view
};

/// The buffer in which shaders find the views' matrices. Uniform buffers hold 64 KiB, 1,024 views; they are faster.
enum class ViewTableIn { automatic, storage, uniform };
inline constexpr std::array view_table_names{"auto", "storage", "uniform"};

/// One layer a view, in the order of the views' angles and not of the scan: neighbours in space are neighbours in
/// memory. At most as many views as an array texture has layers (2,048 on every device we tried).
///
/// Stored values are multiplied by scale(), which makes the largest value of load() 1,024. That suits halves best, and
/// later values may be 60 times as large.
class ResidentViews {
 public:
  /// `scan` is the filter's own (ProjectionFilter::scan()). Throws Unsupported for geometries that the gl backend does
  /// not take and for too many views; Failure when the device has no room.
  ResidentViews(GlBackend&, const Scan& scan, const ResidentOptions&);

  /// All views, in the scan's order, filtered and weighted. Sets the scale.
  void load(GlArray& filtered);

  /// Puts a stream's next view in the place of the scan's `index`-th view. `filtered` holds that one view, weighted for
  /// its place among the others (ProjectionFilter::run(index, ...)); `view` is its geometry.
  void replace(std::int64_t index, const View& view, const GlArray& filtered);
  /// The same for the view that was stored first; returns its index.
  std::int64_t replace_oldest(const View& view, const GlArray& filtered);

  const Scan& scan() const { return scan_; }
  const ResidentOptions& options() const { return options_; }
  std::int64_t count() const { return scan_.view_count(); }
  float scale() const { return scale_; }
  /// Counts load() and replace(): data derived from the views is out of date when this has changed.
  std::int64_t generation() const { return generation_; }

  /// Binds textures, samplers and the table of views for shaders/d2vr/reconstruct.glsl: texture units 0 (values) and 1
  /// (slopes), storage buffer 0 and uniform buffer 1.
  void bind() const;
  /// Defines and files for compiling reconstruct.glsl; `source_inside`: points may lie at or behind a source.
  Defines defines(ViewTableIn = ViewTableIn::automatic) const;
  Choices choices(ViewTableIn = ViewTableIn::automatic, bool source_inside = true) const;
  /// Whether some part of a box lies at or behind some view's source.
  bool source_inside(const VolumeGrid& box) const;
  /// The choice that `automatic` stands for. Throws Unsupported when a uniform buffer was asked for and there are too
  /// many views.
  ViewTableIn place_of_table(ViewTableIn asked) const;
  /// Sets the uniforms of reconstruct.glsl: every `stride`-th view, with a factor that makes up for the others.
  void set_uniforms(Program&, std::int64_t stride = 1) const;

  static constexpr std::int64_t uniform_views = 1024;

 private:
  void store(const GlArray& from, std::int64_t layer_from, std::int64_t index);
  void write_table();

  GlBackend& backend_;
  Scan scan_;
  ResidentOptions options_;
  std::vector<std::int64_t> layer_;  ///< layer of each view of the scan
  Texture values_, slopes_;
  Buffer table_;
  Sampler linear_, value_sampler_;
  Program pack_;
  float scale_ = 1;
  std::int64_t oldest_ = 0, generation_ = 0;
};

/// Reads, filters and loads all views of a source; the stage is "filter". Throws Cancelled between two batches.
ResidentViews load_resident_views(GlBackend&, ProjectionSource&, ProjectionFilter&, const ResidentOptions&,
                                  const Watch& = {});

}  // namespace backlit::gl
