// The ramp filter of filtered backprojection, and the Hilbert filter that replaces it for differential views.
#pragma once

#include <span>

#include <backlit/preprocess/filter_options.hpp>
#include "preprocess/filter/row_convolution.hpp"

namespace backlit {

/// Tap n of the band-limited ramp at unit pitch (Kak & Slaney, Principles of Computerized Tomographic Imaging, 1988,
/// eq. 3.61): 1/4 at 0, -1/(pi n)^2 at odd n, 0 at even n. It is defined in space, so that its mean (DC) is exact at
/// any length.
double ramp_tap(std::int64_t n);

/// Tap n of the band-limited Hilbert transform, whose kernel is 1 / (pi t): 2 / (pi n) at odd n, 0 at even n. It turns
/// sin into -cos.
double hilbert_tap(std::int64_t n);

/// The ramp filter for columns of pitch 1. For a pitch d divide the result by d.
class RampFilter : public RowConvolution {
 public:
  /// `angular_pitch` > 0: columns are equal angles (radians); taps are multiplied by (gamma / sin gamma)^2.
  RampFilter(std::int64_t columns, FilterWindow window, double cutoff, double angular_pitch = 0,
             std::int64_t extension = 0);
};

/// Symmetry of a kernel.
enum class Parity { even, odd };

/// Factors of a transform of `size` values that convolve rows of taps.size() columns with these taps. Entry k is for
/// frequency k / size, k < size, and includes the division by `size`. size >= 2 taps.size() - 1. For an odd kernel the
/// factors are these times i.
std::vector<float> response_of(std::span<const double> taps, std::int64_t size, Parity = Parity::even);

/// The Hilbert filter. The ramp is a derivative and a Hilbert filter, divided by 2 pi; differential views need only the
/// latter.
class HilbertFilter : public RowConvolution {
 public:
  /// `factor` multiplies the transform.
  HilbertFilter(std::int64_t columns, double cutoff, double factor = 1, std::int64_t extension = 0);
};

}  // namespace backlit
