// Arrays of which each rank holds a part.
#pragma once

#include <memory>
#include <vector>

#include <backlit/core/index_range.hpp>
#include <backlit/device/device_array.hpp>

namespace backlit {

/// The parts of all ranks along one axis, which may overlap where they hold the same values.
class Parting {
 public:
  enum class Axis { slices, rows };

  Parting(Axis axis, std::vector<IndexRange> parts, int rank)
      : axis_(axis), parts_(std::move(parts)), rank_(static_cast<std::size_t>(rank)) {}

  Axis axis() const { return axis_; }
  const std::vector<IndexRange>& parts() const { return parts_; }
  const IndexRange& mine() const { return parts_[rank_]; }
  std::size_t rank() const { return rank_; }
  /// The rank that counts an item: the first that has it.
  std::size_t owner(std::int64_t item) const {
    std::size_t r = 0;
    while (r < parts_.size() && !parts_[r].contains(item)) ++r;
    return r;
  }
  bool operator==(const Parting&) const = default;

 private:
  Axis axis_;
  std::vector<IndexRange> parts_;
  std::size_t rank_;
};

/// shape() is the whole's. Volumes are parted along n2, projections along n1.
class RankedArray final : public DeviceArray {
 public:
  RankedArray(const ArrayShape& whole, std::shared_ptr<const Parting> parting, ArrayPtr part)
      : DeviceArray(whole, Layout::linear), parting_(std::move(parting)), part_(std::move(part)) {}

  const Parting& parting() const { return *parting_; }
  const std::shared_ptr<const Parting>& shared_parting() const { return parting_; }
  bool in_slices() const { return parting_->axis() == Parting::Axis::slices; }
  DeviceArray& part() const { return *part_; }
  bool pages() const override { return part_->pages(); }

 private:
  std::shared_ptr<const Parting> parting_;
  ArrayPtr part_;
};

}  // namespace backlit
