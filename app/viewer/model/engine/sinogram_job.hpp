// Reads one detector row of all views, some views at a time, beside other work.
#pragma once

#include <memory>

#include <backlit/data/projections.hpp>
#include "model/engine/events.hpp"

namespace backlit::viewer {

class SinogramJob {
 public:
  /// Throws InputError if the detector has no such row.
  SinogramJob(std::shared_ptr<ProjectionSource>, std::int64_t row);
  /// Reads some 16 MB of views. Returns whether all have been read.
  bool step();
  std::shared_ptr<const SinogramRow> made() const { return made_; }

 private:
  std::shared_ptr<ProjectionSource> source_;
  std::shared_ptr<SinogramRow> made_;
  std::int64_t next_ = 0;
};

}  // namespace backlit::viewer
