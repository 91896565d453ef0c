#include "large/ranks/row_source.hpp"

#include <algorithm>
#include <vector>

#include <backlit/data/reads_rows.hpp>
#include "large/ranks/rank_share.hpp"

namespace backlit {
namespace {

constexpr std::int64_t values_at_a_time = std::int64_t{1} << 24;

class RowSource final : public ProjectionSource {
 public:
  RowSource(std::shared_ptr<ProjectionSource> source, const IndexRange& rows, Ranks& ranks)
      : source_(std::move(source)), ranks_(ranks), rows_(rows), scan_(rows_of_scan(source_->scan(), rows)) {
    look_at_rows(*source_, rows_);
    if (const CountScale* scale = source_->count_scale())
      scale_ = std::make_unique<CountScale>(CountScale{part(scale->dark), part(scale->open)});
  }

  const Scan& scan() const override { return scan_; }
  const CountScale* count_scale() const override { return scale_.get(); }
  void note_replaced(std::int64_t view, std::int64_t readings) override { source_->note_replaced(view, readings); }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    in_pieces(first, count, out, values_,
              [&](std::int64_t from, std::int64_t views) { source_->read(from, views, values_); });
  }
  bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) override {
    if (!source_->read_counts(first, 0, {})) return false;
    in_pieces(first, count, out, counts_,
              [&](std::int64_t from, std::int64_t views) { source_->read_counts(from, views, counts_); });
    return true;
  }

 private:
  std::int64_t whole() const { return source_->scan().detector.pixels(); }

  template <class T>
  std::vector<T> part(const std::vector<T>& view) const {
    const std::int64_t columns = scan_.detector.columns;
    return {view.begin() + rows_.first * columns, view.begin() + rows_.end() * columns};
  }

  /// Reads whole views into `room`, some at a time, and copies their rows. First asks whether a rank has failed.
  template <class T, class Read>
  void in_pieces(std::int64_t first, std::int64_t count, std::span<T> out, std::vector<T>& room, Read&& read) {
    ranks_.check();
    const std::int64_t pixels = scan_.detector.pixels(), skipped = rows_.first * scan_.detector.columns;
    const std::int64_t most = std::max<std::int64_t>(1, values_at_a_time / whole());
    for (std::int64_t done = 0, views; done < count; done += views) {
      views = std::min(most, count - done);
      room.resize(static_cast<std::size_t>(views * whole()));
      read(first + done, views);
      for (std::int64_t v = 0; v < views; ++v)
        std::copy_n(room.begin() + v * whole() + skipped, pixels, out.begin() + (done + v) * pixels);
    }
  }

  std::shared_ptr<ProjectionSource> source_;
  Ranks& ranks_;
  IndexRange rows_;
  Scan scan_;
  std::unique_ptr<CountScale> scale_;
  std::vector<float> values_;
  std::vector<std::uint16_t> counts_;
};

}  // namespace

std::shared_ptr<ProjectionSource> rows_of_source(std::shared_ptr<ProjectionSource> source, const IndexRange& rows,
                                                 Ranks& ranks) {
  if (rows.count == source->scan().detector.rows) return source;
  return std::make_shared<RowSource>(std::move(source), rows, ranks);
}

}  // namespace backlit
