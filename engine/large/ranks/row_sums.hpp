// Adds up projections of slabs where the rows of several ranks overlap.
#pragma once

#include <vector>

#include <backlit/core/index_range.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/device/ranks.hpp>
#include "device/row_link.hpp"
#include "large/ranks/host_values.hpp"
#include "large/ranks/ranked_array.hpp"

namespace backlit {

/// Keeps its host memory from call to call: fetching fresh memory would take longer than the sums.
class RowSums {
 public:
  /// `images` holds a rank's rows of some views, projected from its slab alone. Afterwards they are those of the whole
  /// volume: the rows that ranks have in common are exchanged and added in the order of ranks, so that all get the same
  /// bits.
  /// By `link`, where there is one and the images of all ranks lie on cards.
  void add_up(Ranks&, RowLink* link, Backend& device, const Parting&, DeviceArray& images);

 private:
  /// Rows of all views on the host, view after view.
  struct Rows {
    IndexRange range;
    std::int64_t columns;
    HostValues own, sum;

    /// Of one view.
    std::span<std::byte> of(HostValues&, std::int64_t view, const IndexRange& rows) const;
  };
  void prepare(Backend& device, const std::vector<IndexRange>& shared, const DeviceArray& images);

  ArrayShape prepared_for_{0, 0, 0};
  std::vector<Rows> rows_;
  std::vector<std::vector<std::byte>> out_, in_;
};

}  // namespace backlit
