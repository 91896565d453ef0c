// The ramp filter of filtered backprojection, row by row with FFTW.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "preprocess/filter_options.hpp"

namespace backlit {

/// Tap n of the band-limited ramp at unit pitch (Kak & Slaney, Principles of Computerized Tomographic Imaging, 1988,
/// eq. 3.61): 1/4 at 0, -1/(pi n)^2 at odd n, 0 at even n. Built in space so that its mean (DC) is right at any length.
double ramp_tap(std::int64_t n);

/// Plan for rows of `columns` values; const and thread safe once made. At pitch d the result has to be divided by d.
class RampFilter {
 public:
  /// `angular_pitch` > 0: columns are equal angles (radians); taps are multiplied by (gamma / sin gamma)^2.
  RampFilter(std::int64_t columns, FilterWindow window, double cutoff, double angular_pitch = 0);
  ~RampFilter();
  RampFilter(const RampFilter&) = delete;

  /// Filters two rows in place (the second may be empty): they travel as real and imaginary part of one transform.
  /// `scratch` holds size() values; make it with scratch().
  using Scratch = std::unique_ptr<std::complex<float>[], void (*)(std::complex<float>*)>;
  void run(std::span<float> first, std::span<float> second, const Scratch& scratch) const;
  Scratch scratch() const;

  std::int64_t size() const { return size_; }                       ///< padded length, >= 2 columns
  const std::vector<float>& response() const { return response_; }  ///< at frequency k / size, k < size; times 1 / size

 private:
  std::int64_t columns_, size_;
  std::vector<float> response_;
  struct Plans;
  std::unique_ptr<Plans> plans_;
};

}  // namespace backlit
