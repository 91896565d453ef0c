// The shapes of a tube of response, as tables of f (tube.hpp).
#pragma once

#include <array>
#include <string>
#include <vector>

#include <backlit/projectors/lines_of_response/tube.hpp>

namespace backlit {

/// f in 1/mm^2, scaled such that its integral over the tube's cross-section is 1. A tube through equal values then
/// gives the same as a thin line.
struct TubeKernel {
  double radius_mm = 0;
  std::vector<float> table;   ///< tube_entries values, entry k at r^2 = k / entry_per_mm2()
  double gauss_sigma_mm = 0;  ///< sigma when f is a Gaussian cut at the radius; else 0

  double entry_per_mm2() const { return (tube_entries - 1) / (radius_mm * radius_mm); }
};

/// Throw InputError for widths and radii that are not positive and finite.
TubeKernel gaussian_tube(double fwhm_mm, double radius_mm);
TubeKernel box_tube(double radius_mm);
/// The projection of a generalised Kaiser-Bessel blob (Lewitt, J. Opt. Soc. Am. A 7 (1990) 1834) of order 2:
/// y^(5/4) I_5/2(alpha sqrt(y)), y = 1 - (r / radius)^2.
TubeKernel bessel_tube(double radius_mm, double alpha = blob_alpha);
/// A measured profile: pairs of distance in mm (ascending from 0) and weight (of any scale), linear in between. The
/// last distance is the radius. Throws InputError(where).
TubeKernel measured_tube(const std::vector<std::array<double, 2>>& profile, const std::string& where);

/// The value of a blob of integral 1, in 1/mm^3, `mm` from its centre.
double blob_value(double mm, double radius_mm, double alpha = blob_alpha);

}  // namespace backlit
