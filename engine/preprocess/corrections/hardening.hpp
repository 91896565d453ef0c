// Curves that undo beam hardening, for the host and devices.
#pragma once

#include <string>
#include <vector>

#include <backlit/core/hd.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/preprocess/corrections.hpp>

namespace backlit {

/// 1, A2, A3, ... of p + A2 p^2 + A3 p^3. Throws InputError where longer paths give smaller values before `most`.
std::vector<double> hardening_polynomial(const CorrectionOptions&, double most);
/// "p becomes 1 p + 0.05 p^2".
std::string polynomial_text(const std::vector<double>&);

inline constexpr int flattening_powers = 4;
inline constexpr const char* nothing_to_flatten = "nothing to flatten";
inline constexpr const char* cannot_be_flatter = "left as it is: no polynomial makes it flatter";

/// most (p / most)^power; 0 for p below 0.
BACKLIT_HD inline double flattening_power(double p, double most, int power) {
  double value = most;
  for (int i = 0; i < power; ++i) value *= p > 0 ? p / most : 0;
  return value;
}
/// The polynomial c1 p + c2 p^2 + ... that makes a slice's main material flat and leaves its median; empty where none
/// rises. `powers`: the slice of flattening_power() of the views, for powers 1, 2, ...; `most`: the largest line
/// integral. Negative values are multiplied by c1. Throws InputError("flatten") where the slice has no homogeneous
/// part.
std::vector<double> flattening(std::vector<Volume> powers, double most);

/// What a spectrum's line integral is for a path of water, tabulated and inverted.
class WaterCurve {
 public:
  static constexpr double step = 0.25;  ///< mm of the table

  /// For line integrals up to `most`. Throws InputError naming file and line where the spectrum cannot be read.
  WaterCurve(const std::string& spectrum_file, double most);
  /// The line integral without hardening: the path times the attenuation of a thin layer. Negative values are noise.
  double operator()(double p) const;

  /// 1/mm, of a thin layer.
  double thin() const { return thin_; }
  /// Line integrals of 0, 0.25, 0.5 ... mm.
  const std::vector<double>& table() const { return measured_; }
  /// "thin water has 0.02/mm".
  std::string text() const;

 private:
  double thin_ = 0;
  std::vector<double> measured_;
};

}  // namespace backlit
