// A CT operator in parts: slabs of the volume and batches of views are on the device one after another.
#pragma once

#include <backlit/projectors/subset_rows.hpp>
#include "large/cut.hpp"
#include "large/large_array.hpp"
#include "projectors/slabwise.hpp"

namespace backlit {

/// The sum over slabs of the device's operator for each slab's grid. Slabs are the outer loop, batches of views the
/// inner loop. Results differ from the whole volume's by the error of the precision. Arrays that exceed the budget lie
/// in host memory. Arrays of another operator of the same backend, with other slabs, are accepted too.
class LargeOperator final : public LinearOperator, public Slabwise {
 public:
  /// `memory`: limit on the device's memory, 0 for none. Half of it is for the slab at work.
  LargeOperator(Backend& device, std::shared_ptr<Budget> budget, const VolumeGrid& grid, const Scan& scan,
                const CtOptions& options, const Cut& cut, std::int64_t memory);

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(scan_.detector, scan_.view_count()); }
  ArrayPtr make_domain() override { return make_array(domain(), cut_.slices); }
  ArrayPtr make_range(std::int64_t rows) override { return make_array(shape_of(scan_.detector, rows), cut_.views); }
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  std::int64_t back_slab(const DeviceArray& y, DeviceArray& x, const Subset&, Write, std::int64_t first) override;
  bool in_slabs(const DeviceArray& x) const override { return parts_of(x).size() > 1; }
  std::int64_t slab_slices(const DeviceArray& x) const override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  /// Works slab by slab, if the subset's views fit in one batch.
  bool relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset&) override;
  bool matched() const override { return matched_; }
  /// True also when volumes lie in host memory: then one call copies each slab to the device once.
  bool prefers_whole() const override { return packs_ || pages_; }
  std::string variant() const override { return variant_; }

  /// Whether the device's own operator prefers all views in one call.
  bool packs() const { return packs_; }

 private:
  /// The views of a call that lie in one part of a range array.
  struct Batch {
    const ArrayPart* part;
    Subset views;                ///< rows of the operator
    std::int64_t first, stride;  ///< of these rows in the part; stride 0: the whole part is used
  };
  struct Plan {
    std::int64_t first, count;
    std::unique_ptr<LinearOperator> ct;
  };

  ArrayPtr make_array(const ArrayShape&, std::int64_t rows);
  std::vector<ArrayPart> slabs_of(const DeviceArray& x);
  LinearOperator& plan_for(std::int64_t first, std::int64_t count);
  std::vector<Batch> batches(const DeviceArray& y, const std::vector<ArrayPart>&, const Subset&) const;
  void back_into(const ArrayPart& slab, const std::vector<Batch>& views, Write);
  template <class F>
  void use(const Batch&, Access, F&& f);

  Backend& device_;
  std::shared_ptr<Budget> budget_;
  VolumeGrid grid_;
  Scan scan_;
  CtOptions options_;
  Cut cut_;
  std::size_t most_plans_;   ///< largest number of plans at a time
  std::vector<Plan> plans_;  ///< the last one was used last
  std::shared_ptr<Staging> staging_;
  std::string variant_;  ///< from the device's operator, like the next two
  bool matched_ = false, packs_ = false;
  bool pages_ = false;  ///< volumes exceed the budget
};

}  // namespace backlit
