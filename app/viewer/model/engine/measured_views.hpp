// Measured line integrals, kept on the device, so that a new geometry, filter or grid needs no transfer. Views that the
// device corrected are used where they lie.
#pragma once

#include <memory>
#include <vector>

#include <backlit/data/projections.hpp>
#include <backlit/device/backend.hpp>
#include "model/sources/arrived_views.hpp"

namespace backlit::viewer {

/// All views of a source, each read once, in any order. Use it on the backend's thread. The backend and the source must
/// outlive it.
class MeasuredViews {
 public:
  /// Throws Failure when the device lacks memory.
  MeasuredViews(Backend&, std::shared_ptr<ProjectionSource>);
  /// Whether a view can be read: any view of a finished scan, the arrived views of a running one.
  bool available(std::int64_t view) const { return !arriving_ || arriving_->has(view); }
  bool arriving() const { return arriving_ && arriving_->missing() > 0; }

  std::int64_t count() const { return source_->scan().view_count(); }
  bool complete() const { return left_ == 0; }
  /// Reads those of views [first, first + count) that are not loaded yet.
  void load(std::int64_t first, std::int64_t count);
  const DeviceArray& all() const { return *array_; }
  /// Loaded views; null if the backend's layout cannot share them (use host()).
  ArrayPtr rows(std::int64_t first, std::int64_t count) { return backend_.rows(*array_, first, count); }
  /// Downloads one view.
  std::vector<float> host(std::int64_t view);
  Backend& backend() { return backend_; }
  const std::shared_ptr<ProjectionSource>& source() const { return source_; }

 private:
  Backend& backend_;
  std::shared_ptr<ProjectionSource> source_;
  const ArrivedViews* arriving_;  ///< the source, if it is of this type
  bool resident_ = false;         ///< the array is the source's own
  ArrayPtr array_;
  std::vector<bool> loaded_;
  std::int64_t left_;
  std::vector<float> staging_;
};

}  // namespace backlit::viewer
