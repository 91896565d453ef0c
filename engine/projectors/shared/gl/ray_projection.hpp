// A model of line integrals on the graphics pipeline, with its transpose.
#pragma once

#include <string>

#include <backlit/projectors/ct_options.hpp>
#include "device/gl/gl_array.hpp"
#include "projectors/shared/gl/view_run.hpp"

namespace backlit::gl {

/// A plan for one grid and one scan.
class RayProjection {
 public:
  virtual ~RayProjection() = default;

  virtual void forward(const GlArray& volume, GlArray& projections, Layers, const Subset&, Write) = 0;
  virtual void back(const GlArray& projections, Layers, const Subset&, GlArray& volume, Write) = 0;
  virtual Packing packing() const { return Packing::none; }
  /// See LinearOperator::prefers_whole().
  virtual bool prefers_whole() const { return false; }
  virtual std::string name() const = 0;
};

/// Zeroes the layers of the subset's views.
void clear_views(GlArray& projections, Layers, const Subset&);

/// Calls f(run) for the layers that hold the subset's views, at most `most` layers at a time.
template <class F>
void for_runs(const GlArray& projections, Layers layers, const Subset& subset, std::int64_t most, F&& f) {
  for (std::int64_t done = 0; done < subset.count;) {
    const ViewRun run = next_run(projections, layers, subset, done, most);
    f(run);
    done += run.count;
  }
}

}  // namespace backlit::gl
