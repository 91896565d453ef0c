// Some views of a scan as a scan of its own.
#pragma once

#include <memory>
#include <vector>

#include <backlit/data/projections.hpp>
#include <backlit/data/reads_rows.hpp>

namespace backlit {

/// Under the source's own geometry. Reads views that are neighbours in the source in one go.
class SelectedViews final : public ProjectionSource, public ReadsRows {
 public:
  /// In this order; all of them are the source's.
  SelectedViews(std::shared_ptr<ProjectionSource> source, std::vector<std::int64_t> views);
  /// Views first, first + step, ... below `end`. Throws InputError unless 0 <= first < end <= number of views and step
  /// >= 1.
  SelectedViews(std::shared_ptr<ProjectionSource> source, std::int64_t first, std::int64_t end, std::int64_t step);

  const Scan& scan() const override { return scan_; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override;
  void look_at_rows(const IndexRange& rows) override { backlit::look_at_rows(*source_, rows); }
  bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) override;
  const CountScale* count_scale() const override { return source_->count_scale(); }
  void note_replaced(std::int64_t view, std::int64_t readings) override {
    source_->note_replaced(views_[static_cast<std::size_t>(view)], readings);
  }

 private:
  template <class T, class Read>
  bool gather(std::int64_t first, std::int64_t count, std::span<T> out, Read&& read) const;

  std::shared_ptr<ProjectionSource> source_;
  std::vector<std::int64_t> views_;
  Scan scan_;
};

}  // namespace backlit
