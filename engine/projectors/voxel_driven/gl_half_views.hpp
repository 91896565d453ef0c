// Views stored as halves: in units of a power of two chosen from the data, rounded to the nearest.
#pragma once

#include "device/gl/gl_array.hpp"
#include "device/gl/vector_ops.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"
#include "projectors/shared/gl/half_unit.hpp"
#include "projectors/shared/gl/view_run.hpp"

namespace backlit::gl {

/// A copy of some views of a scan, made again for every use. It is as large as the largest run so far.
class HalfViews {
 public:
  HalfViews(TimingTable& timings, const Detector& detector, std::int64_t views);

  /// Largest number of views in a copy.
  std::int64_t most_views() const { return most_views_; }
  /// Chooses the unit for the copies from now on.
  void choose_unit(const GlArray& views) { unit_ = half_unit(reductions_, views); }
  float unit() const { return unit_; }
  /// Copies the views of a run (at most most_views()); returns their place in texture().
  ViewRun copy(const GlArray& views, const ViewRun& run);
  const Texture& texture() const { return texture_; }

 private:
  TimingTable& timings_;
  VectorOps reductions_;
  std::int64_t columns_, rows_, most_views_;
  Texture texture_;
  Program program_;
  float unit_ = 1;
};

}  // namespace backlit::gl
