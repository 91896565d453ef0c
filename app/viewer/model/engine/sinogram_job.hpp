// Reads detector rows of all views, some views at a time, beside other work.
#pragma once

#include <memory>

#include <backlit/data/projections.hpp>
#include "model/engine/events.hpp"

namespace backlit::viewer {

class RowReader {
 public:
  RowReader(std::shared_ptr<ProjectionSource> source, std::int64_t first, std::int64_t count)
      : source_(std::move(source)), first_(first), count_(count) {}
  /// Reads some 16 MB of views. Returns whether all have been read.
  bool step();
  /// [view][row][column]
  std::vector<float>& values() { return values_; }

 private:
  std::shared_ptr<ProjectionSource> source_;
  std::int64_t first_, count_, next_ = 0;
  std::vector<float> values_;
};

class SinogramJob {
 public:
  /// Throws InputError if the detector has no such row.
  SinogramJob(std::shared_ptr<ProjectionSource>, std::int64_t row);
  /// See RowReader.
  bool step();
  std::shared_ptr<const SinogramRow> made() const { return made_; }

 private:
  RowReader rows_;
  std::shared_ptr<SinogramRow> made_;
};

}  // namespace backlit::viewer
