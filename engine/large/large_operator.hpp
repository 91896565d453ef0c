// A CT operator in parts: slabs of the volume and batches of views take turns on the device.
#pragma once

#include <backlit/projectors/subset_rows.hpp>
#include "large/cut.hpp"
#include "large/large_array.hpp"

namespace backlit {

/// The sum over slabs of the device's operator of each slab's own grid. Slabs are the outer loop, batches of views the
/// inner one. Results differ from the whole volume's by the error of the precision. Arrays that have no room in the
/// budget lie in host memory. Works on arrays of other slabs, too: those of another operator of the same backend.
class LargeOperator final : public LinearOperator {
 public:
  /// `memory`: the device's, 0 for no limit; half of it is for the slab at work.
  LargeOperator(Backend& device, std::shared_ptr<Budget> budget, const VolumeGrid& grid, const Scan& scan,
                const CtOptions& options, const Cut& cut, std::int64_t memory);

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(scan_.detector, scan_.view_count()); }
  ArrayPtr make_domain() override { return make_array(domain(), cut_.slices); }
  ArrayPtr make_range(std::int64_t rows) override { return make_array(shape_of(scan_.detector, rows), cut_.views); }
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  /// Slab by slab, where the subset's views come to the device at once.
  bool relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset&) override;
  bool matched() const override { return matched_; }
  /// Also where volumes lie in host memory: then each of their slabs comes to the device once.
  bool prefers_whole() const override { return packs_ || pages_; }
  std::string variant() const override { return variant_; }

  /// Whether the device's own operator wants all views at once.
  bool packs() const { return packs_; }

 private:
  /// Views of one part of a range array that a call is about.
  struct Batch {
    const ArrayPart* part;
    Subset views;                ///< rows of the operator
    std::int64_t first, stride;  ///< of them in the part; stride 0: the part as it is
  };
  struct Plan {
    std::int64_t first, count;
    std::unique_ptr<LinearOperator> ct;
  };

  ArrayPtr make_array(const ArrayShape&, std::int64_t rows);
  std::vector<ArrayPart> slabs_of(const DeviceArray& x);
  LinearOperator& plan_for(std::int64_t first, std::int64_t count);
  std::vector<Batch> batches(const DeviceArray& y, const std::vector<ArrayPart>&, const Subset&) const;
  template <class F>
  void use(const Batch&, Access, F&& f);

  Backend& device_;
  std::shared_ptr<Budget> budget_;
  VolumeGrid grid_;
  Scan scan_;
  CtOptions options_;
  Cut cut_;
  std::size_t most_plans_;   ///< that may live at a time
  std::vector<Plan> plans_;  ///< the last one was used last
  std::shared_ptr<Staging> staging_;
  std::string variant_;  ///< this and the next two are the device's operator's
  bool matched_ = false, packs_ = false;
  bool pages_ = false;  ///< volumes have no room in the budget
};

}  // namespace backlit
