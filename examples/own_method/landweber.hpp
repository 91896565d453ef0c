// A method of our own: Landweber's iteration, x += step A'(b - A x). L. Landweber, Am. J. Math. 73 (1951) 615.
#pragma once

#include <backlit/recon/method_options.hpp>

/// Everything that the method can be asked for. Flags, files and widgets follow from parameters().
struct LandweberOptions : backlit::OperatorOptions {
  std::int64_t iterations = 50;
  double relaxation = 1;  ///< the step as a share of 1 / |A|^2; it converges below 2

  backlit::Parameters parameters() override;
};

/// "landweber", for register_method().
backlit::MethodInfo landweber_method();
