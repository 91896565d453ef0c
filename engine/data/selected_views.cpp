#include "data/selected_views.hpp"

#include "core/error.hpp"

namespace backlit {

SelectedViews::SelectedViews(std::shared_ptr<ProjectionSource> source, std::int64_t first, std::int64_t end,
                             std::int64_t step)
    : source_(std::move(source)), first_(first), step_(step) {
  const Scan& all = source_->scan();
  if (first < 0 || first >= end || end > all.view_count() || step < 1)
    throw InputError("views",
                     std::to_string(first) + ":" + std::to_string(end) + ":" + std::to_string(step) +
                         " selects nothing of " + std::to_string(all.view_count()) + " views, or more than there are",
                     "give FIRST:END:STEP with 0 <= FIRST < END <= number of views and STEP at least 1");
  scan_.detector = all.detector;
  for (std::int64_t v = first; v < end; v += step) scan_.views.push_back(all.views[static_cast<std::size_t>(v)]);
}

void SelectedViews::read(std::int64_t first, std::int64_t count, std::span<float> out) {
  const auto pixels = static_cast<std::size_t>(scan_.detector.pixels());
  if (step_ == 1) return source_->read(first_ + first, count, out);
  for (std::int64_t i = 0; i < count; ++i)
    source_->read(first_ + (first + i) * step_, 1, out.subspan(static_cast<std::size_t>(i) * pixels, pixels));
}

bool SelectedViews::read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) {
  const auto pixels = static_cast<std::size_t>(scan_.detector.pixels());
  if (step_ == 1 || count == 0) return source_->read_counts(first_ + first, count, out);
  for (std::int64_t i = 0; i < count; ++i)
    if (!source_->read_counts(first_ + (first + i) * step_, 1,
                              out.subspan(static_cast<std::size_t>(i) * pixels, pixels)))
      return false;
  return true;
}

}  // namespace backlit
