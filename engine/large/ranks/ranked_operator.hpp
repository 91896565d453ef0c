// A CT operator of which each rank has a slab of slices and the detector rows that this sees.
#pragma once

#include <backlit/device/backend.hpp>
#include <backlit/device/ranks.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "large/ranks/rank_share.hpp"
#include "large/ranks/ranked_array.hpp"
#include "large/ranks/row_sums.hpp"
#include "projectors/slabwise.hpp"

namespace backlit {

/// Backprojection is each rank's own: no other rank has a part in it. Projections of slabs are added up in the rows
/// that ranks have in common.
class RankedOperator final : public LinearOperator, public Slabwise {
 public:
  /// `link` may be null: then rows pass through host memory.
  RankedOperator(Ranks&, std::shared_ptr<RowLink> link, Backend& device, const VolumeGrid&, const Scan&,
                 const CtOptions&);

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override;
  ArrayPtr make_range(std::int64_t rows) override;
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  std::int64_t back_slab(const DeviceArray& y, DeviceArray& x, const Subset&, Write, std::int64_t first) override;
  bool in_slabs(const DeviceArray& x) const override;
  std::int64_t slab_slices(const DeviceArray& x) const override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  bool relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset&) override;
  bool matched() const override { return slab_->matched(); }
  bool prefers_whole() const override { return prefers_whole_; }
  std::string variant() const override { return slab_->variant(); }

  bool slab_prefers_whole() const { return slab_->prefers_whole(); }
  /// What all ranks agreed on: they cut their work alike.
  void prefer_whole(bool whole) { prefers_whole_ = whole; }

 private:
  Ranks& ranks_;
  std::shared_ptr<RowLink> link_;
  Backend& device_;
  VolumeGrid grid_;
  Detector detector_;
  std::int64_t views_;
  std::shared_ptr<const Parting> slices_, rows_;
  std::unique_ptr<LinearOperator> slab_;
  RowSums sums_;
  bool prefers_whole_ = false;
};

}  // namespace backlit
