// A resolution model in image space: an operator that sees the image through a Gaussian (Reader et al., IEEE Trans.
// Nucl. Sci. 50 (2003) 1392).
#pragma once

#include <memory>
#include <span>

#include <backlit/device/backend.hpp>
#include <backlit/device/blur.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit {

/// Gaussian smoothing of values on a grid, on a backend. Values beyond the grid are 0. The operation is its own
/// transpose.
class GaussianBlur {
 public:
  /// The backend must outlive this object. Throws InputError when the width is not positive, Unsupported when the
  /// backend cannot smooth.
  GaussianBlur(Backend&, const VolumeGrid&, double fwhm_mm);

  double fwhm_mm() const { return fwhm_mm_; }
  ArrayShape shape() const { return one_->shape(); }
  /// An array for the caller's values, valid until the next smoothing.
  DeviceArray& room() { return *one_; }
  /// The smoothed values, in an array that stays valid until the next smoothing.
  const DeviceArray& operator()(const DeviceArray& from);
  /// The same for values on the host, in place.
  void operator()(std::span<float> values);

 private:
  Backend& backend_;
  std::unique_ptr<Blur> blur_;
  ArrayPtr one_, other_;
  double fwhm_mm_;
};

/// The operator A G and its transpose G A', G the blur. Operators of one image may share the blur.
class BlurredOperator final : public LinearOperator {
 public:
  BlurredOperator(Backend&, std::unique_ptr<LinearOperator>, std::shared_ptr<GaussianBlur>);

  ArrayShape domain() const override { return operator_->domain(); }
  ArrayShape range() const override { return operator_->range(); }
  ArrayPtr make_domain() override { return operator_->make_domain(); }
  ArrayPtr make_range(std::int64_t rows) override { return operator_->make_range(rows); }
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  bool matched() const override { return operator_->matched(); }
  std::string variant() const override;

 private:
  Backend& backend_;
  std::unique_ptr<LinearOperator> operator_;
  std::shared_ptr<GaussianBlur> blur_;
};

}  // namespace backlit
