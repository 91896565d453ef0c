#include <backlit/projectors/blurred.hpp>

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

std::unique_ptr<Blur> make_blur(Backend& backend, const BlurWeights& weights) {
  if (auto* operations = dynamic_cast<BlurOperations*>(&backend)) return operations->make_blur(weights);
  throw Unsupported(backend.name(), "does not smooth volumes", "leave `psf` and `post_filter` out");
}

}  // namespace

GaussianBlur::GaussianBlur(Backend& backend, const VolumeGrid& grid, double fwhm_mm)
    : backend_(backend),
      blur_(make_blur(backend, gaussian_weights(grid, fwhm_mm))),
      one_(backend.make_array(shape_of(grid))),
      other_(backend.make_array(shape_of(grid))),
      fwhm_mm_(fwhm_mm) {}

const DeviceArray& GaussianBlur::operator()(const DeviceArray& from) {
  const bool own = &from == one_.get();
  DeviceArray &result = own ? *other_ : *one_, &between = own ? *one_ : *other_;
  blur_->along(0, from, result);
  blur_->along(1, result, between);
  blur_->along(2, between, result);
  return result;
}

void GaussianBlur::operator()(std::span<float> values) {
  backend_.upload(values, room());
  backend_.download((*this)(room()), values);
}

BlurredOperator::BlurredOperator(Backend& backend, std::unique_ptr<LinearOperator> inner,
                                 std::shared_ptr<GaussianBlur> blur)
    : backend_(backend), operator_(std::move(inner)), blur_(std::move(blur)) {
  if (operator_->domain() != blur_->shape()) throw Failure("blur", "the operator's image is not on the grid");
}

void BlurredOperator::forward(const DeviceArray& x, DeviceArray& y, const Subset& s, Write write) {
  operator_->forward((*blur_)(x), y, s, write);
}

void BlurredOperator::back(const DeviceArray& y, DeviceArray& x, const Subset& s, Write write) {
  operator_->back(y, blur_->room(), s, Write::overwrite);
  const DeviceArray& image = (*blur_)(blur_->room());
  write == Write::overwrite ? backend_.copy(image, x) : backend_.axpy(1, image, x);
}

void BlurredOperator::sensitivity(DeviceArray& x, const Subset& s) {
  operator_->sensitivity(blur_->room(), s);
  backend_.copy((*blur_)(blur_->room()), x);
}

std::string BlurredOperator::variant() const {
  return fmt::format("{}, PSF {:.4g} mm", operator_->variant(), blur_->fwhm_mm());
}

}  // namespace backlit
