// sin(x) for |x| < pi / 2 to a few ulp. Built-in sines may have errors of 1e-6, a thousandth of a pixel on a curved
// detector.
float sine(float x) {
  float s = x * x;
  return x * (1.0 + s * (-1.0 / 6.0 +
                         s * (1.0 / 120.0 +
                              s * (-1.0 / 5040.0 +
                                   s * (1.0 / 362880.0 + s * (-1.0 / 39916800.0 + s * (1.0 / 6227020800.0)))))));
}
