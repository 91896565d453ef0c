// Convolution of a detector's rows with one kernel by FFT, for the ramp and the Hilbert filter.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace backlit {

/// Plan for rows of `columns` values; const and thread safe after construction. The convolution is linear, not
/// periodic: beyond its ends a row is zero or, with `extension` > 0, continued by that many columns.
///
/// A row that ends inside the object jumps to zero there, and a filter as wide as the ramp turns the jump into a bright
/// rim. The continuation is the row mirrored in its end point, 2 p(end) - p(mirrored), under a taper cos(pi/2 t)^0.75
/// that reaches 0 after `extension` columns (Ohnesorge et al., Med. Phys. 27 (2000) 39). It never changes sign, so that
/// a row that ends at zero stays zero.
class RowConvolution {
 public:
  struct Kernel {
    std::function<double(std::int64_t)> tap;  ///< for -columns - extension .. columns + extension
    std::function<double(double)> passed;     ///< factor of the spectrum at a share of the Nyquist frequency (0 to 1)
  };
  RowConvolution(std::int64_t columns, std::int64_t extension, const Kernel&);
  virtual ~RowConvolution();
  RowConvolution(const RowConvolution&) = delete;
  RowConvolution& operator=(const RowConvolution&) = delete;

  /// Filters two rows in place (the second may be empty) as real and imaginary part of one transform. `scratch` holds
  /// size() values; make it with scratch().
  using Scratch = std::unique_ptr<std::complex<float>[], void (*)(std::complex<float>*)>;
  void run(std::span<float> first, std::span<float> second, const Scratch& scratch) const;
  Scratch scratch() const;

  std::int64_t size() const { return size_; }  ///< padded length, >= 2 (columns + extension)
  /// The kernel's spectrum at frequency k / size, k < size, times 1 / size.
  const std::vector<std::complex<float>>& spectrum() const { return spectrum_; }
  /// The real part of spectrum(), which is the whole spectrum of an even kernel.
  std::vector<float> response() const;
  /// Taps 0, 1, .. columns + extension - 1 of the kernel with its window.
  std::vector<double> taps() const;
  /// Factors of the continuation 1, 2, .. extension columns beyond an end.
  const std::vector<float>& taper() const { return taper_; }

 private:
  void extend(std::complex<float>* row) const;

  std::int64_t columns_, extension_, size_;
  std::vector<std::complex<float>> spectrum_;
  std::vector<float> taper_;
  struct Plans;
  std::unique_ptr<Plans> plans_;
};

/// FFTW's planner is the one part of it that is not thread safe: hold this while plans are made and destroyed.
std::mutex& fftw_planner();
/// The least even length >= n whose prime factors are 2, 3 and 5: fast to transform.
std::int64_t fast_length(std::int64_t n);
/// Forward, in place, in double.
void transform(std::vector<std::complex<double>>&);

}  // namespace backlit
