// Cards of several ranks that pass rows of images, and slices of volumes, to each other directly, not through host
// memory.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <backlit/core/index_range.hpp>
#include <backlit/device/device_array.hpp>
#include <backlit/device/ranks.hpp>
#include "device/shares_card.hpp"

namespace backlit {

class RowLink {
 public:
  virtual ~RowLink() = default;

  /// Whether the array lies on the card as a whole.
  virtual bool takes(const DeviceArray&) const = 0;
  /// Adds up the rows that ranks have in common, in the order of ranks: all get the same bits. `common` has an entry a
  /// rank: which of this rank's rows that rank has, too, counted from its first row (this rank's own entry is empty).
  /// `most`: the largest number of such rows that any rank has. All ranks call it. Throws Failure where another rank
  /// fails meanwhile.
  virtual void add_up(std::span<const IndexRange> common, std::int64_t most, DeviceArray& images) = 0;
  /// Overwrites `sum` with the sum of several ranks' slabs, of the slices that this rank gets, in the order of ranks.
  /// `parts` has an entry a rank: which slices of the slab that rank gets; none where it has another slab. All ranks
  /// call it. Throws as add_up() does.
  virtual void scatter_sum(const DeviceArray& slab, std::span<const IndexRange> parts, DeviceArray& sum) = 0;
  /// Arrays that go to another rank, and arrays that are overwritten with those that come from there: one slice each.
  struct Neighbour {
    int rank;
    std::vector<ArrayPtr> out, in;
  };
  /// Between neighbours. All ranks call it, with slices of the same shape. Throws as add_up() does.
  virtual void swap(std::span<const Neighbour>, const ArrayShape& slice) = 0;
};

/// Implemented by backends of cards.
class LinksRows : public SharesCard {
 public:
  /// All ranks call it, each with a card; `own_cards`: no two of them share one. Null where there is no way from card
  /// to card.
  virtual std::unique_ptr<RowLink> link_rows(std::shared_ptr<Ranks>, bool own_cards) = 0;
  /// Whether cards of several machines can be linked.
  virtual bool links_machines() const = 0;
};

}  // namespace backlit
