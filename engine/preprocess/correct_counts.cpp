#include <backlit/preprocess/correct_counts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/data/reads_rows.hpp>
#include "preprocess/fill_missing.hpp"

namespace backlit {
namespace {

constexpr std::int64_t strip_bytes = std::int64_t{512} << 20;  // bytes of frames while their median is taken

/// The median of at most 64 frames spread over the stack, per pixel. Reads one strip of rows at a time.
std::vector<float> median_frame(ProjectionSource& frames, const Detector& d, const char* what, const Watch& watch) {
  const Scan& scan = frames.scan();
  if (scan.detector.columns != d.columns || scan.detector.rows != d.rows)
    throw InputError(what,
                     fmt::format("{} x {} pixels where the projections have {} x {}", scan.detector.columns,
                                 scan.detector.rows, d.columns, d.rows),
                     "give frames of the same size");
  const std::int64_t total = scan.view_count(), n = std::min<std::int64_t>(total, 64);
  if (n < 1) throw InputError(what, "no frames", "leave the key out");
  const std::int64_t row_bytes = n * d.columns * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t strip = std::clamp<std::int64_t>(strip_bytes / row_bytes, 1, d.rows);
  std::vector<float> median(static_cast<std::size_t>(d.pixels())), frame(median.size());
  std::vector<float> stack(static_cast<std::size_t>(n * strip * d.columns));  // per pixel of the strip: its n readings
  watch.begin(what, (d.rows + strip - 1) / strip * n, "frames");
  for (std::int64_t row = 0; row < d.rows; row += strip) {
    const std::int64_t begin = row * d.columns, pixels = std::min(strip, d.rows - row) * d.columns;
    for (std::int64_t i = 0; i < n; ++i) {
      frames.read(i * total / n, 1, frame);
      for (std::int64_t p = 0; p < pixels; ++p)
        stack[static_cast<std::size_t>(p * n + i)] = frame[static_cast<std::size_t>(begin + p)];
      watch.advance(1);
    }
    parallel_chunks(pixels, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t p = from; p < to; ++p) {
        const auto values = std::span(stack).subspan(static_cast<std::size_t>(p * n), static_cast<std::size_t>(n));
        std::sort(values.begin(), values.end());
        median[static_cast<std::size_t>(begin + p)] =
            0.5f * (values[values.size() / 2] + values[(values.size() - 1) / 2]);
      }
    });
  }
  watch.end();
  return median;
}

class CorrectedCounts final : public ProjectionSource, public ReadsRows {
 public:
  CorrectedCounts(std::shared_ptr<ProjectionSource> counts, ProjectionSource* flats, ProjectionSource* darks,
                  std::shared_ptr<CorrectionReport> report, const Watch& watch)
      : counts_(std::move(counts)), report_(std::move(report)) {
    const Detector& d = scan().detector;
    dark_.assign(static_cast<std::size_t>(d.pixels()), 0.0f);
    if (darks) dark_ = median_frame(*darks, d, "darks", watch);
    if (flats) flat_ = median_frame(*flats, d, "flats", watch);
    find_dead(watch);
    repaired_.assign(static_cast<std::size_t>(scan().view_count()), 0);
    rows_ = read_rows_ = {0, d.rows};
    if (flats && counts_->read_counts(0, 0, {})) make_scale();
  }

  const Scan& scan() const override { return counts_->scan(); }

  /// With a row more on either side, from which missing pixels are filled.
  void look_at_rows(const IndexRange& rows) override {
    if (flat_.empty()) return;  // the brightest pixels may be anywhere
    rows_ = rows;
    const std::int64_t from = std::max<std::int64_t>(0, rows.first - 1),
                       to = std::min(scan().detector.rows, rows.end() + 1);
    read_rows_ = {from, to - from};
    backlit::look_at_rows(*counts_, read_rows_);
  }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    counts_->read(first, count, out);
    const auto pixels = static_cast<std::size_t>(scan().detector.pixels());
    std::vector<std::int64_t> repaired(static_cast<std::size_t>(count));
    const auto view = [&](std::int64_t i) { return out.subspan(static_cast<std::size_t>(i) * pixels, pixels); };
    parallel_for(count, [&](std::int64_t i) { repaired[static_cast<std::size_t>(i)] = correct(view(i)); });
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t& replaced = repaired[static_cast<std::size_t>(i)];
      if (replaced == takes_whole_view) replaced = correct_whole(first + i, view(i));
      note_replaced(first + i, replaced);
    }
  }

  bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) override {
    return counts_->read_counts(first, count, out);
  }
  const CountScale* count_scale() const override { return scale_.open.empty() ? nullptr : &scale_; }
  void note_replaced(std::int64_t view, std::int64_t readings) override {
    refuse_if_dark(view, readings);
    // A view that is read again is counted once.
    if (report_ && !std::exchange(repaired_[static_cast<std::size_t>(view)], 1))
      report_->non_positive_values += readings;
  }

 private:
  void make_scale() {
    scale_.dark = dark_;
    scale_.open.resize(flat_.size());
    for (std::size_t p = 0; p < flat_.size(); ++p) scale_.open[p] = dead_[p] ? 0 : flat_[p] - dark_[p];
  }

  /// Dead pixels: no flat above dark. Without flats: no reading above dark in any of 32 views over the scan.
  void find_dead(const Watch& watch) {
    const auto pixels = static_cast<std::size_t>(scan().detector.pixels());
    dead_.assign(pixels, 1);
    std::vector<float> view(pixels);
    const std::int64_t total = scan().view_count(), n = std::min<std::int64_t>(total, 32);
    watch.begin("counts", n, "views");
    for (std::int64_t i = 0; i < n; ++i) {
      counts_->read(i * total / n, 1, view);
      for (std::size_t p = 0; p < pixels; ++p)
        if (view[p] > dark_[p]) dead_[p] = 0;
      watch.advance(1);
    }
    watch.end();
    for (std::size_t p = 0; p < pixels; ++p) {
      if (!flat_.empty() && !(flat_[p] > dark_[p])) dead_[p] = 1;
      if (dead_[p]) dead_list_.push_back(static_cast<std::int64_t>(p));
    }
    if (dead_list_.size() == pixels)
      throw InputError("counts", "no pixel reads above dark", "check that flats and darks are not exchanged");
    if (!report_) return;
    report_->dead = dead_list_;
    report_->dead_pixels = static_cast<std::int64_t>(dead_list_.size());
  }

  /// The mean of the brightest one per cent: the reading without an object.
  float brightest(std::span<const float> view) const {
    std::vector<float> values;
    for (std::size_t p = 0; p < view.size(); ++p)
      if (!dead_[p]) values.push_back(view[p] - dark_[p]);
    const std::size_t n = std::max<std::size_t>(1, values.size() / 100);
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n - 1), values.end(),
                     std::greater<>());
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += values[i];
    return static_cast<float>(sum / static_cast<double>(n));
  }

  /// Counts become line integrals, in place, in the rows that are read; returns how many readings of live pixels had to
  /// be replaced in the rows that are looked at. takes_whole_view where missing pixels lie so close together that rows
  /// farther away decide.
  std::int64_t correct(std::span<float> whole) const {
    const std::int64_t columns = scan().detector.columns;
    const auto skipped = static_cast<std::size_t>(read_rows_.first * columns);
    const auto view = whole.subspan(skipped, static_cast<std::size_t>(read_rows_.count * columns));
    const IndexRange rows{rows_.first - read_rows_.first, rows_.count};
    const float open = flat_.empty() ? brightest(view) : 0;
    std::vector<char> bad(dead_.begin() + static_cast<std::ptrdiff_t>(skipped),
                          dead_.begin() + static_cast<std::ptrdiff_t>(skipped + view.size()));
    std::int64_t replaced = 0;
    bool complete = true;
    for (std::size_t p = 0; p < view.size(); ++p) {
      if (bad[p]) {
        complete = false;
        continue;
      }
      const std::size_t q = skipped + p;
      const float reading = view[p] - dark_[q], ratio = reading / (flat_.empty() ? open : flat_[q] - dark_[q]);
      if (reading > 0 && std::isnormal(ratio)) {
        view[p] = -std::log(ratio);
      } else {
        bad[p] = 1;
        complete = false;
        if (rows.contains(static_cast<std::int64_t>(p) / columns)) ++replaced;
      }
    }
    if (complete) return replaced;
    if (view.size() == whole.size())
      fill_missing(view, columns, bad);
    else if (!fill_from_neighbours(view, columns, bad, rows))
      return takes_whole_view;
    return replaced;
  }

  std::int64_t correct_whole(std::int64_t index, std::span<float> view) {
    const IndexRange read_rows = std::exchange(read_rows_, {0, scan().detector.rows});
    backlit::look_at_rows(*counts_, read_rows_);
    counts_->read(index, 1, view);
    const std::int64_t replaced = correct(view);
    read_rows_ = read_rows;
    backlit::look_at_rows(*counts_, read_rows_);
    return replaced;
  }

  void refuse_if_dark(std::int64_t view, std::int64_t replaced) const {
    const std::int64_t columns = scan().detector.columns;
    const auto dead = dead_.begin() + rows_.first * columns;
    const std::int64_t live = std::count(dead, dead + rows_.count * columns, char{0});
    if (2 * replaced > live)
      throw InputError(fmt::format("view {}", view),
                       fmt::format("{} of {} pixels have no reading above dark", replaced, live),
                       "leave the view out, or check its exposure and the darks");
  }

  static constexpr std::int64_t takes_whole_view = -1;

  std::shared_ptr<ProjectionSource> counts_;
  std::shared_ptr<CorrectionReport> report_;
  IndexRange rows_, read_rows_;  ///< that are looked at, and that are read for them
  std::vector<float> flat_, dark_;
  std::vector<char> dead_, repaired_;
  std::vector<std::int64_t> dead_list_;
  CountScale scale_;  ///< empty when counts are not 16-bit, or there is no flat
};

}  // namespace

std::shared_ptr<ProjectionSource> correct_counts(std::shared_ptr<ProjectionSource> counts,
                                                 std::shared_ptr<ProjectionSource> flats,
                                                 std::shared_ptr<ProjectionSource> darks,
                                                 std::shared_ptr<CorrectionReport> report, const Watch& watch) {
  return std::make_shared<CorrectedCounts>(std::move(counts), flats.get(), darks.get(), std::move(report), watch);
}

}  // namespace backlit
