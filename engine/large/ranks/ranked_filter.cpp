#include "large/ranks/ranked_filter.hpp"

#include <algorithm>

#include <backlit/core/error.hpp>
#include "large/ranks/rank_share.hpp"
#include "large/ranks/ranked_backend.hpp"
#include "preprocess/filter/widening.hpp"
#include "recon/fdk/host_filter.hpp"

namespace backlit {
namespace {

/// Two rows in the middle: enough to know whether the device has such a filter.
IndexRange middle_rows(const Detector& d) {
  const std::int64_t count = std::min<std::int64_t>(2, d.rows);
  return {(d.rows - count) / 2, count};
}

}  // namespace

RankedFilter::RankedFilter(Backend& device, const Scan& scan, const FilterOptions& options)
    : device_(device), scan_(scan), wide_(Widening(scan, options).wide), options_(options) {
  options_.force = true;  // the whole scan has passed
  device.make_filter(rows_of_scan(scan, middle_rows(scan.detector)), options_);
}

ProjectionFilter& RankedFilter::filter_for(const IndexRange& rows) {
  if (!filter_ || rows_ != rows) {
    rows_ = rows;
    filter_ = device_.name() == "cpu" ? make_host_filter(device_, scan_, options_, rows)
                                      : device_.make_filter(rows_of_scan(scan_, rows), options_);
  }
  return *filter_;
}

void RankedFilter::run(std::int64_t first, std::span<const float> views, DeviceArray& out) {
  const IndexRange& rows = as_ranked(out)->parting().mine();
  const Detector& d = scan_.detector;
  const std::int64_t count = out.shape().n2, part = rows.count * d.columns;
  if (rows.count == d.rows) return filter_for(rows).run(first, views, part_of(out));
  views_.resize(static_cast<std::size_t>(count * part));
  for (std::int64_t i = 0; i < count; ++i)
    std::copy_n(views.begin() + i * d.pixels() + rows.first * d.columns, part, views_.begin() + i * part);
  filter_for(rows).run(first, views_, part_of(out));
}

void RankedFilter::run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out) {
  const RankedArray& from = *as_ranked(views);
  if (!(from.parting() == as_ranked(out)->parting()))
    throw Unsupported("filter", "ranks hold other rows of the measured views than of the filtered ones",
                      "filter them from the host");
  filter_for(from.parting().mine()).run_on_device(first, from.part(), part_of(out));
}

}  // namespace backlit
