// Lines of response on all cores, in double precision: the reference, and the backend without a GPU.
#pragma once

#include <vector>

#include <backlit/projectors/lines_of_response/line_options.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "projectors/lines_of_response/line_weights.hpp"

namespace backlit {

/// Rows are the lines, in their order: arrays of shape {1, 1, lines}. Results do not depend on the number of threads.
class CpuListMode final : public LinearOperator {
 public:
  CpuListMode(const VolumeGrid&, const LineList&, const LineOptions&);

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return {1, 1, static_cast<std::int64_t>(lines_.size())}; }
  ArrayPtr make_domain() override;
  ArrayPtr make_range(std::int64_t rows) override;
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  bool matched() const override { return true; }
  std::string variant() const override { return describe(options_, with_tof_) + ", double"; }

 private:
  struct Line {
    Lor<double> lor;
    std::uint8_t kernel;
  };

  LineShape shape(const Line&) const;
  const TofKernel* tof() const { return with_tof_ ? &options_.tof : nullptr; }
  /// x += A' value(i), over the lines i of the subset.
  template <class Value>
  void add_back(double* x, const SubsetRows&, Value&&) const;

  VolumeGrid grid_;
  LorGrid lor_grid_;
  LineOptions options_;
  bool with_tof_;
  std::vector<Line> lines_;
};

}  // namespace backlit
