#include "model/engine/sinogram_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>

namespace backlit::viewer {

bool RowReader::step() {
  constexpr std::int64_t most = 1 << 22;  // values
  const Detector& d = source_->scan().detector;
  const std::int64_t left = source_->scan().view_count() - next_,
                     count = std::min(left, std::max<std::int64_t>(1, most / d.pixels()));
  std::vector<float> views(static_cast<std::size_t>(count * d.pixels()));
  source_->read(next_, count, views);
  for (std::int64_t view = 0; view < count; ++view) {
    const auto row = views.begin() + view * d.pixels() + first_ * d.columns;
    values_.insert(values_.end(), row, row + count_ * d.columns);
  }
  next_ += count;
  return count == left;
}

SinogramJob::SinogramJob(std::shared_ptr<ProjectionSource> source, std::int64_t row)
    : rows_(source, row, 1), made_(std::make_shared<SinogramRow>()) {
  const Detector& d = source->scan().detector;
  if (row < 0 || row >= d.rows)
    throw InputError("sinogram", fmt::format("there is no row {}", row), fmt::format("the detector has {}", d.rows));
  made_->row = row;
  made_->values = {d.columns, source->scan().view_count(), 1, 1, {}};
}

bool SinogramJob::step() {
  if (!rows_.step()) return false;
  made_->values.values = std::move(rows_.values());
  return true;
}

}  // namespace backlit::viewer
