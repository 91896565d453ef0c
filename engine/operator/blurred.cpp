#include "operator/blurred.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/parallel.hpp"

namespace backlit {

GaussianBlur::GaussianBlur(const VolumeGrid& grid, double fwhm_mm) : size_(grid.size) {
  if (!(fwhm_mm > 0 && std::isfinite(fwhm_mm)))
    throw InputError("blur", fmt::format("a width of {} mm", fwhm_mm), "give a positive number of mm");
  for (int axis = 0; axis < 3; ++axis) {
    const double sigma = fwhm_mm / 2.3548200450309493 / grid.spacing[axis];
    const auto reach = std::min(static_cast<std::int64_t>(std::ceil(4 * sigma)), size_[static_cast<std::size_t>(axis)]);
    auto& weights = weights_[static_cast<std::size_t>(axis)];
    double sum = 0;
    for (std::int64_t i = 0; i <= reach; ++i) {
      const double x = static_cast<double>(i) / sigma;
      weights.push_back(std::exp(-0.5 * x * x));
      sum += i == 0 ? 1 : 2 * weights.back();
    }
    for (double& w : weights) w /= sum;
  }
}

void GaussianBlur::operator()(std::span<float> values) const {
  const std::int64_t strides[3] = {1, size_[0], size_[0] * size_[1]}, all = count(size_);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t n = size_[axis], stride = strides[axis];
    const auto& weights = weights_[axis];
    parallel_chunks(
        all / n,
        [&](std::int64_t begin, std::int64_t end) {
          std::vector<double> line(static_cast<std::size_t>(n));
          for (std::int64_t l = begin; l < end; ++l) {
            float* first = values.data() + l % stride + l / stride * stride * n;
            for (std::int64_t i = 0; i < n; ++i) line[static_cast<std::size_t>(i)] = first[i * stride];
            for (std::int64_t i = 0; i < n; ++i) {
              double sum = weights[0] * line[static_cast<std::size_t>(i)];
              for (std::size_t k = 1; k < weights.size(); ++k) {
                const auto away = static_cast<std::int64_t>(k);
                if (i >= away) sum += weights[k] * line[static_cast<std::size_t>(i - away)];
                if (i + away < n) sum += weights[k] * line[static_cast<std::size_t>(i + away)];
              }
              first[i * stride] = static_cast<float>(sum);
            }
          }
        },
        1024);
  }
}

BlurredOperator::BlurredOperator(Backend& backend, std::unique_ptr<LinearOperator> inner, const VolumeGrid& grid,
                                 double fwhm_mm)
    : backend_(backend),
      operator_(std::move(inner)),
      blur_(grid, fwhm_mm),
      fwhm_mm_(fwhm_mm),
      image_(operator_->make_domain()),
      host_(static_cast<std::size_t>(image_->count())) {
  if (operator_->domain() != shape_of(grid)) throw Failure("blur", "the operator's image is not on the grid");
}

void BlurredOperator::blur(const DeviceArray& from, DeviceArray& to) {
  backend_.download(from, host_);
  blur_(host_);
  backend_.upload(host_, to);
}

void BlurredOperator::forward(const DeviceArray& x, DeviceArray& y, const Subset& s, Write write) {
  blur(x, *image_);
  operator_->forward(*image_, y, s, write);
}

void BlurredOperator::back(const DeviceArray& y, DeviceArray& x, const Subset& s, Write write) {
  operator_->back(y, *image_, s, Write::overwrite);
  blur(*image_, *image_);
  write == Write::overwrite ? backend_.copy(*image_, x) : backend_.axpy(1, *image_, x);
}

void BlurredOperator::sensitivity(DeviceArray& x, const Subset& s) {
  operator_->sensitivity(x, s);
  blur(x, x);
}

std::string BlurredOperator::variant() const {
  return fmt::format("{}, PSF {:.4g} mm", operator_->variant(), fwhm_mm_);
}

}  // namespace backlit
