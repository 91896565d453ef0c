// The same projections under another geometry.
#pragma once

#include <memory>

#include <backlit/data/projections.hpp>
#include <backlit/data/reads_rows.hpp>

namespace backlit {

class PlacedViews final : public ProjectionSource, public ReadsRows {
 public:
  /// `scan` must have as many views and pixels as the source.
  PlacedViews(std::shared_ptr<ProjectionSource> source, Scan scan)
      : source_(std::move(source)), scan_(std::move(scan)) {}
  const Scan& scan() const override { return scan_; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override { source_->read(first, count, out); }
  void look_at_rows(const IndexRange& rows) override { backlit::look_at_rows(*source_, rows); }
  bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) override {
    return source_->read_counts(first, count, out);
  }
  const CountScale* count_scale() const override { return source_->count_scale(); }
  void note_replaced(std::int64_t view, std::int64_t readings) override { source_->note_replaced(view, readings); }
  ProjectionSource* placed() override { return source_.get(); }

 private:
  std::shared_ptr<ProjectionSource> source_;
  Scan scan_;
};

}  // namespace backlit
