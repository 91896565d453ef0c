// An image of several parts, each on its own grid: the projection of a line is the sum over the parts.
#pragma once

#include <memory>
#include <vector>

#include <backlit/device/backend.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit {

/// Operators of equal range, one for each part. The domain holds the parts one after another along n2.
class StackedImages final : public LinearOperator {
 public:
  StackedImages(Backend&, std::vector<std::unique_ptr<LinearOperator>> parts);

  ArrayShape domain() const override;
  ArrayShape range() const override { return parts_.front()->range(); }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return parts_.front()->make_range(rows); }
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  bool matched() const override { return parts_.front()->matched(); }
  std::string variant() const override;

 private:
  /// Calls f(operator, its part of the image, number) for each part.
  template <class F>
  void each_part(const DeviceArray& x, F&& f);

  Backend& backend_;
  std::vector<std::unique_ptr<LinearOperator>> parts_;
};

}  // namespace backlit
