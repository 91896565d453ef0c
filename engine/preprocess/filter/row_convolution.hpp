// Rows of a detector convolved with one kernel by FFT: what the ramp and the Hilbert filter share.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace backlit {

/// Plan for rows of `columns` values; const and thread safe once made. The convolution is linear: beyond its ends a row
/// is zero or, with `extension` > 0, continued by that many columns.
///
/// A row that is cut off while it still sees the object jumps to zero there, and any filter as wide as the ramp turns
/// the jump into a bright rim. The continuation is the row mirrored in its end point, 2 p(end) - p(mirrored), under a
/// taper cos(pi/2 t)^0.75 that reaches 0 after `extension` columns (Ohnesorge et al., Med. Phys. 27 (2000) 39). It
/// never changes sign, so that a row that ends at zero stays zero.
class RowConvolution {
 public:
  struct Kernel {
    std::function<double(std::int64_t)> tap;  ///< at -columns - extension .. columns + extension
    std::function<double(double)> passed;     ///< what its spectrum is multiplied by, at a share of Nyquist (0 to 1)
  };
  RowConvolution(std::int64_t columns, std::int64_t extension, const Kernel&);
  virtual ~RowConvolution();
  RowConvolution(const RowConvolution&) = delete;
  RowConvolution& operator=(const RowConvolution&) = delete;

  /// Filters two rows in place (the second may be empty): they travel as real and imaginary part of one transform.
  /// `scratch` holds size() values; make it with scratch().
  using Scratch = std::unique_ptr<std::complex<float>[], void (*)(std::complex<float>*)>;
  void run(std::span<float> first, std::span<float> second, const Scratch& scratch) const;
  Scratch scratch() const;

  std::int64_t size() const { return size_; }  ///< padded length, >= 2 (columns + extension)
  /// At frequency k / size, k < size; times 1 / size.
  const std::vector<std::complex<float>>& spectrum() const { return spectrum_; }
  /// Its real part: of a kernel that is even, all of it.
  std::vector<float> response() const;
  /// Taps 0, 1, .. columns + extension - 1: what a value adds to the columns so far behind it.
  std::vector<double> taps() const;
  /// What the continuation is multiplied by 1, 2, .. extension columns beyond an end.
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
