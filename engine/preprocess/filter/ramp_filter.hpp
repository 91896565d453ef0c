// The ramp filter of filtered backprojection, and the Hilbert filter that takes its place for differential views.
#pragma once

#include <span>

#include <backlit/preprocess/filter_options.hpp>
#include "preprocess/filter/row_convolution.hpp"

namespace backlit {

/// Tap n of the band-limited ramp at unit pitch (Kak & Slaney, Principles of Computerized Tomographic Imaging, 1988,
/// eq. 3.61): 1/4 at 0, -1/(pi n)^2 at odd n, 0 at even n. Built in space so that its mean (DC) is right at any length.
double ramp_tap(std::int64_t n);

/// Tap n of the band-limited Hilbert transform, whose kernel is 1 / (pi t): 2 / (pi n) at odd n, 0 at even n. It turns
/// sin into -cos.
double hilbert_tap(std::int64_t n);

/// At pitch d the result has to be divided by d.
class RampFilter : public RowConvolution {
 public:
  /// `angular_pitch` > 0: columns are equal angles (radians); taps are multiplied by (gamma / sin gamma)^2.
  RampFilter(std::int64_t columns, FilterWindow window, double cutoff, double angular_pitch = 0,
             std::int64_t extension = 0);
};

/// Of a kernel.
enum class Parity { even, odd };

/// What a transform of `size` values has to be multiplied by, at frequency k / size, k < size, to convolve rows of
/// taps.size() columns with these taps, when nobody divides by `size`. size >= 2 taps.size() - 1. Kernels are even; of
/// an odd one it is this times i.
std::vector<float> response_of(std::span<const double> taps, std::int64_t size, Parity = Parity::even);

/// The ramp is the derivative, filtered by Hilbert, over 2 pi: of differential views this filter is all that is left.
class HilbertFilter : public RowConvolution {
 public:
  /// `factor` multiplies the transform.
  HilbertFilter(std::int64_t columns, double cutoff, double factor = 1, std::int64_t extension = 0);
};

}  // namespace backlit
