// A resolution model in image space: an operator that sees the image through a Gaussian (Reader et al., IEEE Trans.
// Nucl. Sci. 50 (2003) 1392).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "backend/backend.hpp"

namespace backlit {

/// Gaussian smoothing of values on a grid, cut at 4 standard deviations; nothing beyond the grid. Its own transpose.
class GaussianBlur {
 public:
  /// Throws InputError when the width is not positive.
  GaussianBlur(const VolumeGrid&, double fwhm_mm);
  void operator()(std::span<float> values) const;

 private:
  Size3 size_;
  std::array<std::vector<double>, 3> weights_;  ///< from the middle outwards
};

/// A G x and G A' y. The blur is done on the host.
class BlurredOperator final : public LinearOperator {
 public:
  BlurredOperator(Backend&, std::unique_ptr<LinearOperator>, const VolumeGrid&, double fwhm_mm);

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
  void blur(const DeviceArray& from, DeviceArray& to);

  Backend& backend_;
  std::unique_ptr<LinearOperator> operator_;
  GaussianBlur blur_;
  double fwhm_mm_;
  ArrayPtr image_;
  std::vector<float> host_;
};

}  // namespace backlit
