#include "preprocess/filter/ramp_filter.hpp"

#include <cmath>

#include <backlit/geometry/types.hpp>

namespace backlit {
namespace {

constexpr double rounding = 1e-12;  // a frequency of the transform that equals the cut-off passes

RowConvolution::Kernel ramp_kernel(FilterWindow window, double cutoff, double angular_pitch) {
  return {[=](std::int64_t n) {
            const double gamma = angular_pitch * static_cast<double>(n);
            const double bend = gamma != 0 ? gamma / std::sin(gamma) : 1;
            return ramp_tap(n) * bend * bend;
          },
          [=](double frequency) { return window_value(window, frequency / cutoff - rounding); }};
}

RowConvolution::Kernel hilbert_kernel(double cutoff, double factor) {
  return {[=](std::int64_t n) { return factor * hilbert_tap(n); },
          [=](double frequency) { return frequency / cutoff - rounding > 1 ? 0.0 : 1.0; }};
}

}  // namespace

double ramp_tap(std::int64_t n) {
  if (n == 0) return 0.25;
  if (n % 2 == 0) return 0;
  return -1 / (pi * pi * static_cast<double>(n) * static_cast<double>(n));
}

double hilbert_tap(std::int64_t n) { return n % 2 == 0 ? 0 : 2 / (pi * static_cast<double>(n)); }

RampFilter::RampFilter(std::int64_t columns, FilterWindow window, double cutoff, double angular_pitch,
                       std::int64_t extension)
    : RowConvolution(columns, extension, ramp_kernel(window, cutoff, angular_pitch)) {}

std::vector<float> response_of(std::span<const double> taps, std::int64_t size, Parity parity) {
  std::vector<std::complex<double>> values(static_cast<std::size_t>(size));
  values[0] = taps[0];
  for (std::size_t i = 1; i < taps.size(); ++i) {
    values[i] = taps[i];
    values[values.size() - i] = parity == Parity::odd ? -taps[i] : taps[i];
  }
  transform(values);
  std::vector<float> response;
  for (const auto& value : values)
    response.push_back(
        static_cast<float>((parity == Parity::odd ? value.imag() : value.real()) / static_cast<double>(size)));
  return response;
}

HilbertFilter::HilbertFilter(std::int64_t columns, double cutoff, double factor, std::int64_t extension)
    : RowConvolution(columns, extension, hilbert_kernel(cutoff, factor)) {}

}  // namespace backlit
