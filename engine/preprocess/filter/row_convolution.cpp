#include "preprocess/filter/row_convolution.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include <backlit/core/error.hpp>
#include <backlit/geometry/types.hpp>

namespace backlit {
namespace {

fftwf_complex* raw(std::complex<float>* values) { return reinterpret_cast<fftwf_complex*>(values); }
fftw_complex* raw(std::complex<double>* values) { return reinterpret_cast<fftw_complex*>(values); }

/// `p` beyond an end with the value `end`, towards which `inside` lies as far within.
float mirrored(float end, float inside) {
  if (end == 0) return 0;
  const float p = 2 * end - inside;
  return end > 0 ? std::max(p, 0.0f) : std::min(p, 0.0f);
}

std::complex<float> mirrored(std::complex<float> end, std::complex<float> inside) {
  return {mirrored(end.real(), inside.real()), mirrored(end.imag(), inside.imag())};
}

}  // namespace

std::int64_t fast_length(std::int64_t n) {
  for (std::int64_t length = n + n % 2;; length += 2) {
    std::int64_t rest = length;
    for (std::int64_t prime : {2, 3, 5})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return length;
  }
}

std::mutex& fftw_planner() {
  static std::mutex mutex;
  return mutex;
}

void transform(std::vector<std::complex<double>>& values) {
  fftw_plan plan;
  {
    const std::lock_guard lock(fftw_planner());
    plan = fftw_plan_dft_1d(static_cast<int>(values.size()), raw(values.data()), raw(values.data()), FFTW_FORWARD,
                            FFTW_ESTIMATE);
  }
  fftw_execute(plan);
  const std::lock_guard lock(fftw_planner());
  fftw_destroy_plan(plan);
}

struct RowConvolution::Plans {
  fftwf_plan forward, backward;
};

RowConvolution::RowConvolution(std::int64_t columns, std::int64_t extension, const Kernel& kernel)
    : columns_(columns),
      extension_(std::min(extension, columns - 1)),
      size_(fast_length(2 * (columns + extension_))),
      plans_(std::make_unique<Plans>()) {
  std::vector<std::complex<double>> taps(static_cast<std::size_t>(size_));
  const std::int64_t reach = columns_ + extension_;  // no two columns are farther apart
  for (std::int64_t i = 0; i < size_; ++i) {
    const std::int64_t n = i <= size_ / 2 ? i : i - size_;
    // The middle entry means both n and -n. Their mean keeps an odd kernel odd.
    if (std::abs(n) <= reach)
      taps[static_cast<std::size_t>(i)] = 2 * n == size_ ? (kernel.tap(n) + kernel.tap(-n)) / 2 : kernel.tap(n);
  }
  transform(taps);
  for (std::int64_t k = 0; k < size_; ++k) {
    const double frequency = 2.0 * static_cast<double>(std::min(k, size_ - k)) / static_cast<double>(size_);
    spectrum_.emplace_back(taps[static_cast<std::size_t>(k)] * kernel.passed(frequency) / static_cast<double>(size_));
  }
  for (std::int64_t i = 1; i <= extension_; ++i)
    taper_.push_back(static_cast<float>(
        std::pow(std::cos(0.5 * pi * static_cast<double>(i) / static_cast<double>(extension_ + 1)), 0.75)));
  const Scratch values = scratch();
  const std::lock_guard lock(fftw_planner());
  const auto n = static_cast<int>(size_);
  plans_->forward = fftwf_plan_dft_1d(n, raw(values.get()), raw(values.get()), FFTW_FORWARD, FFTW_ESTIMATE);
  plans_->backward = fftwf_plan_dft_1d(n, raw(values.get()), raw(values.get()), FFTW_BACKWARD, FFTW_ESTIMATE);
}

RowConvolution::~RowConvolution() {
  const std::lock_guard lock(fftw_planner());
  fftwf_destroy_plan(plans_->forward);
  fftwf_destroy_plan(plans_->backward);
}

RowConvolution::Scratch RowConvolution::scratch() const {
  auto* values = reinterpret_cast<std::complex<float>*>(fftwf_alloc_complex(static_cast<std::size_t>(size_)));
  if (!values) throw Failure("row filter", "no memory for a row");
  return {values, [](std::complex<float>* p) { fftwf_free(p); }};
}

std::vector<float> RowConvolution::response() const {
  std::vector<float> real;
  for (const auto& value : spectrum_) real.push_back(value.real());
  return real;
}

std::vector<double> RowConvolution::taps() const {
  std::vector<std::complex<double>> values(spectrum_.begin(), spectrum_.end());
  transform(values);  // forward in place of backward: the taps come in reverse order
  std::vector<double> taps{values[0].real()};
  for (std::int64_t i = 1; i < columns_ + extension_; ++i)
    taps.push_back(values[static_cast<std::size_t>(size_ - i)].real());
  return taps;
}

/// Values before the first column are stored at the end of the buffer, because the transform is periodic.
void RowConvolution::extend(std::complex<float>* row) const {
  std::complex<float>*last = row + columns_ - 1, *end = row + size_;
  for (std::int64_t i = 1; i <= extension_; ++i) {
    const float taper = taper_[static_cast<std::size_t>(i - 1)];
    last[i] = taper * mirrored(*last, last[-i]);
    end[-i] = taper * mirrored(*row, row[i]);
  }
}

void RowConvolution::run(std::span<float> first, std::span<float> second, const Scratch& values) const {
  for (std::size_t i = 0; i < first.size(); ++i) values[i] = {first[i], second.empty() ? 0.0f : second[i]};
  std::fill(values.get() + columns_, values.get() + size_, std::complex<float>(0));
  extend(values.get());
  fftwf_execute_dft(plans_->forward, raw(values.get()), raw(values.get()));
  for (std::size_t k = 0; k < spectrum_.size(); ++k) {
    const std::complex<float> v = values[k], s = spectrum_[k];  // operator* would check for infinities
    values[k] = {v.real() * s.real() - v.imag() * s.imag(), v.real() * s.imag() + v.imag() * s.real()};
  }
  fftwf_execute_dft(plans_->backward, raw(values.get()), raw(values.get()));
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = values[i].real();
  for (std::size_t i = 0; i < second.size(); ++i) second[i] = values[i].imag();
}

}  // namespace backlit
