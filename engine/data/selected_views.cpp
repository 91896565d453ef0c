#include <backlit/data/selected_views.hpp>

#include <algorithm>
#include <numeric>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

std::vector<std::int64_t> every(std::int64_t first, std::int64_t end, std::int64_t step, std::int64_t all) {
  if (first < 0 || first >= end || end > all || step < 1)
    throw InputError("views",
                     std::to_string(first) + ":" + std::to_string(end) + ":" + std::to_string(step) +
                         " selects nothing of " + std::to_string(all) + " views, or more than there are",
                     "give FIRST:END:STEP with 0 <= FIRST < END <= number of views and STEP at least 1");
  std::vector<std::int64_t> views;
  for (std::int64_t v = first; v < end; v += step) views.push_back(v);
  return views;
}

}  // namespace

SelectedViews::SelectedViews(std::shared_ptr<ProjectionSource> source, std::vector<std::int64_t> views)
    : source_(std::move(source)), views_(std::move(views)) {
  const Scan& all = source_->scan();
  scan_.detector = all.detector;
  for (const std::int64_t v : views_) scan_.views.push_back(all.views[static_cast<std::size_t>(v)]);
}

SelectedViews::SelectedViews(std::shared_ptr<ProjectionSource> source, std::int64_t first, std::int64_t end,
                             std::int64_t step)
    : SelectedViews(source, every(first, end, step, source->scan().view_count())) {}

/// Calls read(view, count, target) for each run of consecutive views of the source. The views of a run may be scattered
/// in `out`.
template <class T, class Read>
bool SelectedViews::gather(std::int64_t first, std::int64_t count, std::span<T> out, Read&& read) const {
  const auto pixels = static_cast<std::size_t>(scan_.detector.pixels());
  const auto view = [&](std::size_t place) { return views_[static_cast<std::size_t>(first) + place]; };
  std::vector<std::size_t> sorted(static_cast<std::size_t>(count));  // positions in `out`
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::stable_sort(sorted, {}, view);
  std::vector<T> run;
  for (std::size_t i = 0, end; i < sorted.size(); i = end) {
    const std::size_t place = sorted[i];
    bool together = true;
    for (end = i + 1; end < sorted.size() && view(sorted[end]) == view(place) + std::int64_t(end - i); ++end)
      together = together && sorted[end] == place + (end - i);
    const auto n = static_cast<std::int64_t>(end - i);
    if (together) {
      if (!read(view(place), n, out.subspan(place * pixels, (end - i) * pixels))) return false;
      continue;
    }
    run.resize((end - i) * pixels);
    if (!read(view(place), n, std::span(run))) return false;
    for (std::size_t k = i; k < end; ++k)
      std::copy_n(run.begin() + std::ptrdiff_t((k - i) * pixels), pixels,
                  out.begin() + std::ptrdiff_t(sorted[k] * pixels));
  }
  return true;
}

void SelectedViews::read(std::int64_t first, std::int64_t count, std::span<float> out) {
  gather(first, count, out, [&](std::int64_t view, std::int64_t n, std::span<float> to) {
    source_->read(view, n, to);
    return true;
  });
}

bool SelectedViews::read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) {
  if (count == 0) return source_->read_counts(first, count, out);
  return gather(first, count, out, [&](std::int64_t view, std::int64_t n, std::span<std::uint16_t> to) {
    return source_->read_counts(view, n, to);
  });
}

}  // namespace backlit
