// Cards of several ranks that pass rows of images, and slices of volumes, to each other directly, not through host
// memory.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <backlit/core/index_range.hpp>
#include <backlit/device/device_array.hpp>
#include <backlit/device/ranks.hpp>

namespace backlit {

class RowLink {
 public:
  virtual ~RowLink() = default;

  /// Whether the array lies on the card as a whole.
  virtual bool takes(const DeviceArray&) const = 0;
  /// Adds up the rows that ranks have in common, in the order of ranks: all get the same bits. `common` has an entry a
  /// rank: which of this rank's rows that rank has, too, counted from its first row (this rank's own entry is empty).
  /// All ranks call it. Throws Failure where another rank fails meanwhile.
  virtual void add_up(std::span<const IndexRange> common, DeviceArray& images) = 0;
  /// Overwrites `sum` with the sum of several ranks' slabs, of the slices that this rank gets, in the order of ranks.
  /// `parts` has an entry a rank: which slices of the slab that rank gets; none where it has another slab. All ranks
  /// call it. Throws as add_up() does.
  virtual void scatter_sum(const DeviceArray& slab, std::span<const IndexRange> parts, DeviceArray& sum) = 0;
};

/// Implemented by backends of cards.
class LinksRows {
 public:
  virtual ~LinksRows() = default;
  /// Which card this is, unlike any other of any machine; empty where it cannot be linked.
  virtual std::string link_name() const = 0;
  /// All ranks call it, each with a card of its own.
  virtual std::unique_ptr<RowLink> link_rows(std::shared_ptr<Ranks>) = 0;
};

}  // namespace backlit
