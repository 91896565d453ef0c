// Options that methods with total variation share.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

/// Values are kept within [lower, upper], 1/mm.
struct BoxOptions {
  double lower = 0, upper = 1e9;
};

/// The weight of total variation beside 1/2 |b - A x|^2.
struct TotalVariationOptions {
  double strength = 1;  ///< factor on the weight that suits the noise; 1 uses that weight
  double lambda = 0;    ///< the weight itself, in mm; 0: from the noise and `strength`
};

Parameters describe(BoxOptions&);
Parameters describe(TotalVariationOptions&);
/// Throws InputError when the box is empty.
void check(const BoxOptions&);

}  // namespace backlit
