#include "preprocess/ramp_filter.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/error.hpp"
#include "geometry/types.hpp"

namespace backlit {
namespace {

/// FFTW's planner is the one part of it that is not thread safe.
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

fftwf_complex* raw(std::complex<float>* values) { return reinterpret_cast<fftwf_complex*>(values); }

/// The least even length >= n whose prime factors are 2, 3 and 5: fast to transform.
std::int64_t fast_length(std::int64_t n) {
  for (std::int64_t length = n + n % 2;; length += 2) {
    std::int64_t rest = length;
    for (std::int64_t prime : {2, 3, 5})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return length;
  }
}

/// The kernel's transform (real and even, as the kernel is), in double.
std::vector<double> transform(const std::vector<double>& kernel) {
  const auto n = static_cast<int>(kernel.size());
  std::vector<double> in = kernel, out(kernel.size());
  std::vector<std::complex<double>> spectrum(kernel.size() / 2 + 1);
  fftw_plan plan;
  {
    const std::lock_guard lock(planner());
    plan = fftw_plan_dft_r2c_1d(n, in.data(), reinterpret_cast<fftw_complex*>(spectrum.data()), FFTW_ESTIMATE);
  }
  fftw_execute(plan);
  for (int k = 0; k < n; ++k)
    out[static_cast<std::size_t>(k)] = spectrum[static_cast<std::size_t>(std::min(k, n - k))].real();
  const std::lock_guard lock(planner());
  fftw_destroy_plan(plan);
  return out;
}

}  // namespace

double ramp_tap(std::int64_t n) {
  if (n == 0) return 0.25;
  if (n % 2 == 0) return 0;
  return -1 / (pi * pi * static_cast<double>(n) * static_cast<double>(n));
}

struct RampFilter::Plans {
  fftwf_plan forward, backward;
};

RampFilter::RampFilter(std::int64_t columns, FilterWindow window, double cutoff, double angular_pitch)
    : columns_(columns), size_(fast_length(2 * columns)), plans_(std::make_unique<Plans>()) {
  std::vector<double> kernel(static_cast<std::size_t>(size_));
  for (std::int64_t i = 0; i < size_; ++i) {
    const std::int64_t n = std::min(i, size_ - i);
    if (n > columns_) continue;  // no two columns are that far apart
    const double gamma = angular_pitch * static_cast<double>(n);
    const double bend = gamma > 0 ? gamma / std::sin(gamma) : 1;
    kernel[static_cast<std::size_t>(i)] = ramp_tap(n) * bend * bend;
  }
  const std::vector<double> spectrum = transform(kernel);
  for (std::int64_t k = 0; k < size_; ++k) {
    const double frequency = 2.0 * static_cast<double>(std::min(k, size_ - k)) / static_cast<double>(size_);
    const double passed = window_value(window, frequency / cutoff - 1e-12);
    response_.push_back(
        static_cast<float>(spectrum[static_cast<std::size_t>(k)] * passed / static_cast<double>(size_)));
  }
  const Scratch values = scratch();
  const std::lock_guard lock(planner());
  const auto n = static_cast<int>(size_);
  plans_->forward = fftwf_plan_dft_1d(n, raw(values.get()), raw(values.get()), FFTW_FORWARD, FFTW_ESTIMATE);
  plans_->backward = fftwf_plan_dft_1d(n, raw(values.get()), raw(values.get()), FFTW_BACKWARD, FFTW_ESTIMATE);
}

RampFilter::~RampFilter() {
  const std::lock_guard lock(planner());
  fftwf_destroy_plan(plans_->forward);
  fftwf_destroy_plan(plans_->backward);
}

RampFilter::Scratch RampFilter::scratch() const {
  auto* values = reinterpret_cast<std::complex<float>*>(fftwf_alloc_complex(static_cast<std::size_t>(size_)));
  if (!values) throw Failure("ramp filter", "no memory for a row");
  return {values, [](std::complex<float>* p) { fftwf_free(p); }};
}

void RampFilter::run(std::span<float> first, std::span<float> second, const Scratch& values) const {
  for (std::size_t i = 0; i < first.size(); ++i) values[i] = {first[i], second.empty() ? 0.0f : second[i]};
  std::fill(values.get() + columns_, values.get() + size_, std::complex<float>(0));
  fftwf_execute_dft(plans_->forward, raw(values.get()), raw(values.get()));
  for (std::size_t k = 0; k < response_.size(); ++k) values[k] *= response_[k];
  fftwf_execute_dft(plans_->backward, raw(values.get()), raw(values.get()));
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = values[i].real();
  for (std::size_t i = 0; i < second.size(); ++i) second[i] = values[i].imag();
}

}  // namespace backlit
